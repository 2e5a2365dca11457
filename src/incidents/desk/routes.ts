import { z } from 'zod'
import { propertyText } from '../../building/property/propertyText.js'
import { change } from '../../platform/db/change.js'
import { representationOf } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { both } from '../../platform/http/request/both.js'
import { id, typedIn } from '../../platform/http/request/input.js'
import { route } from '../../platform/http/route/route.js'
import { config } from '../../platform/ops/config.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { bySomebodyElseSql, Incident } from '../incident.js'
import { suggestedSurvivor } from '../merge/duplicates.js'
import { MergePreviewJson } from '../merge/json.js'
import { mergeConfirmation } from '../merge/page.js'
import { previewMerges } from '../merge/previewMerges.js'
import { doerFields, doerFrom } from '../update/answerForm.js'
import { markAnswered } from '../update/heard.js'
import { DeskJson } from './json.js'
import { ManyJson } from './many.js'
import {
  acknowledgeIncidents,
  assignIncidents,
  each,
  handOverIncidents,
  type ManyResult,
  mostAtOnce,
} from './manyIncidents.js'
import {
  backToDesk,
  bulkActions,
  deskExtras,
  deskPage,
  deskSections,
  deskOverview as deskShown,
  deskUrl,
  lastPage,
} from './page.js'
import { countedUpTo } from './queries.js'

/**
 * Ticks incidents off the desk's lists of what came back and of unanswered words, without an answer (decision 7.2).
 * `upTo`: the newest entry that was seen; an incident with a later word stays, as `newer_word`.
 */
function markSeen(actor: Actor, ids: readonly number[], upTo: number | null): Promise<ManyResult> {
  return each(ids, (id) => markOne(actor, id, upTo))
}

async function markOne(actor: Actor, id: number, upTo: number | null): Promise<void> {
  await change(actor, async (c) => {
    const incident = orNotFound(await Incident.locked(c.trx, id))
    refuseMerged(incident)
    if (!incident.cameBackAt && !incident.unansweredSince) return c.noop()
    const newer = await c.query(
      `select from incident_updates p left join users w on w.id = p.author_id
       where p.incident_id = $1 and p.id > $2::integer and ${bySomebodyElseSql} limit 1`,
      [id, upTo],
    )
    if (newer.length > 0) throw new Conflict('newer_word')
    await markAnswered(c, id)
    c.audit('incident.seen', id)
  })
}

/** Ids as JSON numbers, or as the ticked boxes of a form. */
export const chosenIds = z
  .array(z.coerce.number('incident_unknown').pipe(id('incident')), {
    error: ({ input: given }) => (given === undefined ? 'ids_required' : 'incident_unknown'),
  })
  .max(mostAtOnce, 'ids_too_many')

/** The rows of a form of the desk, in the order of the page: where it goes on after the act. */
export const deskRowsShown = z.string('not_text').max(3_000, 'not_acceptable').optional()

const small = z.coerce
  .number('not_acceptable')
  .int('not_acceptable')
  .min(0, 'not_acceptable')
  .max(countedUpTo, 'not_acceptable')

/** The page of the desk that a form was on: after the act one is there again. */
export const deskPlace = {
  section: z.enum(deskSections, 'not_acceptable').optional(),
  skip: small.optional(),
}
/** For pages, which show the desk's beginning instead of what they cannot read. */
const deskPlaceShown = z.object({
  section: deskPlace.section.catch(undefined),
  skip: deskPlace.skip.catch(undefined),
})

/** `only`: the button of one row. `form`: which of the desk's forms it was. */
const chosen = {
  ...deskPlace,
  ids: chosenIds.default([]),
  only: id('incident').optional(),
  rows: deskRowsShown,
  form: z.string('not_text').optional(),
}
const needsOne = { path: ['ids'], message: 'ids_required', when: () => true }
const some = ({ ids, only }: { ids?: unknown[]; only?: unknown }) =>
  only !== undefined || (ids ?? []).length > 0

/** `onAsset`: the tap on an asset's page, where one stays. */
const AcknowledgeRequest = z
  .object({ ...chosen, onAsset: id('asset').optional() })
  .refine(some, needsOne)
  .meta({ id: 'AcknowledgeRequest' })
const AssignRequest = z
  .object({ ...chosen, assetId: id('asset').nullish(), unitId: id('unit').nullish() })
  .refine(some, needsOne)
  .refine(({ assetId, unitId }) => Boolean(assetId) !== Boolean(unitId), {
    path: ['assetId'],
    message: 'place_exactly_one',
    when: () => true,
  })
  .meta({ id: 'AssignRequest' })

/** `upTo`: the newest entry that whoever ticks has seen; without it, all there is. */
const SeenRequest = z
  .object({ ...chosen, upTo: id('update').nullish() })
  .refine(some, needsOne)
  .meta({ id: 'SeenRequest' })

const HandOverRequest = z
  .object({ ...chosen, ...doerFields })
  .refine(some, needsOne)
  .refine(
    ({ assigneeId, contactId, doneBy, dueOn }) => Boolean(assigneeId ?? contactId ?? (doneBy || dueOn)),
    {
      path: ['doneBy'],
      message: 'doer_required',
      when: () => true,
    },
  )
  .meta({ id: 'HandOverRequest' })

