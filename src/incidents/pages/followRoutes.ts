import { z } from 'zod'
import { idempotently } from '../../platform/db/idempotently.js'
import { both } from '../../platform/http/paths.js'
import { noContent } from '../../platform/http/route/answerContent.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route, routePair } from '../../platform/http/route/route.js'
import { followIncident, unfollowIncident } from '../acts/followIncident.js'

const FollowingJson = z.strictObject({ following: z.boolean() })

/** Follows and unfollows an incident (decision 6.4). */
export const followRoutes = [
  route({
    method: 'post',
    paths: both('/incidents/:id/follow'),
    group: 'incidents',
    summary: 'Follows an incident and counts you as affected.',
    permission: 'incident.follow',
    throttle: 'writes',
    idempotent: true,
    body: emptyBody,
    answer: FollowingJson,
    handle: async ({ params: { id }, actor }) => {
      // A phone that was offline may send it again after the person has stopped following.
      await idempotently(actor, async () => {
        await followIncident(actor, id)
        return id
      })
      return { data: { following: true }, location: `/incidents/${id}`, notice: 'following' }
    },
  }),

  ...routePair({
    method: 'delete',
    paths: '/api/incidents/:id/follow',
    group: 'incidents',
    fromForm: '/incidents/:id/unfollow',
    summary: 'Stops following an incident.',
    permission: 'incident.follow',
    throttle: 'writes',
    body: emptyBody,
    answer: noContent,
    handle: async ({ params: { id }, actor }) => {
      await unfollowIncident(actor, id)
      return { location: `/incidents/${id}`, notice: 'unfollowed' }
    },
  }),
]
