import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { envText } from '../../../src/operations/envFile.js'
import { query } from '../../../src/platform/db/database.js'
import { s3Store } from '../../../src/platform/photos/s3Store.js'
import { built, checkout } from '../../support/compiled.js'
import { inDatabase, useDatabase } from '../../support/database.js'
import { keys } from '../../support/keys.js'
import { type S3Server, s3EnvironmentAt, s3SettingsAt, startS3 } from '../../support/photos/s3Server.js'
import { runJobProcess } from '../../support/process.js'
import { itInWholeRun, perRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'

const database = useDatabase()
const folder = newFolder()
let store: S3Server
beforeAll(async () => {
  store = await startS3()
})
afterAll(() => store?.stop())

const env = () => ({ ...keys, DATABASE_URL: database(), DATA_DIR: path.join(folder, 'data') })
const backup = (...args: string[]) => runJobProcess('backup', env(), '--without-photos', ...args)
const dated = (day: number) => `caretaker-2020-01-${String(day).padStart(2, '0')}T031500Z.tar.gz`

describe('npm run backup', () => {
  it('gives an archive in a folder a dated name, and keeps the newest of those it named', async () => {
    const kept = path.join(folder, 'kept')
    mkdirSync(kept)
    await query(`delete from job_runs where job = 'backup'`)
    for (const name of [dated(1), dated(2), 'caretaker-by-hand.tar.gz', 'notes.txt'])
      writeFileSync(path.join(kept, name), '')
    const made = await backup('--keep', '2', kept)
    expect(made).toMatchObject({
      backup: expect.stringMatching(/\/caretaker-20\d\d-[\dT-]+Z\.tar\.gz$/),
      removed: [dated(1)],
    })
    expect(readdirSync(kept).sort()).toEqual(
      [path.basename(String(made.backup)), 'caretaker-by-hand.tar.gz', dated(2), 'notes.txt'].sort(),
    )
    // A monitor sees when the last one succeeded.
    await expect(backup('--keep', '2', path.join(folder, 'no', 'such.tar.gz'))).rejects.toThrow()
    const runs = await query(
      `select error is null as succeeded from job_runs where job = 'backup' order by id`,
    )
    expect(runs).toEqual([{ succeeded: true }, { succeeded: false }])
  })

  it('moves the archive into the bucket, where it keeps the newest, and leaves none behind', async () => {
    const passing = path.join(folder, 'passing')
    mkdirSync(passing)
    const s3 = { ...env(), ...s3EnvironmentAt(store.endpoint), PHOTO_STORE: 'local' }
    const run = () => runJobProcess('backup', s3, '--without-photos', '--to', 's3', '--keep', '1', passing)
    const first = await run()
    expect(first).toMatchObject({
      backup: expect.stringMatching(/^s3:\/\/.+\/backups\/caretaker-.+Z\.tar\.gz$/),
      removed: [],
    })
    // The names are of a second.
    await new Promise((resolve) => setTimeout(resolve, 1_000 - (Date.now() % 1_000)))
    expect(await run()).toMatchObject({ removed: [path.basename(String(first.backup))] })
    expect(readdirSync(passing)).toEqual([])
    // Photos of the same bucket are another folder's.
    await s3Store(s3SettingsAt(store.endpoint)).check()
  })

  const refused: [string[], RegExp][] = [
    [['--keep', '0', '.'], /--keep: how many/],
    [['--keep', '3', '-'], /not standard output/],
    [['--to', 'tape', '.'], /--to: s3/],
    [['--to', 's3', '.'], /set S3_BUCKET/],
  ]
  it.each(perRun({ quick: { every: 4 }, whole: refused }))('refuses %j in words', async (args, words) => {
    await expect(backup(...args)).rejects.toThrow(words)
  })
})

const canDrill =
  process.getuid?.() === 0 && ['/usr/bin/psql', '/usr/bin/setpriv'].every((file) => existsSync(file))

describe.runIf(canDrill)('docs/deploy/restore-drill', () => {
  const drill = async (archive: string) => {
    const owner = new URL(inDatabase(inject('ownerUrl'), new URL(database()).pathname.slice(1)))
    const settings = mkdtempSync(path.join(folder, 'settings-'))
    writeFileSync(
      path.join(settings, 'caretaker.env'),
      envText('test', { ...keys, DATABASE_URL: database() }),
    )
    writeFileSync(
      path.join(settings, 'caretaker.owner.env'),
      envText('test', { MIGRATION_DATABASE_URL: owner.href, PUBLIC_URL: 'https://status.example' }),
    )
    return promisify(execFile)('sh', [path.join(checkout, 'docs/deploy/restore-drill'), archive], {
      env: {
        PATH: process.env.PATH ?? '',
        CARETAKER_CODE: path.dirname(await built()),
        CARETAKER_SETTINGS: settings,
        CARETAKER_USER: 'root',
        CARETAKER_PSQL: `psql -h ${owner.hostname} -p ${owner.port} -U ${owner.username}`,
        PGPASSWORD: owner.password,
      },
    })
  }
  const scratch = () => query(`select datname from pg_database where datname like 'caretaker_drill%'`)

  it('restores an archive into a database of its own, which it removes', async () => {
    const file = path.join(folder, 'drill.tar.gz')
    await backup(file)
    expect((await drill(file)).stdout).toMatch(/"sending":"paused"[\s\S]*can be restored: \d+ rows/)
    expect(await scratch()).toEqual([])
  })

  itInWholeRun('says that an archive is cut short, and removes its database', async () => {
    const file = path.join(folder, 'cut.tar.gz')
    writeFileSync(file, 'not an archive')
    await expect(drill(file)).rejects.toMatchObject({ stderr: expect.stringMatching(/damaged or cut short/) })
    expect(await scratch()).toEqual([])
  })
})
