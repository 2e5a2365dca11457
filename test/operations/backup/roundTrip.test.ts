import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { type Migration, migrations } from '../../../migrations/index.js'
import { checkBackup, restoreBackup, type Target } from '../../../src/operations/backup/restoreBackup.js'
import { takeBackup } from '../../../src/operations/backup/takeBackup.js'
import { query } from '../../../src/platform/db/database.js'
import { migrateAs } from '../../../src/platform/db/migrations/migrate.js'
import { schemaDocument } from '../../../src/platform/db/migrations/schema.js'
import { closeDatabase, openDatabase } from '../../../src/platform/db/pools.js'
import { putPhoto } from '../../../src/platform/photos/photoFiles.js'
import { newPhotoPath } from '../../../src/platform/photos/photoPath.js'
import { config } from '../../../src/platform/process/config.js'
import { checksums, contentsOf, photosIn, restoreTargets } from '../../support/backup/targets.js'
import { asOwner, inDatabase, useDatabase } from '../../support/database.js'
import { ask } from '../../support/postgres/embeddedUse.js'
import { insertRow, scalar } from '../../support/rows.js'
import { itInWholeRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'

const database = useDatabase()
const folder = newFolder()
const target = restoreTargets(folder)
const photos = photosIn(config.photoDir)
let files = 0

describe('a backup, restored', () => {
  it('has every row of every table as it was, every photo, and the schema of its version', async () => {
    await addHostileRows()
    const before = await checksums(database())
    const file = newFile()
    const { ending } = await takeBackup(building(), file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const into = await target({ empty: true })
    await restore(into, file)
    expect(await checksums(into.url)).toEqual(before)
    expect(filesIn(into.photoDir)).toEqual(filesIn(config.photoDir))
    expect(ending.photos).toEqual({ kept: filesIn(config.photoDir).length / 2, missing: 0, deleted: 0 })
    const schema = await schemaDocument()
    await closeDatabase()
    openDatabase(into.url)
    expect(await schemaDocument()).toBe(schema)
    await closeDatabase()
    openDatabase(database())
  })

  it('carries every table, column and sequence but those that mean nothing elsewhere', async () => {
    const file = newFile()
    await takeBackup(building(), file)
    const { manifest, ending } = await checkBackup(file)
    const columns = await query<{ name: string }>(
      `select table_name || '.' || column_name as name
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'migrations%'
         and table_name <> 'database_views'`,
    )
    const carried = new Set(
      manifest.tables.flatMap(({ name, columns }) => columns.map((each) => `${name}.${each}`)),
    )
    expect(
      columns
        .map(({ name }) => name)
        .filter((name) => !carried.has(name))
        .sort(),
    ).toEqual([
      'audit_entries.transaction_id',
      'throttles.expire',
      'throttles.key',
      'throttles.points',
      'whole_emails.words',
    ])
    const sequences = await query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
         and relname not like 'migrations%'`,
    )
    expect(Object.keys(ending.sequences).sort()).toEqual(sequences.map(({ name }) => name).sort())
    const naming = await query<{ name: string }>(
      `select table_name as name
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'path'`,
    )
    expect(naming.map(({ name }) => name).sort()).toEqual(['held_email_photos', 'photos', 'staged_photos'])
  })

  itInWholeRun(
    'goes on where it was: the next number follows, the roles have their rights, the log can only grow',
    async () => {
      const file = newFile()
      await takeBackup(building(), file)
      const into = await target()
      await restore(into, file)
      const next = `insert into towers (name) values ('Next')
        returning nextval(pg_get_serial_sequence('incidents', 'id'))::integer as id`
      const [restored] = await ask<{ id: number }>(into.url, next)
      const last = await scalar<number>('select max(id) from incidents')
      expect(restored!.id).toBeGreaterThan(last)
      await expect(ask(into.url, 'delete from audit_entries')).rejects.toMatchObject({ code: '42501' })
      await expect(ask(into.ownerUrl, 'delete from audit_entries')).rejects.toMatchObject({ code: '42501' })
      await expect(ask(into.url, 'delete from assets')).rejects.toMatchObject({
        code: expect.stringMatching(/^(23503|23001)$/),
      })
      const entries = await ask<{ actor: string; via: string; changes: { backupOf: { after: string } } }>(
        into.url,
        `select actor_name as actor, via, changes from audit_entries where action = 'property.restored'`,
      )
      expect(entries).toEqual([
        { actor: 'System', via: 'cli', changes: expect.objectContaining({ backupOf: expect.anything() }) },
      ])
      const [{ foreign }] = (await ask(
        into.url,
        `select count(*)::integer as foreign from audit_entries
         where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())`,
      )) as [{ foreign: number }]
      expect(foreign).toBe(0)
    },
  )

  itInWholeRun('is of one moment, whatever is written meanwhile', async () => {
    await asOwner(
      `insert into audit_entries (actor_type, actor_name, action, entity, via, affects_status, changes)
       select 'system', 'S', 'a.b', 'a', 'cli', false, jsonb_build_object('x', repeat(md5(n::text), 20))
       from generate_series(1, 20000) n`,
      database(),
    )
    // One transaction each, into the first table that is read and into the last.
    let [writing, writes] = [true, 0]
    const writer = (async () => {
      for (; writing; writes++)
        await query(
          `with one as (
             insert into email_links (user_id, purpose, token_hash, expires_at)
             values (1, 'reset', sha256($1::text::bytea), now()) returning 1
           )
           insert into webhook_subscriptions (url, secret, events)
           select 'https://load.example/' || $1, 'load', '{}' from one`,
          [String(writes)],
        )
    })()
    const file = newFile()
    await expect.poll(() => writes).toBeGreaterThan(5)
    await takeBackup(building(), file)
    writing = false
    await writer
    const into = await target()
    await restore(into, file)
    const [found] = await ask<{ tokens: number; events: number }>(
      into.url,
      `select (select count(*)::integer from email_links where purpose = 'reset' and expires_at = created_at) as tokens,
         (select count(*)::integer from webhook_subscriptions where secret = 'load') as events`,
    )
    expect(found!.tokens).toBe(found!.events)
    expect(found!.events).toBeGreaterThan(0)
    expect(found!.events).toBeLessThan(writes)
  })
})

describe('photos', () => {
  it('that are lost are named, those deleted meanwhile are not, and the rest is kept', async () => {
    const [lost, deleted] = [newPhotoPath(), newPhotoPath()]
    for (const photo of [lost, deleted])
      await insertRow('staged_photos', { user_id: 1, path: photo, width: 1, height: 1, bytes: 1 })
    const forgetting = {
      ...photos,
      open: async (at: string) => {
        if (at === deleted) await query('delete from staged_photos where path = $1', [at])
        return photos.open(at)
      },
    }
    const { missing, ending } = await takeBackup({ url: database(), photos: forgetting }, newFile())
    expect(missing).toEqual([lost])
    expect(ending.photos).toMatchObject({ missing: 1, deleted: 1 })
    expect(ending.photos.kept).toBeGreaterThan(5)
    await query('delete from staged_photos')
  })

  it('in another store than this database’s are refused, and no file is left', async () => {
    const file = newFile()
    const empty = photosIn(path.join(folder, 'empty'))
    await expect(takeBackup({ url: database(), photos: empty }, file)).rejects.toThrow(
      /photos are missing from the photo store/,
    )
    expect(readdirSync(folder).filter((name) => name.startsWith(path.basename(file)))).toEqual([])
    const { ending } = await takeBackup({ url: database(), photos: null }, file)
    expect(ending.photos).toEqual({ kept: 0, missing: 0, deleted: 0 })
  })
})

/** A migration of the next version. */
const later: Migration = {
  name: '29991231000000_later',
  up: async (knex) => {
    await knex.raw(`alter table towers add column later text not null default 'yes'`)
  },
  down: async (knex) => {
    await knex.raw('alter table towers drop column later')
  },
}

/**
 * Works as the version after this one, with a database it only migrated, until `goBack` or the end.
 */
async function atLaterVersion(
  work: (into: Awaited<ReturnType<typeof target>>, goBack: () => void) => Promise<void>,
): Promise<void> {
  const list = migrations as Migration[]
  const goBack = () => {
    if (list.at(-1) === later) list.pop()
  }
  list.push(later)
  try {
    const into = await target()
    await closeDatabase()
    await migrateAs(into.ownerUrl, into.url)
    openDatabase(database())
    await work(into, goBack)
  } finally {
    goBack()
  }
}

describe('a restore', () => {
  itInWholeRun(
    'takes a database that was only migrated, also to a later version, and brings an older backup to it',
    async () => {
      const file = newFile()
      await takeBackup(building(), file)
      await atLaterVersion(async (into, goBack) => {
        await restore(into, file)
        expect(await ask(into.url, 'select distinct later from towers')).toEqual([{ later: 'yes' }])
        const newer = newFile()
        await takeBackup({ url: into.url, photos: null }, newer)
        goBack()
        const empty = await target({ empty: true })
        await expect(restore(empty, newer)).rejects.toThrow(/newer version of Caretaker \(\d/)
        expect(await contentsOf(empty.url)).toEqual({ tables: 0, building: false })
      })
    },
  )

  itInWholeRun(
    'of an older backup keeps the building’s id, and after a failure tables and rights of this version',
    async () => {
      const older = newFile()
      await takeBackup(building(), older)
      await atLaterVersion(async (into) => {
        const state = () =>
          ask(
            into.url,
            'select building_id, (select count(*) from towers where later is null) from building_identity',
          )
        const before = await state()
        const [{ building_id: id }] = before as [{ building_id: string }]
        // As a web process does that has served there, empty.
        await into.photos.claim(id)
        const failing = { ...into.photos, put: () => Promise.reject(new Error('no room')) }
        await expect(restore({ ...into, photos: failing }, older)).rejects.toThrow('no room')
        expect(await state()).toEqual(before)
        await restore(into, older)
        expect(await ask(into.url, 'select building_id from building_identity')).toEqual([
          { building_id: id },
        ])
      })
    },
  )

  it('leaves the views of this version, also where another version had made its own', async () => {
    const file = newFile()
    await takeBackup(building(), file)
    const into = await target()
    await ask(into.ownerUrl, `create or replace function is_staff(role text) returns boolean return false`)
    await ask(into.ownerUrl, `update database_views set digest = 'another' where name = 'is_staff'`)
    await restore(into, file)
    expect(await ask(into.url, `select is_staff('admin')`)).toEqual([{ is_staff: true }])
  })

  it('refuses a database with a building, with tables of others, or while another restore works', async () => {
    const file = newFile()
    await takeBackup(building(), file)
    const before = await checksums(database())
    const ownerUrl = inDatabase(inject('ownerUrl'), new URL(database()).pathname.slice(1))
    const full = { url: database(), ownerUrl, photos }
    await expect(restore(full, file)).rejects.toThrow('There is already a building')
    expect(await checksums(database())).toEqual(before)

    const other = await target({ empty: true })
    await ask(other.ownerUrl, 'create table theirs (id integer)')
    await expect(restore(other, file)).rejects.toThrow('The database contains tables of another')
    expect(await ask(other.ownerUrl, 'select * from theirs')).toEqual([])

    const twice = await target({ empty: true })
    const another = new pg.Client({ connectionString: twice.ownerUrl })
    await another.connect()
    await another.query('select pg_advisory_lock(726003)')
    await expect(restore(twice, file)).rejects.toThrow('Another restore')
    await another.end()
    expect(await contentsOf(twice.url)).toEqual({ tables: 0, building: false })
  })

  itInWholeRun('that breaks off leaves an empty database, into which the next one works', async () => {
    const file = newFile()
    await putPhoto(photos, newPhotoPath(), { photo: Buffer.from('a'), thumbnail: Buffer.from('b') })
    await takeBackup(building(), file)
    const into = await target()
    const killing = {
      ...into.photos,
      put: async () => {
        await asOwner(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = '${new URL(into.url).pathname.slice(1)}'`,
        )
      },
    }
    await expect(restore({ ...into, photos: killing }, file)).rejects.toThrow()
    expect(await contentsOf(into.ownerUrl)).toMatchObject({ building: false })
    await restore(into, file)
    expect(await checksums(into.url)).toEqual(await checksums(database()))
    rmSync(into.photoDir, { recursive: true, force: true })
  })
})

