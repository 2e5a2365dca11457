import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrations } from '../../migrations/index.js'
import { query } from '../../src/platform/db/database.js'
import { grantTo, ownsAudit } from '../../src/platform/db/migrations/roleRights.js'
import { asOwner, dropDatabase, inDatabase } from '../support/database.js'
import { useHouse } from '../support/house/house.js'
import { keys } from '../support/keys.js'
import { ask } from '../support/postgres/embeddedUse.js'
import { runJobProcess, startCaretaker, startWorker } from '../support/process.js'
import { itInWholeRun } from '../support/run/extent.js'
import { newFolder } from '../support/run/folders.js'

const house = useHouse()

describe('the role that serves', () => {
  it.each([
    'drop table audit_entries',
    'drop table audit_entries cascade',
    'alter table audit_entries disable trigger all',
    'alter table audit_entries disable trigger audit_entries_no_change',
    'alter table audit_entries rename to kept',
    'alter table audit_entries owner to caretaker',
    'alter table audit_entries add column more text',
    'drop trigger audit_entries_no_change on audit_entries',
    'create trigger more before insert on audit_entries for each row execute function audit_is_append_only()',
    'create rule more as on insert to audit_entries do instead nothing',
    'truncate audit_entries',
    'truncate users cascade',
    `update audit_entries set actor_name = 'x'`,
    'delete from audit_entries',
    `insert into audit_entries select * from audit_entries on conflict (id) do update set actor_name = 'x'`,
    'select * from audit_entries for update',
    `merge into audit_entries a using users u on a.actor_id = u.id when matched then delete`,
    `create or replace function audit_is_append_only() returns trigger language plpgsql as 'begin return null; end'`,
    'drop function audit_is_append_only() cascade',
    'create schema caretaker',
    'set session_replication_role = replica',
    `delete from migrations`,
    `update migrations_lock set is_locked = 1`,
    `select setval('audit_entries_id_seq', 1)`,
  ])('is refused: %s', async (statement) => {
    await expect(query(statement)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|428C9)$/) })
  })

  it('owns nothing, and has the same rights on every table but for the audit log and the bookkeeping of migrations', async () => {
    // Not an error in PostgreSQL, but a warning that nothing was granted.
    await query('grant delete on audit_entries to public')
    const rows = await query<{ name: string; rights: string; owner: string }>(
      `select relname as name, pg_get_userbyid(relowner) as owner, string_agg(p, ' ' order by p) as rights
       from pg_class, unnest(array['DELETE', 'INSERT', 'REFERENCES', 'SELECT', 'TRIGGER', 'TRUNCATE', 'UPDATE']) p
       where relnamespace = 'public'::regnamespace and relkind = 'r' and has_table_privilege(oid, p)
       group by relname, relowner`,
    )
    expect(rows.length).toBeGreaterThan(20)
    const special: Record<string, string> = {
      audit_entries: 'INSERT SELECT',
      migrations: 'SELECT',
      database_views: 'SELECT',
    }
    for (const { name, rights, owner } of rows) {
      expect([name, owner]).toEqual([name, 'caretaker_owner'])
      expect([name, rights]).toEqual([name, special[name] ?? 'DELETE INSERT SELECT UPDATE'])
    }
    expect(await ownsAudit(query)).toBe(false)
  })
})

describe('a deployment with two roles', () => {
  const name = `two_${randomBytes(6).toString('hex')}`
  const ownerUrl = inDatabase(inject('ownerUrl'), name)
  const servingUrl = inDatabase(inject('databaseUrl'), name)
  const dataDir = newFolder()
  const env = { DATABASE_URL: servingUrl, DATA_DIR: dataDir, ...keys }
  const onTheWay = { ...env, MIGRATION_DATABASE_URL: ownerUrl }

  beforeAll(() => asOwner(`create database ${name}`))
  afterAll(() => dropDatabase(name))

  it('is migrated as the one and served as the other, in its release step', async () => {
    await expect(runJobProcess('migrate', env)).rejects.toThrow()
    expect(((await runJobProcess('migrate', onTheWay)).migrated as string[]).length).toBe(migrations.length)
    expect(await runJobProcess('migrate', onTheWay)).toEqual({ migrated: [] })
    const made = await runJobProcess(
      'admin',
      env,
      '--email',
      'owner@example.com',
      '--password',
      'a quiet rainy day',
    )
    expect(made).toMatchObject({ role: 'admin' })
    // The person, and the tower of a building that has none.
    expect(await ask(servingUrl, 'select actor_name from audit_entries')).toHaveLength(2)
    await expect(ask(servingUrl, 'delete from audit_entries')).rejects.toMatchObject({ code: '42501' })
  })

  itInWholeRun(
    'gives the serving role its rights on tables of later migrations, and takes back what is too much',
    async () => {
      await ask(
        ownerUrl,
        `create table later (id integer generated always as identity, at serial);
       grant all on audit_entries, later to caretaker; grant create on schema public to caretaker`,
      )
      await runJobProcess('migrate', onTheWay)
      await ask(servingUrl, 'insert into later default values')
      // From its first moment: the application of the version before goes on meanwhile.
      await ask(ownerUrl, 'create table latest (id integer generated always as identity, at serial)')
      await ask(servingUrl, 'insert into latest default values; update latest set at = 1; delete from latest')
      for (const statement of [
        'truncate later',
        'truncate latest',
        'truncate audit_entries',
        'create table more ()',
      ])
        await expect(ask(servingUrl, statement), statement).rejects.toMatchObject({ code: '42501' })
      await ask(ownerUrl, 'drop table later, latest')
    },
  )

  itInWholeRun('refuses two addresses of two databases', async () => {
    const elsewhere = { ...env, MIGRATION_DATABASE_URL: inDatabase(ownerUrl, 'postgres') }
    await expect(runJobProcess('migrate', elsewhere)).rejects.toThrow('must name the same database')
  })

  itInWholeRun(
    'says nothing of it, where one with a single role warns: in the log and to the office',
    async () => {
      const admin = { email: 'owner@example.com', password: 'a quiet rainy day' }
      const notes: [string, unknown, unknown][] = []
      for (const [who, url] of [
        ['two', servingUrl],
        ['one', ownerUrl],
      ] as const) {
        const server = await startCaretaker({ ...env, DATABASE_URL: url })
        const signedIn = await fetch(`${server.origin}/api/auth/sign-in/email`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(admin),
        })
        const cookie = signedIn.headers
          .getSetCookie()
          .map((each) => each.split(';')[0])
          .join('; ')
        const ready = async (headers: Record<string, string>) => {
          const answer = await fetch(`${server.origin}/readyz`, { headers })
          expect(answer.status).toBe(200)
          return ((await answer.json()) as { audit?: string }).audit
        }
        notes.push([who, await ready({ cookie }), await ready({})])
        expect(await server.end()).toBe(0)
        const warned = server.output().match(/"level":"warn".*audit log is owned by the serving role/g) ?? []
        expect([who, warned.length]).toEqual([who, who === 'one' ? 1 : 0])
      }
      expect(notes).toEqual([
        ['two', undefined, undefined],
        ['one', 'owned by the serving role', undefined],
      ])
      expect(await (await startWorker(env)).end()).toBe(0)
    },
  )

  it('leaves alone a role that owns the tables', async () => {
    const asked: string[] = []
    await grantTo('caretaker_owner', async (text) => {
      asked.push(text)
      return [{ owns: true }] as never
    })
    expect(asked).toHaveLength(1)
    expect(await house.json('guest', '/api/towers')).not.toEqual([])
  })
})
