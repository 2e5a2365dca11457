import { z } from 'zod'
import { endFollowing } from '../../notifications/follow/followers.js'
import { change } from '../../platform/db/change.js'
import { both } from '../../platform/http/paths.js'
import { noContent } from '../../platform/http/route/answerContent.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route, routePair } from '../../platform/http/route/route.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../model/incident.js'

/**
 * Follows an incident and counts the user as affected; following twice has no effect. Throws
 * Conflict on a merged duplicate (decision 6.4).
 */
export async function followIncident(actor: Actor, incidentId: number): Promise<void> {
  await change(actor, async (c) => {
    // Waits for a merge under way, which copies those who follow by then.
    refuseMerged(orNotFound(await Incident.query(c.trx).findById(incidentId).forShare()))
    const added = await c.query(
      `with forgotten as (delete from unfollows where incident_id = $1 and user_id = $2)
       insert into followers (incident_id, user_id, created_at, by_choice) values ($1, $2, $3, true)
       on conflict (incident_id, user_id) do update set by_choice = true where not followers.by_choice
       returning 1`,
      [incidentId, actor.id, c.now],
    )
    if (added.length === 0) return c.noop()
    c.audit('incident.followed', incidentId)
  })
}

/**
 * Stops following; no effect when not following. Of a merged duplicate it ends what the merge
 * brought, too: the survivor is followed on only by choice. Throws NotFound.
 */
export async function unfollowIncident(actor: Actor, incidentId: number): Promise<void> {
  await change(actor, async (c) => {
    orNotFound(await Incident.query(c.trx).findById(incidentId))
    const brought = await c.query<{ id: number }>(
      `select f.incident_id as id from incidents d join followers f on f.incident_id = d.merged_into_id
       where d.id = $1 and f.user_id = $2 and f.by_merge and not f.by_choice`,
      [incidentId, c.actor.id],
    )
    const removed = await endFollowing(c, [incidentId, ...brought.map(({ id }) => id)])
    if (removed.length === 0) return c.noop()
    c.audit('incident.unfollowed', incidentId)
  })
}

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
    body: emptyBody,
    answer: FollowingJson,
    handle: async ({ params: { id }, actor }) => {
      await followIncident(actor, id)
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
