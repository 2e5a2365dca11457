import { type RecordActs, recordActs } from '../../actions/records/records.js'
import { once } from '../../actions/system/once.js'
import { found, NotFound } from '../../domain/system/invalid.js'
import { Refused } from '../../domain/system/refused.js'
import { listOf } from '../../models/system/listing.js'
import type { Resource } from '../../pages/records/description.js'
import { SeenVersion } from '../../pages/records/fields.js'
import { linkMore, wantedOf } from '../../pages/records/list.js'
import { deletePage, editPage, listPage, newPage, refusedPage } from '../../pages/records/pages.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { idempotent } from '../../web/request/idempotency.js'
import { input, pathId, subset, typedIn } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

/** Registers every route of a resource. */
export function addResource<R extends { id: number }>(router: AppRouter, resource: Resource<R>): void {
  const { path, permission } = resource
  const list = `/admin/${path}`
  const one = `${list}/:id`
  const writes = [allow(permission), throttle('writes'), body()] as const
  const shown = form({ view: 'records/edit', load: (ctx) => refusedPage(ctx, resource), conflicts: true })

  router.get(both(list), allow(permission), async (ctx) => {
    const wanted = wantedOf(ctx, resource)
    const { rows, more } = await listOf<R>(resource.listing, wanted)
    const next = linkMore(ctx, wanted, more)
    await respond(ctx, {
      data: rows.map(resource.present),
      view: 'records/list',
      fragment: 'records/_rows',
      extras: () => listPage(ctx, resource, { rows, next, wanted }),
    })
  })

  router.get(`${list}/new`, allow(permission), async (ctx) => {
    await respond(ctx, { view: 'records/edit', extras: await newPage(ctx, resource) })
  })

  if (resource.preview)
    router.post([`${list}/preview`, `${one}/preview`], allow(permission), body(), shown, (ctx) =>
      preview(ctx, resource),
    )

  router.post(both(list), ...writes, idempotent(), shown, async (ctx) => {
    const given = input(ctx, resource.schema(await zoneOf(ctx)))
    const { actor } = ctx.state
    const id = await once(
      actor,
      () => actsOf(resource).create(actor, given),
      async (made) => made,
    )
    const data = resource.present(found(await resource.find(id)))
    await respond(ctx, { data, location: `${list}/${id}`, notice: 'added', status: 201 })
  })

  router.get(both(one), allow(permission), async (ctx) => {
    const row = found(await resource.find(pathId(ctx)))
    await respond(ctx, {
      data: resource.present(row),
      view: 'records/edit',
      extras: () => editPage(ctx, resource, row),
    })
  })

  router.patch(`/api${one}`, ...writes, (ctx) => update(ctx, resource))
  router.post(one, ...writes, shown, (ctx) => update(ctx, resource).catch(keptWhenGone))

  router.get(`${one}/delete`, allow(permission), async (ctx) => {
    const row = found(await resource.find(pathId(ctx)))
    await respond(ctx, { view: 'records/delete', extras: await deletePage(ctx, resource, row) })
  })

  router.delete(`/api${one}`, ...writes, (ctx) => remove(ctx, resource))
  router.post(`${one}/delete`, ...writes, (ctx) => remove(ctx, resource))
}

/** A form says which version it was made from; JSON changes field by field and need not. */
async function update<R extends { id: number }>(ctx: Context, resource: Resource<R>): Promise<void> {
  const id = pathId(ctx)
  const given = subset(ctx, resource.schema(await zoneOf(ctx)))
  const { seen } = input(ctx, SeenVersion)
  await actsOf(resource).update(ctx.state.actor, id, given, seen ?? undefined)
  const data = resource.present(found(await resource.find(id)))
  await respond(ctx, { data, location: `/admin/${resource.path}/${id}`, notice: 'saved' })
}

/** The same form again, with what would come of it. Nothing is saved. */
async function preview<R extends { id: number }>(ctx: Context, resource: Resource<R>): Promise<void> {
  const zone = await zoneOf(ctx)
  const preview = await resource.preview?.(input(ctx, resource.schema(zone)), zone)
  const page = await refusedPage(ctx, resource)
  await respond(ctx, { view: 'records/edit', extras: { ...page, values: typedIn(ctx), preview } })
}

async function remove<R extends { id: number }>(ctx: Context, resource: Resource<R>): Promise<void> {
  await actsOf(resource).remove(ctx.state.actor, pathId(ctx))
  await respond(ctx, { location: `/admin/${resource.path}`, notice: 'deleted' })
}

function actsOf<R extends { id: number }>({ acts, kind }: Resource<R>): RecordActs {
  return acts ?? recordActs(kind)
}

/** What somebody typed into the form of a record that is gone must not be lost with it. */
export function keptWhenGone(error: unknown): never {
  throw error instanceof NotFound ? new Refused('deleted_meanwhile') : error
}

/** Local times of forms are in the property's zone. */
async function zoneOf(ctx: Context): Promise<string> {
  return (await ctx.state.building()).property.timezone
}
