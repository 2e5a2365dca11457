import { describe, expect, it } from 'vitest'
import { databaseViews } from '../../../migrations/views.js'
import { query } from '../../../src/platform/db/database.js'
import { makeViews, pendingViews } from '../../../src/platform/db/migrations/databaseViews.js'
import { migrate, unmigrate } from '../../../src/platform/db/migrations/migrate.js'
import { withMigrationLock } from '../../../src/platform/db/migrations/migrationLock.js'
import { grantTo } from '../../../src/platform/db/migrations/roleRights.js'
import { useDatabase } from '../../support/database.js'
import { scalar } from '../../support/rows.js'

useDatabase({ empty: true })

/** Makes the views of this version and one more, as a release with it would. */
const release = (statement: string) =>
  withMigrationLock((knex) => makeViews(knex, [...databaseViews, { name: 'answer', statement }]))
const answer = async () => (await query('select * from answer'))[0]

const first = 'create or replace view answer as select 41 as a, is_staff(role) as b from users'
const wider = 'create or replace view answer as select 42 as a, is_staff(role) as b, id as c from users'

describe('the views of the database', () => {
  it('are pending until the release step has made them', async () => {
    expect(await pendingViews(query)).toBe(databaseViews.length)
    await migrate()
    expect(await pendingViews(query)).toBe(0)
  })

  it('are made again when their text has changed', async () => {
    await release(first)
    expect(await answer()).toEqual({ a: 41, b: false })
    await release(wider)
    expect(await answer()).toMatchObject({ a: 42, b: false })
  })

  it('stay when an earlier version with fewer columns is released again', async () => {
    await release(first)
    expect(await answer()).toMatchObject({ a: 42 })
  })

  it('end the release with a sentence when a new text lacks a column', async () => {
    await expect(release('create or replace view answer as select 1 as a')).rejects.toThrow(
      'The view or function answer can’t be replaced: ',
    )
    expect(await answer()).toMatchObject({ a: 42 })
  })

  it('are made again where the record names what is not there', async () => {
    await query('drop view answer')
    await release(wider)
    expect(await answer()).toMatchObject({ a: 42 })
  })

  it('are only read by the role that serves, who could change audit entries by them', async () => {
    const role = await scalar<string>(
      `select rolname::text from pg_roles where not rolsuper and not pg_has_role(rolname, current_user, 'MEMBER')
       and rolname !~ '^pg_' limit 1`,
    )
    await query(`grant update on answer to ${role}`)
    await grantTo(role, query)
    expect(
      await scalar<string>(
        `select string_agg(p, ' ' order by p) from unnest(array['DELETE', 'INSERT', 'SELECT', 'UPDATE']) p
         where has_table_privilege($1::name, 'answer', p)`,
        [role],
      ),
    ).toBe('SELECT')
  })

  it('are granted to a role by its whole name, whatever signs are in it', async () => {
    const role = `o'neil $$ 100%`
    const statements: string[] = []
    await grantTo(role, async (text, values) => {
      // Whether the role owns the audit log: there is no such role to ask the database about.
      if (values !== undefined) return query('select false as owns')
      if (text.trimStart().startsWith('select')) return query(text)
      statements.push(text)
      return []
    })
    expect(statements).toHaveLength(1)
    expect(statements[0]).toContain(`public.answer`)
    expect(statements[0]!.replaceAll(`"${role}"`, '')).not.toMatch(/'|\$|%|neil/)
  })

  it('go before the migrations that are taken back', async () => {
    await unmigrate()
    expect(await query(`select relname from pg_class where relname = 'answer'`)).toEqual([])
    await migrate()
    expect(await pendingViews(query)).toBe(0)
  })
})
