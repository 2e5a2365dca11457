import { z } from 'zod'
import { Conflict } from '../../../vocabulary/conflict.js'
import { parseId } from '../../../vocabulary/limits.js'
import { NotFound, orNotFound } from '../../../vocabulary/validation.js'
import { idempotently } from '../../db/idempotently.js'
import { fetchPage } from '../../db/listing.js'
import type { Context } from '../context.js'
import { enteredFields } from '../enteredFields.js'
import { both, isApi } from '../paths.js'
import { representationOf } from '../representation.js'
import { noContent, page } from '../route/answerContent.js'
import { emptyBody, type FieldSchemas, partial } from '../route/fields.js'
import { type Route, route, routePair } from '../route/route.js'
import type { Preview, Resource } from './resource.js'
import {
  deletedName,
  deletePage,
  editPage,
  linkMore,
  listPage,
  listQuery,
  newPage,
  parseListQuery,
  refusedPage,
} from './resourcePages.js'
import { PreviewSnapshot, RecordVersion } from './sharedFields.js'

export function resourceRoutes<R extends { id: number }>(resource: Resource<R>): Route[] {
  return [
    ...readRoutes(resource),
    ...createRoutes(resource),
    ...updateRoutes(resource),
    ...removeRoutes(resource),
  ]
}

/** The list, the form of a new record, and one record. */
export function readRoutes<R extends { id: number }>(resource: Resource<R>): Route[] {
  const { path, group, permission } = resource
  const noun = nounOf(resource)
  return [
    route({
      method: 'get',
      paths: both(`/admin/${path}`),
      group,
      summary: `Lists ${noun}s, newest first by default.`,
      permission,
      query: listQuery(resource),
      answer: z.array(resource.json),
      paged: true,
      handle: async ({ ctx, query }) => {
        const wanted = parseListQuery(ctx, query, resource)
        const { rows, more } = await fetchPage<R>(resource.listing, wanted)
        const next = linkMore(ctx, wanted, more)
        return {
          data: rows.map(resource.present),
          view: 'records/list',
          fragment: 'records/_rows',
          extras: () => listPage(ctx, resource, { rows, next, wanted }),
        }
      },
    }),

    route({
      method: 'get',
      paths: `/admin/${path}/new`,
      summary: `The form to add a ${noun}.`,
      permission,
      answer: page,
      handle: async ({ ctx }) => ({ view: 'records/edit', extras: await newPage(ctx, resource) }),
    }),

    route({
      method: 'get',
      paths: both(`/admin/${path}/:id`),
      group,
      summary: `One ${noun}.`,
      permission,
      answer: resource.json,
      handle: async ({ ctx, params }) => {
        const row = orNotFound(await resource.find(params.id))
        return {
          data: resource.present(row),
          view: 'records/edit',
          extras: () => editPage(ctx, resource, row),
        }
      },
    }),
  ]
}

function createRoutes<R extends { id: number }>(resource: Resource<R>): Route[] {
  const { path, group, permission, schema } = resource
  const create = route({
    method: 'post',
    paths: both(`/admin/${path}`),
    group,
    summary: `Adds one ${nounOf(resource)}.`,
    permission,
    throttle: 'writes',
    idempotent: true,
    body: schema,
    answer: { 201: resource.json },
    form: formOf(resource),
    handle: async ({ body, actor }) => {
      const id = await idempotently(actor, () => resource.acts.create(actor, body))
      const data = resource.present(orNotFound(await resource.find(id)))
      return { data, location: `/admin/${path}/${id}`, notice: resource.addedNotice?.(body) ?? 'added' }
    },
  })
  return [...previewRoutes(resource), create]
}

/** A preview of the result, in the same form and as JSON. Nothing is saved. */
function previewRoutes<R extends { id: number }>(resource: Resource<R>): Route[] {
  const { path, group, permission, schema, preview } = resource
  if (!preview) return []
  const shared = {
    method: 'post',
    group,
    summary: `Previews a ${nounOf(resource)} without saving it.`,
    permission,
    body: schema,
    answer: preview.json,
    form: formOf(resource),
    handle: ({ ctx, body }: { ctx: Context; body: Record<string, unknown> }) =>
      previewAnswer(ctx, resource, preview, body),
  } as const
  return [
    route({ ...shared, paths: both(`/admin/${path}/preview`) }),
    // The id may be of a deleted record: its form is previewed all the same.
    route({
      ...shared,
      paths: both(`/admin/${path}/:id/preview`),
      params: { id: z.string() },
      shownRecord: ({ params }) => findShownRecord(resource, params),
    }),
  ]
}

/** The record that a form was made from, if it is still there. */
async function findShownRecord<R extends { id: number }>(
  resource: Resource<R>,
  params: Record<string, unknown>,
) {
  const id = typeof params.id === 'number' ? params.id : parseId(String(params.id))
  return id === null ? null : resource.find(id)
}

async function previewAnswer<R extends { id: number }>(
  ctx: Context,
  resource: Resource<R>,
  { of, view }: Preview,
  fields: Record<string, unknown>,
) {
  const { property } = await ctx.state.building()
  const id = ctx.params.id === undefined ? null : (parseId(ctx.params.id) ?? 0)
  const data = await of({ fields, id, zone: property.timezone, actor: ctx.state.actor })
  const again = async () => {
    const extras = await refusedPage(ctx, resource)
    const previewSnapshot = data.consequences.length > 0 ? snapshotOf(fields) : null
    return { ...extras, values: enteredFields(ctx), preview: data, previewView: view, previewSnapshot }
  }
  return { data, view: 'records/edit', extras: again }
}

