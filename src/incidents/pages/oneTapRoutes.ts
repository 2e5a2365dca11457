import { z } from 'zod'
import { both, returnPath, withQuery } from '../../platform/http/paths.js'
import { representationOf } from '../../platform/http/representation.js'
import { page } from '../../platform/http/route/answerContent.js'
import { route } from '../../platform/http/route/route.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import type { Permission } from '../../vocabulary/people/permissions.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { type OneTapAct, oneTapActs, performOneTap } from '../acts/oneTapActs.js'
import { Incident } from '../model/incident.js'
import { IncidentDetailJson } from '../model/json/incidentDetailJson.js'
import { findListedIncident } from '../model/listedIncidents.js'
import { detailOf } from './incidentPage.js'

/** `returnTo`: the page the button is on; its browser goes back there. */
const OneTapRequest = z.object({ returnTo: z.string('not_text').optional() }).meta({ id: 'OneTapRequest' })

/**
 * A button of its own for one act (decision 8.4). Pages never see an error: they say what someone
 * else was quicker with.
 */
function oneTap(act: OneTapAct, summary: string, permission: Permission = 'incident.setStatus') {
  return route({
    method: 'post',
    paths: both(`/incidents/:id/${act}`),
    group: 'incidents',
    summary,
    permission,
    throttle: 'writes',
    body: OneTapRequest,
    answer: IncidentDetailJson,
    handle: async ({ ctx, params: { id }, body: { returnTo }, actor, viewer }) => {
      const back = returnPath(returnTo, `/incidents/${id}`)
      try {
        await performOneTap(actor, id, act)
      } catch (error) {
        if (!(error instanceof Conflict)) throw error
        const { status, mergedIntoId } = orNotFound(await Incident.query().findById(id))
        const location = withQuery(back, { of: id, now: status })
        // A second tap changes nothing, and is no error.
        if (status === oneTapActs[act].to && mergedIntoId === null)
          return { data: () => detailOf(id, viewer), location, notice: 'tap-already' }
        if (representationOf(ctx) === 'json') throw error
        return { location, notice: noticeFor(error.code) }
      }
      return {
        data: () => detailOf(id, viewer),
        location: withQuery(back, { of: id }),
        notice: `tap-${act}`,
      }
    },
  })
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
  oneTap(
    'undo',
    'Undoes your confirmation, or one by staff for staff, within 10 minutes.',
    'incident.verify',
  ),

  route({
    method: 'get',
    paths: '/admin/confirm/:id',
    summary: 'Asks staff whether an incident is fixed before it is closed.',
    permission: 'incident.setStatus',
    query: OneTapRequest,
    answer: page,
    handle: async ({ params: { id }, query: { returnTo } }) => {
      const incident = orNotFound(await findListedIncident(id))
      refuseMerged(incident)
      const back = returnPath(returnTo, `/incidents/${id}`)
      const { title, status } = incident
      if (status !== 'resolved')
        return { location: withQuery(back, { of: id, now: status }), notice: 'tap-already' }
      return { view: 'incidents/desk/confirm', extras: { incident: { id, title }, back } }
    },
  }),
]
