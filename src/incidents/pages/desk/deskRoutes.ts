import { z } from 'zod'
import { Asset, propertyText, Unit } from '../../../building/building.js'
import type { Context } from '../../../platform/http/context.js'
import { enteredFields } from '../../../platform/http/enteredFields.js'
import { both, returnPath, withQuery } from '../../../platform/http/paths.js'
import { representationOf } from '../../../platform/http/representation.js'
import { page } from '../../../platform/http/route/answerContent.js'
import { route } from '../../../platform/http/route/route.js'
import { NotFound } from '../../../vocabulary/validation.js'
import { acknowledgeIncidents, bulkNotice, inSequence, markRead } from '../../acts/bulkActs.js'
import { patchIncident } from '../../acts/patchIncident.js'
import { Incident } from '../../model/incident.js'
import { BulkResultJson } from '../../model/json/bulkResultJson.js'
import { assigneeFrom, assigneeOptions, assigneeValue } from '../update/assigneeInput.js'
import { deskExtras, deskPage, deskTab, lastPage } from './desk.js'
import { DeskJson } from './deskJson.js'
import {
  AcknowledgeRequest,
  AssignRequest,
  type choiceViews,
  chosenIds,
  deskCount,
  deskPlace,
  deskPlaceShown,
  dueOnFrom,
  MarkReadRequest,
  PlaceRequest,
  readFields,
  readFrom,
  SelectionRequest,
  selectedIds,
} from './deskRequests.js'
import { backFromChoice, backToDesk, bulkActions, type DeskView, deskUrl } from './deskUrl.js'

const ignoredIfInvalid = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)

/** `tab` from row `skip` on. The rest is for the page: what is selected, and what was just done. */
const DeskQuery = z.object({
  ...deskPlace,
  select: ignoredIfInvalid(z.literal('all')),
  did: ignoredIfInvalid(z.enum(bulkActions)),
  n: ignoredIfInvalid(deskCount),
  left: ignoredIfInvalid(deskCount),
})

/** What an address of the desk shows. */
function viewOf({ did, n, left, ...view }: z.output<typeof DeskQuery>): DeskView {
  return { ...view, action: did, done: n, skipped: left }
}

/** The page of a refused form. */
export const deskForm = {
  view: 'incidents/desk',
  name: 'desk',
  load: (ctx: Context) => deskPage(ctx, deskPlaceShown.parse(enteredFields(ctx))),
}

type ChoiceView = (typeof choiceViews)[number]

const choiceForm = (view: ChoiceView) => ({
  view: `incidents/desk/${view}`,
  name: 'choice',
  load: (ctx: Context) => choicePage(ctx, view, chosenIds.catch([]).parse(enteredFields(ctx).ids)),
})

/** `ids` in an address: `3,5`. */
const ChoiceQuery = z.object({
  ids: z
    .string('not_text')
    .transform((text): unknown[] => text.split(','))
    .pipe(chosenIds),
  returnTo: z.string('not_text').optional(),
})

async function choicePage(
  ctx: Context,
  view: ChoiceView,
  ids: readonly number[],
  returnTo: unknown = enteredFields(ctx).returnTo,
): Promise<Record<string, unknown>> {
  const rows = await Incident.query().findByIds([...ids])
  const [first] = rows
  // A form without a report is shown again with that error; an address without one leads nowhere.
  if (!first && ctx.method === 'GET') throw new NotFound()
  const incidents = rows.map(({ id, title }) => ({ id, title }))
  const shared = { incidents, back: returnPath(returnTo, '/admin') }
  if (view === 'place') return { ...shared, assets: await Asset.inUse(), units: await Unit.all() }
  const alone = rows.length === 1 ? first! : null
  const now = {
    assignee: (alone && assigneeValue(alone)) ?? '',
    dueOn: alone?.dueOn ?? '',
    shownDueOn: alone?.dueOn ?? '',
  }
  return { ...shared, now, assignees: await assigneeOptions(ctx, alone?.assetId) }
}

const choiceRoute = (view: ChoiceView, summary: string) =>
  route({
    method: 'get',
    paths: `/admin/${view}`,
    summary,
    permission: 'incident.edit',
    query: ChoiceQuery,
    answer: page,
    handle: async ({ ctx, query: { ids, returnTo } }) => ({
      view: `incidents/desk/${view}`,
      extras: await choicePage(ctx, view, ids, returnTo),
    }),
  })

const bulk = {
  method: 'post',
  permission: 'incident.edit',
  throttle: 'writes',
  answer: BulkResultJson,
} as const