const MergeTickedRequest = z.object(chosen).refine(some, needsOne).meta({ id: 'MergeTickedRequest' })

const cosmetic = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)

/** `section` from row `skip` on; the rest is for the page: what is ticked, and what was just done. */
const DeskQuery = z.object({
  ...deskPlace,
  ticked: cosmetic(z.enum(deskSections)),
  did: cosmetic(z.enum(bulkActions)),
  n: cosmetic(small),
  left: cosmetic(small),
})

const deskForms = ['seen', 'acknowledge', 'assign', 'inHand'] as const

/** The page of a refused form; a button of its own says in which of the desk's forms it stands. */
const formCalled = (name: (typeof deskForms)[number]) => ({
  view: 'incidents/desk',
  name: (ctx: Context) => deskForms.find((each) => each === typedIn(ctx).form) ?? name,
  load: (ctx: Context) => deskPage(ctx, deskPlaceShown.parse(typedIn(ctx))),
})

/** The desk: everything that needs a person now, with the next action on each row. */
export const deskRoutes = [
  route({
    method: 'get',
    paths: both('/admin'),
    summary: 'What needs the attention of staff now.',
    permission: 'office.read',
    query: DeskQuery,
    answer: DeskJson,
    handle: async ({ ctx, query }) => {
      const data = await deskShown(ctx, query)
      const last = lastPage(data, query)
      if (last !== null && representationOf(ctx) !== 'json')
        return { location: deskUrl({ ...query, skip: last }) }
      return { data, view: 'incidents/desk', extras: () => deskExtras(ctx, data, query) }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/acknowledge'),
    summary: 'Acknowledges several incidents.',
    permission: 'incident.edit',
    throttle: 'writes',
    body: AcknowledgeRequest,
    answer: ManyJson,
    form: formCalled('acknowledge'),
    handle: async ({ body: { ids, only, onAsset, ...place }, actor }) => {
      const words = (await propertyText()).desk.acknowledgedEntry
      const data = await acknowledgeIncidents(actor, only ? [only] : ids, words, config.slaTargets)
      if (onAsset) return { data, location: `/assets/${onAsset}`, notice: 'confirmed' }
      return { data, location: backToDesk('acknowledged', data, place) }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/seen'),
    summary: 'Marks incidents with unread replies as read.',
    permission: 'incident.edit',
    throttle: 'writes',
    body: SeenRequest,
    answer: ManyJson,
    form: formCalled('seen'),
    handle: async ({ body: { ids, only, upTo, ...place }, actor }) => {
      const data = await markSeen(actor, only ? [only] : ids, upTo ?? null)
      return { data, location: backToDesk('seen', data, place) }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/assign'),
    summary: 'Assigns incidents to an asset or a unit.',
    permission: 'incident.edit',
    throttle: 'writes',
    body: AssignRequest,
    answer: ManyJson,
    form: formCalled('assign'),
    handle: async ({ body: { ids, only, assetId, unitId, ...shown }, actor }) => {
      const place = assetId ? { assetId } : { unitId: unitId! }
      const data = await assignIncidents(actor, only ? [only] : ids, place)
      return { data, location: backToDesk('assigned', data, shown) }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/hand-over'),
    summary: 'Sets the assignee and the due date of incidents.',
    permission: 'incident.edit',
    throttle: 'writes',
    body: HandOverRequest,
    answer: ManyJson,
    form: formCalled('inHand'),
    handle: async ({ body: { ids, only, rows, section, skip, ...given }, actor }) => {
      const doer = doerFrom(given)
      const data = await handOverIncidents(actor, only ? [only] : ids, {
        ...doer,
        dueOn: doer.dueOn ?? undefined,
      })
      return { data, location: backToDesk('handedOver', data, { rows, section, skip }) }
    },
  }),

  route({
    method: 'post',
    paths: both('/admin/merge/preview'),
    summary: 'Previews merging incidents into the oldest open one of their place. Nothing is saved.',
    permission: 'incident.merge',
    body: MergeTickedRequest,
    answer: MergePreviewJson,
    form: formCalled('acknowledge'),
    handle: async ({ body: { ids, only, rows = '', section, skip }, actor }) => {
      const ticked = [...new Set(only ? [only] : ids)]
      const survivorId = await suggestedSurvivor(ticked)
      if (survivorId === null) throw new ValidationFailed({ ids: ['merge_one_place'] })
      const duplicateIds = ticked.filter((each) => each !== survivorId)
      if (duplicateIds.length === 0) throw new ValidationFailed({ ids: ['merge_no_survivor'] })
      const preview = await previewMerges(actor, duplicateIds, survivorId, config.slaTargets)
      return mergeConfirmation(preview, {
        action: `/incidents/${survivorId}/duplicates`,
        fields: [
          ...duplicateIds.map((each): [string, string] => ['duplicateIds[]', String(each)]),
          ['desk', 'true'],
          ['rows', rows],
          ...(section
            ? [['section', section] as [string, string], ['skip', String(skip ?? 0)] as [string, string]]
            : []),
        ],
        back: deskUrl(
          { section, skip },
          rows.split(',').find((row) => row.endsWith(`-${ticked[0]}`)),
        ),
      })
    },
  }),
]
