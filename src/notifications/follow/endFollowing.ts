import type { Change } from '../../platform/db/change.js'

/**
 * Ends what the actor follows of these, and remembers it: acting on them does not follow again
 * (decision 7.2). Returns the ids that were followed.
 */
export async function endFollowing(c: Change, incidentIds: readonly number[]): Promise<number[]> {
  // Waits for whoever acts on the incidents: an act that began before must not follow after this.
  await c.query('select from incidents where id = any ($1) order by id for share', [incidentIds])
  const rows = await c.query<{ id: number }>(
    `with ended as (
       delete from followers where incident_id = any ($1) and user_id = $2 returning incident_id
     ), remembered as (
       insert into unfollows (incident_id, user_id, created_at) select incident_id, $2, $3 from ended
       on conflict do nothing
     ) select incident_id as id from ended order by 1`,
    [incidentIds, c.actor.id, c.now],
  )
  return rows.map(({ id }) => id)
}
