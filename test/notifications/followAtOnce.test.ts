import { expect, it } from 'vitest'
import { followIncident } from '../../src/incidents/acts/followIncident.js'
import { change } from '../../src/platform/db/change.js'
import { query } from '../../src/platform/db/database.js'
import { Conflict } from '../../src/vocabulary/conflict.js'
import { useDatabase } from '../support/database.js'
import { actorOf } from '../support/house/acting.js'
import { report } from '../support/house/report.js'
import { count } from '../support/rows.js'

useDatabase()

it('whoever follows while an incident is being merged is told where it went, and follows nothing that is silent', async () => {
  const person = await actorOf('manager', { notified: true })
  const [duplicate, survivor] = [await report(), await report()]
  let following: Promise<string> | undefined
  await change(person, async (c) => {
    // As a merge does it: the row is locked, those who follow are copied, and
    // it points to its survivor.
    await c.query('select from incidents where id = $1 for no key update', [duplicate])
    following = followIncident(person, duplicate).then(
      () => 'follows',
      (error) => (error instanceof Conflict ? 'is told' : String(error)),
    )
    expect(await Promise.race([following, someoneWaits()])).toBe('waits')
    await c.query(
      `update incidents set merged_into_id = $2, status = 'verified', acknowledged_at = $3,
      resolved_at = $3, verified_at = $3 where id = $1`,
      [duplicate, survivor, c.now],
    )
    c.audit('incident.merged', duplicate)
  })
  expect(await following).toBe('is told')
  expect(await count('followers where incident_id = $1 and user_id = $2', [duplicate, person.id])).toBe(0)
})

/** Resolves when someone waits for a row that another transaction holds. */
async function someoneWaits(): Promise<string> {
  while ((await query('select from pg_locks where not granted')).length === 0);
  return 'waits'
}
