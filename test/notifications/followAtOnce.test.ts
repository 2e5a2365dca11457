import { expect, it } from 'vitest'
import { followIncident } from '../../src/incidents/acts/followIncident.js'
import { change } from '../../src/platform/db/change.js'
import { query } from '../../src/platform/db/database.js'
import { Conflict } from '../../src/vocabulary/conflict.js'
import type { Actor } from '../../src/vocabulary/people/actor.js'
import type { Role } from '../../src/vocabulary/people/permissions.js'
import { useDatabase } from '../support/database.js'
import { scalar } from '../support/rows.js'

useDatabase()

async function report(): Promise<number> {
  return scalar<number>(
    `insert into incidents (title, severity, source, asset_id) values ('Dark', 'low', 'web', 1) returning id`,
  )
}

/** Resolves when somebody waits for a row that another transaction holds. */
async function somebodyWaits(): Promise<string> {
  while ((await query('select from pg_locks where not granted')).length === 0);
  return 'waits'
}

it('whoever follows while an incident is being merged is told where it went, and follows nothing that is silent', async () => {
  const [user] = await query<{ id: number; name: string; role: Role }>(
    `select id, name, role from users where email = 'manager@example.com'`,
  )
  const person: Actor = { ...user!, type: 'user', via: 'web' }
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
    expect(await Promise.race([following, somebodyWaits()])).toBe('waits')
    await c.query(
      `update incidents set merged_into_id = $2, status = 'verified', acknowledged_at = $3,
      resolved_at = $3, verified_at = $3 where id = $1`,
      [duplicate, survivor, c.now],
    )
    c.audit('incident.merged', duplicate)
  })
  expect(await following).toBe('is told')
  expect(await query('select from followers where incident_id = $1', [duplicate])).toEqual([])
})