/** The desk: everything that needs a person now, with the next action on each row. */
export const deskRoutes = [
  route({
    method: 'get',
    paths: both('/admin'),
    group: 'desk',
    summary: 'What needs the attention of staff now.',
    permission: 'office.read',
    query: DeskQuery,
    answer: DeskJson,
    handle: async ({ ctx, query }) => {
      const view = viewOf(query)
      const data = await deskTab(ctx, view)
      if (representationOf(ctx) === 'json') return { data }
      if (data.tab === 'emails') return { location: '/admin/held-emails' }
      const last = lastPage(data, view)
      if (last !== null) return { location: deskUrl({ ...view, skip: last }) }
      return { data, view: 'incidents/desk', extras: () => deskExtras(ctx, data, view) }
    },
  }),

  route({
    ...bulk,
    paths: both('/admin/acknowledge'),
    group: 'desk',
    summary: 'Acknowledges several incidents.',
    body: AcknowledgeRequest,
    form: deskForm,
    handle: async ({ body: { ids, only, onAsset, ...place }, actor }) => {
      const words = (await propertyText()).desk.acknowledgedEntry
      const data = await acknowledgeIncidents(actor, selectedIds({ ids, only }), words)
      if (onAsset) return { data, location: `/assets/${onAsset}`, notice: bulkNotice(data, 'confirmed') }
      return { data, location: backToDesk('acknowledged', data, place) }
    },
  }),

  route({
    ...bulk,
    paths: both('/admin/read'),
    group: 'desk',
    summary: 'Marks incidents with unread replies as read.',
    body: MarkReadRequest,
    form: deskForm,
    handle: async ({ body: { ids, only, upTo, upToNote, ...place }, actor }) => {
      const data = await markRead(actor, selectedIds({ ids, only }), readFrom({ upTo, upToNote }))
      return { data, location: backToDesk('read', data, place) }
    },
  }),

  route({
    ...bulk,
    paths: both('/incidents/:id/read'),
    group: 'incidents',
    summary: 'Marks the replies to an incident as read.',
    body: z.object({ returnTo: z.string('not_text').optional(), ...readFields }).meta({ id: 'ReadRequest' }),
    handle: async ({ params: { id: incidentId }, body: { returnTo, upTo, upToNote }, actor }) => {
      const data = await markRead(actor, [incidentId], readFrom({ upTo, upToNote }))
      if (data.skipped.some(({ code }) => code === 'not_found')) throw new NotFound()
      const back = returnPath(returnTo, `/incidents/${incidentId}`)
      const notice = data.done.length > 0 ? 'tap-read' : 'tap-newer'
      return { data, location: withQuery(back, { of: incidentId }), notice }
    },
  }),

  route({
    ...bulk,
    paths: both('/admin/place'),
    group: 'desk',
    summary: 'Sets the asset or the unit that incidents are about.',
    body: PlaceRequest,
    form: choiceForm('place'),
    handle: async ({ body, actor }) => {
      const { assetId, unitId, returnTo, tab, skip } = body
      const place = assetId ? { assetId } : { unitId: unitId! }
      const data = await inSequence(selectedIds(body), (id) => patchIncident(actor, id, place))
      return { data, location: backFromChoice('placed', data, returnTo, { tab, skip }) }
    },
  }),

  choiceRoute('place', 'Asks which asset or unit incidents are about.'),
  choiceRoute('assign', 'Asks who deals with incidents, and until when.'),

  route({
    ...bulk,
    paths: both('/admin/assign'),
    group: 'desk',
    summary: 'Sets the assignee and the due date of incidents.',
    body: AssignRequest,
    form: choiceForm('assign'),
    handle: async ({ body, actor }) => {
      const { returnTo, tab, skip } = body
      const patch = { ...assigneeFrom(body), dueOn: dueOnFrom(body) }
      const data = await inSequence(selectedIds(body), (id) =>
        patchIncident(actor, id, patch, { onlyOpen: true }),
      )
      return { data, location: backFromChoice('assigned', data, returnTo, { tab, skip }) }
    },
  }),

  route({
    method: 'post',
    paths: '/admin/selection',
    summary: 'Leads from a selection on the desk to the page for it.',
    permission: 'incident.edit',
    body: SelectionRequest,
    answer: page,
    form: deskForm,
    handle: ({ body: { ids, only, to, tab, skip } }) => {
      const query = new URLSearchParams({
        ids: selectedIds({ ids, only }).join(','),
        returnTo: deskUrl({ tab, skip }),
      })
      return { location: `/admin/${to}?${query}` }
    },
  }),
]