/** The fields of a form as one text, equal for equal fields. */
const snapshotOf = (fields: Record<string, unknown>) => JSON.stringify(fields)

/**
 * A change of a record. On a page, one with consequences is saved only after a preview has shown
 * them for the same fields.
 */
function updateRoutes<R extends { id: number }>(resource: Resource<R>): Route[] {
  const { path, group, permission, preview } = resource
  const update = async (ctx: Context, id: number, body: Record<string, unknown>) => {
    const { version, previewSnapshot, ...fields } = body
    const isPage = !isApi(ctx.path) && representationOf(ctx) !== 'json'
    if (preview && isPage && previewSnapshot !== snapshotOf(fields)) {
      const answer = await previewAnswer(ctx, resource, preview, fields)
      if (answer.data.consequences.length > 0) return answer
    }
    await resource.acts.update(ctx.state.actor, id, fields, (version as string | null) ?? undefined)
    const data = resource.present(orNotFound(await resource.find(id)))
    return { data, location: `/admin/${path}/${id}`, notice: 'saved' }
  }
  return routePair({
    method: 'patch',
    paths: `/api/admin/${path}/:id`,
    group,
    fromForm: `/admin/${path}/:id`,
    summary: `Changes the fields of one ${nounOf(resource)} that are sent.`,
    permission,
    throttle: 'writes',
    body: partial(withFields(resource.schema, preview ? previewedFields : RecordVersion.shape)),
    movedFields: resource.movedFields ?? {},
    shownRecord: ({ params }) => findShownRecord(resource, params),
    answer: preview ? z.union([resource.json, preview.json]) : resource.json,
    form: formOf(resource),
    handle: ({ ctx, params, body }) =>
      isApi(ctx.path) ? update(ctx, params.id, body) : update(ctx, params.id, body).catch(deletedMeanwhile),
  })
}

/** The page that asks whether to delete a record, the deletion, and undoing it. */
export function removeRoutes<R extends { id: number }>(resource: Resource<R>): Route[] {
  const { path, group, permission } = resource
  return [
    route({
      method: 'get',
      paths: `/admin/${path}/:id/delete`,
      summary: `The page to confirm deleting one ${nounOf(resource)}.`,
      permission,
      answer: page,
      handle: async ({ ctx, params }) => {
        const row = orNotFound(await resource.find(params.id))
        return { view: 'records/delete', extras: await deletePage(ctx, resource, row) }
      },
    }),
    ...routePair({
      method: 'delete',
      paths: `/api/admin/${path}/:id`,
      group,
      fromForm: `/admin/${path}/:id/delete`,
      summary: `Deletes one ${nounOf(resource)}.`,
      permission,
      throttle: 'writes',
      body: emptyBody,
      answer: noContent,
      handle: async ({ ctx, params, actor }) => {
        const row = await resource.find(params.id)
        if (!row && !isApi(ctx.path)) return { location: `/admin/${path}`, notice: 'alreadyDeleted' }
        const name = deletedName.seal(resource.nameOf(orNotFound(row)))
        await resource.acts.remove(actor, params.id)
        return { location: `/admin/${path}?was=${name}&of=${params.id}`, notice: 'deleted' }
      },
    }),
    ...undeleteRoute(resource),
  ]
}

function undeleteRoute<R extends { id: number }>(resource: Resource<R>): Route[] {
  const { path, group, permission, acts } = resource
  const { undelete } = acts
  if (!undelete) return []
  return [
    route({
      method: 'post',
      paths: both(`/admin/${path}/:id/undelete`),
      group,
      summary: `Undoes the deletion of one ${nounOf(resource)} within 10 minutes.`,
      permission,
      throttle: 'writes',
      body: emptyBody,
      answer: resource.json,
      handle: async ({ params, actor }) => {
        const isBack = await undelete(actor, params.id)
        const data = resource.present(orNotFound(await resource.find(params.id)))
        return { data, location: `/admin/${path}/${params.id}`, notice: isBack ? 'undeleted' : 'alreadyBack' }
      },
    }),
  ]
}

/** The noun for the API description. */
const nounOf = ({ kind }: { kind: { entity: string } }) => kind.entity.replaceAll('_', ' ')

/** The page of a refused form; also for a 409, because what was typed can be sent again. */
export const formOf = <R extends { id: number }>(resource: Resource<R>) => ({
  view: 'records/edit',
  load: (ctx: Context) => refusedPage(ctx, resource),
  conflicts: true,
})

const previewedFields = { ...RecordVersion.shape, ...PreviewSnapshot.shape }

/** The schema of a request with more fields. */
export const withFields = (fields: FieldSchemas, more: z.ZodRawShape): FieldSchemas =>
  typeof fields === 'function' ? (place) => fields(place).extend(more) : fields.extend(more)

/** Makes a 409 of NotFound, so that the form of a record deleted meanwhile keeps what was typed. */
export function deletedMeanwhile(error: unknown): never {
  throw error instanceof NotFound ? new Conflict('deleted_meanwhile') : error
}
