import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { migrate, pendingMigrations, unmigrate } from '../../../src/platform/db/migrations/migrate.js'
import { schemaDocument } from '../../../src/platform/db/migrations/schema.js'
import { eventNames } from '../../../src/vocabulary/events.js'
import { sources, statuses } from '../../../src/vocabulary/lifecycle.js'
import { roles } from '../../../src/vocabulary/people/permissions.js'
import { severities } from '../../../src/vocabulary/severity.js'
import { readCheckout } from '../../support/compiled.js'
import { useDatabase } from '../../support/database.js'
import { insertRow, scalar } from '../../support/rows.js'
import { itInWholeRun } from '../../support/run/extent.js'

useDatabase({ empty: true })

describe('migrations', () => {
  it('make the schema of the document, go back to nothing, and make it again', async () => {
    const document = readCheckout('migrations/schema.sql')
    expect(await pendingMigrations()).toBeGreaterThan(0)
    expect((await migrate()).length).toBeGreaterThan(0)
    expect(await schemaDocument()).toBe(document)
    await unmigrate()
    expect(
      await query(
        `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
           and relname not like 'migrations%'`,
      ),
    ).toEqual([])
    await migrate()
    expect(await schemaDocument()).toBe(document)
    expect(await pendingMigrations()).toBe(0)
  })

  itInWholeRun('run once when several processes begin together', async () => {
    await unmigrate()
    const ran = await Promise.all([migrate(), migrate(), migrate()])
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1)
  })

  it('go on after one was killed and left knex’s lock behind', async () => {
    await query('update migrations_lock set is_locked = 1')
    expect(await migrate()).toEqual([])
  })

  it.each<[string, string, readonly string[]]>([
    ['users', 'role', roles],
    ['webhook_subscriptions', 'events', eventNames],
    ['incidents', 'status', statuses],
    ['incident_updates', 'new_status', statuses],
    ['incidents', 'severity', severities],
    ['incidents', 'source', sources],
  ])('take the words the rules have, and no others: %s.%s', async (table, column, words) => {
    expect(
      [
        ...(
          await scalar<string>(
            'select pg_get_constraintdef(oid) as text from pg_constraint where conname = $1',
            [`${table}_${column}_check`],
          )
        ).matchAll(/'([^']+)'::text/g),
      ]
        .map(([, word]) => word)
        .sort(),
    ).toEqual(words.toSorted())
  })

  it('make the Mobile Reporter, a person who is not staff', async () => {
    expect(
      await query(`select name, role, password_hash, active from users where is_mobile_reporter`),
    ).toEqual([{ name: 'Mobile Reporter', role: 'resident', passwordHash: null, active: true }])
  })

  it('keep every moment in UTC-aware columns', async () => {
    const bare = await query(
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and data_type = 'timestamp without time zone'`,
    )
    expect(bare).toEqual([])
  })
})

describe('below the application the database', () => {
  const incident = (columns: Record<string, unknown>) =>
    insertRow('incidents', { title: 'x', severity: 'low', source: 'web', asset_id: 1, ...columns })

  it('is given a building', async () => {
    await query(`insert into towers (id, name) values (1, 'T')`)
    await query(`insert into assets (id, tower_id, name, category) values (1, 1, 'Lift', 'Lift')`)
    await query(`insert into units (id, tower_id, number, floor) values (1, 1, '1', 1)`)
    expect(await incident({})).toMatchObject({ assetId: 1 })
    expect(await incident({ source: 'email', asset_id: null })).toMatchObject({ source: 'email' })
  })

  const later = new Date(Date.now() + 3_600_000)
  it.each([
    ['neither asset nor unit, unless by email', { asset_id: null }],
    ['both', { unit_id: 1 }],
    ['both, even by email', { source: 'email', unit_id: 1 }],
    ['an unknown status', { status: 'closed' }],
    ['an unknown severity', { severity: 'urgent' }],
    ['an unknown source', { source: 'fax' }],
    ['an empty title', { title: '' }],
    ['a title of 201', { title: 'x'.repeat(201) }],
    ['downtime of a unit', { asset_id: null, unit_id: 1, is_downtime: true }],
    ['resolved without a stamp', { status: 'resolved', acknowledged_at: later }],
    ['a stamp without resolved', { resolved_at: later }],
    ['past open without acknowledgement', { status: 'in_progress' }],
    ['verified without a stamp', { status: 'verified', acknowledged_at: later, resolved_at: later }],
    ['acknowledged before it was reported', { status: 'acknowledged', acknowledged_at: new Date(0) }],
    ['breached without a moment', { sla_breached: true }],
    ['merged but not closed out', { merged_into_id: 1 }],
  ])('refuses %s', async (_what, columns) => {
    await expect(incident(columns)).rejects.toMatchObject({ code: '23514' })
  })

  it('refuses a merge into itself and into what was merged', async () => {
    const closed = { status: 'verified', acknowledged_at: later, resolved_at: later, verified_at: later }
    const survivor = await incident({})
    const duplicate = await incident({ ...closed, merged_into_id: survivor.id })
    await expect(incident({ ...closed, merged_into_id: duplicate.id })).rejects.toMatchObject({
      code: '23514',
    })
    await expect(
      query('update incidents set merged_into_id = id where id = $1', [duplicate.id]),
    ).rejects.toMatchObject({ code: '23514' })
  })

  it.each([
    ['an asset with incidents', 'delete from assets where id = 1'],
    ['a tower with assets', 'delete from towers where id = 1'],
    [
      'an incident others were merged into',
      'delete from incidents where id in (select merged_into_id from incidents)',
    ],
  ])('does not let %s be deleted', async (_what, sql) => {
    await expect(query(sql)).rejects.toMatchObject({ code: expect.stringMatching(/^(23503|23001)$/) })
  })

  it.each([
    ['update', `update audit_entries set actor_name = 'x'`],
    ['delete', 'delete from audit_entries'],
    ['truncate', 'truncate audit_entries'],
    ['truncate by cascade', 'truncate users cascade'],
  ])('refuses to %s the audit log', async (_what, sql) => {
    await query(
      `insert into audit_entries (actor_type, actor_name, action, entity, via, affects_status)
       values ('system', 'S', 'a.b', 'a', 'cli', false)`,
    )
    await expect(query(sql)).rejects.toMatchObject({ code: '42501' })
  })

  it('keeps who acted: a user with entries cannot be deleted', async () => {
    await query(
      `insert into audit_entries (actor_type, actor_id, actor_name, action, entity, via, affects_status)
       select 'user', id, name, 'a.b', 'a', 'cli', false from users limit 1`,
    )
    await expect(query('delete from users')).rejects.toMatchObject({
      code: expect.stringMatching(/^(23503|23001)$/),
    })
  })

  it('knows an address once, whatever its case', async () => {
    await query(`insert into users (name, email, role) values ('A', 'a@example.com', 'resident')`)
    await expect(
      query(`insert into users (name, email, role) values ('B', 'A@Example.com', 'resident')`),
    ).rejects.toMatchObject({ code: '23505' })
  })
})
