import { z } from 'zod'
import { followIncident, unfollowIncident } from '../../actions/incidents/followIncident.js'
import { both } from '../../web/request/both.js'
import { noContent } from '../../web/route/answer.js'
import { noFields } from '../../web/route/fields.js'
import { routePair } from '../../web/route/pair.js'
import { route } from '../../web/route/route.js'

const FollowingJson = z.strictObject({ following: z.boolean() })

/** Follows and unfollows an incident (decision 6.4). */
export const followRoutes = [
  route({
    method: 'post',
    paths: both('/incidents/:id/follow'),
    summary: 'Follows an incident and counts you as affected.',
    permission: 'incident.follow',
    throttle: 'writes',
    body: noFields,
    answer: FollowingJson,
    handle: async ({ params: { id }, actor }) => {
      await followIncident(actor, id)
      return { data: { following: true }, location: `/incidents/${id}`, notice: 'following' }
    },
  }),

  ...routePair({
    method: 'delete',
    paths: '/api/incidents/:id/follow',
    fromForm: '/incidents/:id/unfollow',
    summary: 'Stops following an incident.',
    permission: 'incident.follow',
    throttle: 'writes',
    body: noFields,
    answer: noContent,
    handle: async ({ params: { id }, actor }) => {
      await unfollowIncident(actor, id)
      return { location: `/incidents/${id}`, notice: 'unfollowed' }
    },
  }),
]
