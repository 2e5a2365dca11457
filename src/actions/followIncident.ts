import { change } from '../change.js'
import type { Actor } from '../domain/actor.js'
import { found } from '../domain/invalid.js'
import { refuseMerged } from '../domain/lifecycle.js'
import { Incident } from '../models/incident.js'

/** Follows an incident as this user; following twice is once. Throws Refused on a merged duplicate (decision 6.4). */
export async function followIncident(actor: Actor, incidentId: number): Promise<void> {
  await change(actor, async (c) => {
    refuseMerged(found(await Incident.query(c.trx).findById(incidentId)))
    const added = await c.query(
      'insert into followers (incident_id, user_id, created_at) values ($1, $2, $3) on conflict do nothing returning 1',
      [incidentId, actor.id, c.now],
    )
    if (added.length === 0) return c.unchanged()
    c.audit('incident.followed', incidentId)
  })
}

/** Stops following; not following already is fine. */
export async function unfollowIncident(actor: Actor, incidentId: number): Promise<void> {
  await change(actor, async (c) => {
    found(await Incident.query(c.trx).findById(incidentId))
    const removed = await c.query(
      'delete from followers where incident_id = $1 and user_id = $2 returning 1',
      [incidentId, actor.id],
    )
    if (removed.length === 0) return c.unchanged()
    c.audit('incident.unfollowed', incidentId)
  })
}
