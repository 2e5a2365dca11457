import { endFollowing } from '../../notifications/follow/followers.js'
import { change } from '../../platform/db/change.js'
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
 * Stops following; no effect when not following. Of a merged duplicate, following the survivor ends
 * as well if only the merge brought it. Throws NotFound.
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
