import { change } from '../../change.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { refuseMerged } from '../../domain/incidents/lifecycle.js'
import { orNotFound } from '../../domain/system/validation.js'
import { Incident } from '../../models/incidents/incident.js'

/**
 * Follows an incident and counts the user as affected; following twice has no effect. Throws Conflict on a
 * merged duplicate (decision 6.4).
 */
export async function followIncident(actor: Actor, incidentId: number): Promise<void> {
  await change(actor, async (c) => {
    refuseMerged(orNotFound(await Incident.query(c.trx).findById(incidentId)))
    const added = await c.query(
      `insert into followers (incident_id, user_id, created_at, by_choice) values ($1, $2, $3, true)
       on conflict (incident_id, user_id) do update set by_choice = true where not followers.by_choice
       returning 1`,
      [incidentId, actor.id, c.now],
    )
    if (added.length === 0) return c.noop()
    c.audit('incident.followed', incidentId)
  })
}

/** Stops following; no effect when not following. Throws NotFound. */
export async function unfollowIncident(actor: Actor, incidentId: number): Promise<void> {
  await change(actor, async (c) => {
    orNotFound(await Incident.query(c.trx).findById(incidentId))
    const removed = await c.query(
      'delete from followers where incident_id = $1 and user_id = $2 returning 1',
      [incidentId, actor.id],
    )
    if (removed.length === 0) return c.noop()
    c.audit('incident.unfollowed', incidentId)
  })
}