function building() {
  return { url: database(), photos }
}

function filesIn(dir: string) {
  return (readdirSync(dir, { recursive: true }) as string[]).filter((file) => file.endsWith('.jpg')).sort()
}

function newFile() {
  return path.join(folder, `${++files}.tar.gz`)
}

/** As the command line does, where no other database is open. */
async function restore(into: Target, file: string): Promise<void> {
  await closeDatabase()
  await restoreBackup(into, file).finally(() => openDatabase(database()))
}

/** Texts in which a careless dump would end a row, a column or a value. */
const hostile = [
  '\\N',
  '\\.',
  'a\tb',
  'a\nb',
  'a\r\nb',
  '\\',
  "''",
  '""',
  '\\x41',
  '',
  ' ',
  '🛗🇪🇸',
  '\u202eabc',
]

/** Rows with values that are hard to carry. */
async function addHostileRows(): Promise<void> {
  const words = [
    ...hostile,
    ...fc.sample(fc.string({ unit: 'grapheme', maxLength: 300 }), { numRuns: 200, seed: 11 }),
  ]
  await query(
    `insert into incident_updates (incident_id, author_id, body)
     select (select min(id) from incidents), 1, body from unnest($1::text[]) body`,
    [words.map((word) => word.replaceAll('\0', ''))],
  )
  // Their words are computed, and not carried.
  await query(
    `insert into whole_emails (incident_id, update_id, subject, text, received_at)
     select incident_id, id, 'Re: lift', body, created_at from incident_updates order by id desc limit 100`,
  )
  await insertRow('sessions', {
    id_hash: Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
    user_id: 1,
    epoch: 0,
    data: { 'a"b': ['	', null, 1e300] },
    user_agent: 'N	',
    expires_at: 'infinity',
  })
  const longAgo = '0044-03-15 BC'
  await insertRow('events', {
    event: 'x',
    incident_id: 1,
    fact: JSON.stringify(hostile),
    occurred_at: longAgo,
    created_at: longAgo,
  })
  await insertRow('events', {
    event: 'y',
    incident_id: 2,
    fact: '[1,  2]',
    occurred_at: 'infinity',
    created_at: '294276-12-31 23:59:59.999999Z',
  })
}
