import { z } from 'zod'
import { representationOf } from '../../platform/http/answer/respond.js'
import { both } from '../../platform/http/request/both.js'
import { returnPath, withQuery } from '../../platform/http/request/localPath.js'
import { page } from '../../platform/http/route/answer.js'
import { route } from '../../platform/http/route/route.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../incident.js'
import { IncidentDetailJson } from '../json.js'
import { detailOf } from '../page/page.js'
import { type OneTapAct, tap } from './oneTap.js'

/** `returnTo`: the page the button is on; its browser goes back there. */
const OneTapRequest = z.object({ returnTo: z.string('not_text').optional() }).meta({ id: 'OneTapRequest' })

/** A button of its own for one act (decision 8.4). Pages never see an error: they say what someone else was quicker with. */
function oneTap(act: OneTapAct, summary: string) {
  return route({
    method: 'post',
    paths: both(`/incidents/:id/${act}`),
    summary,
    permission: 'incident.setStatus',
    throttle: 'writes',
    body: OneTapRequest,
    answer: IncidentDetailJson,
    handle: async ({ ctx, params: { id }, body: { returnTo }, actor, viewer }) => {
      const back = returnPath(returnTo, `/incidents/${id}`)
      try {
        const done = await tap(actor, id, act)
        const data = await detailOf(id, viewer)
        const now = done ? {} : { now: data.status }
        return {
          data,
          location: withQuery(back, { of: id, ...now }),
          notice: done ? `tap-${act}` : 'tap-already',
        }
      } catch (error) {
        if (!(error instanceof Conflict) || representationOf(ctx) === 'json') throw error
        return { location: withQuery(back, await whatHappened(id)), notice: noticeFor(error.code) }
      }
    },
  })
}

async function whatHappened(id: number): Promise<Record<string, string | number>> {
  return { of: id, now: orNotFound(await Incident.query().findById(id)).status }
}

function noticeFor(code: Conflict['code']): string {
  if (code === 'incident_merged') return 'tap-merged'
  return code === 'undo_too_late' ? 'tap-tooLate' : 'tap-already'
}

/** What staff do to one incident without writing anything. */
export const oneTapRoutes = [
  oneTap('acknowledge', 'Acknowledges an open incident.'),
  oneTap('start', 'Sets an incident to in progress.'),
  oneTap('fixed', 'Marks an incident as fixed.'),
  oneTap('reopen', 'Sets an incident that was marked as fixed back to in progress.'),
  oneTap('confirm', 'Confirms that an incident is fixed. Can be undone for 10 minutes.'),
  oneTap('undo', 'Undoes a confirmation by staff within 10 minutes.'),

  route({
    method: 'get',
    paths: '/admin/confirm/:id',
    summary: 'Asks staff whether an incident is fixed before it is closed.',
    permission: 'incident.setStatus',
    query: OneTapRequest,
    answer: page,
    handle: async ({ params: { id }, query: { returnTo } }) => {
      const incident = orNotFound(await Incident.find(id))
      refuseMerged(incident)
      const back = returnPath(returnTo, `/incidents/${id}`)
      const { title, status } = incident
      if (status !== 'resolved')
        return { location: withQuery(back, { of: id, now: status }), notice: 'tap-already' }
      return { view: 'incidents/desk/confirm', extras: { incident: { id, title }, back } }
    },
  }),
]
