import { z } from 'zod'
import { propertyText } from '../../../building/building.js'
import { both, returnPath, withQuery } from '../../../platform/http/paths.js'
import { representationOf } from '../../../platform/http/representation.js'
import { route } from '../../../platform/http/route/route.js'
import { NotFound } from '../../../vocabulary/validation.js'
import { acknowledgeIncidents, bulkNotice, markRead } from '../../acts/bulkActs.js'
import { deskExtras, deskForm, deskTab, lastPage } from './desk.js'
import { DeskJson } from './deskJson.js'
import {
  AcknowledgeRequest,
  bulkAct,
  deskCount,
  deskPlace,
  MarkReadRequest,
  newestReadOf,
  readFields,
  selectedIds,
} from './deskRequests.js'
import { backToDesk, bulkActions, type DeskView, deskUrl } from './deskUrl.js'

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
    ...bulkAct,
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
    ...bulkAct,
    paths: both('/admin/read'),
    group: 'desk',
    summary: 'Marks incidents with unread replies as read.',
    body: MarkReadRequest,
    form: deskForm,
    handle: async ({ body: { ids, only, upTo, upToNote, ...place }, actor }) => {
      const data = await markRead(actor, selectedIds({ ids, only }), newestReadOf({ upTo, upToNote }))
      return { data, location: backToDesk('read', data, place) }
    },
  }),

  route({
    ...bulkAct,
    paths: both('/incidents/:id/read'),
    group: 'incidents',
    summary: 'Marks the replies to an incident as read.',
    body: z.object({ returnTo: z.string('not_text').optional(), ...readFields }).meta({ id: 'ReadRequest' }),
    handle: async ({ params: { id: incidentId }, body: { returnTo, upTo, upToNote }, actor }) => {
      const data = await markRead(actor, [incidentId], newestReadOf({ upTo, upToNote }))
      if (data.skipped.some(({ code }) => code === 'not_found')) throw new NotFound()
      const back = returnPath(returnTo, `/incidents/${incidentId}`)
      const notice = data.done.length > 0 ? 'tap-read' : 'tap-newer'
      return { data, location: withQuery(back, { of: incidentId }), notice }
    },
  }),
]
