import { execFile, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { checkBackup } from '../../../src/operations/backup/restoreBackup.js'
import { startEmbeddedPostgres } from '../../../src/platform/postgres/embeddedPostgres.js'
import { checksums, contentsOf, restoreTargets } from '../../support/backup/targets.js'
import { compiledFile } from '../../support/compiled.js'
import { makePrivateBuilding, useDatabase } from '../../support/database.js'
import { keys } from '../../support/keys.js'
import { ask } from '../../support/postgres/embeddedUse.js'
import { runJobProcess } from '../../support/process.js'
import { itInWholeRun, perRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'

const database = useDatabase()
const folder = newFolder()
const target = restoreTargets(folder)
const patience = 180_000

describe('from the command line', () => {
  itInWholeRun(
    'a private building is backed up and moved to a database and a photo store of its own; the original sends nothing more',
    async () => {
      makePrivateBuilding(dataOf('private'))
      const file = path.join(folder, 'private.tar.gz')
      const taken = await runJobProcess('backup', { DATA_DIR: dataOf('private') }, file)
      expect(taken).toMatchObject({ backup: file, photos: { missing: 0 } })
      expect(
        await runJobProcess('restore', { DATA_DIR: dataOf('elsewhere') }, '--check', file),
      ).toMatchObject({
        checked: file,
        rows: taken.rows,
      })
      expect(readdirSync(dataOf('elsewhere'))).not.toContain('postgres')

      const into = await target({ empty: true })
      const moving = env(into.url, into.ownerUrl, 'private')
      expect(await runJobProcess('move', moving)).toMatchObject({ photos: taken.photos })
      expect(readdirSync(dataOf('private')).filter((name) => name.startsWith('moving'))).toEqual([])
      expect((await runJobProcess('sending', moving)).paused).toBeNull()
      expect((await runJobProcess('sending', { DATA_DIR: dataOf('private') })).paused).toMatchObject({
        why: 'moved',
      })
      await expect(runJobProcess('move', moving)).rejects.toThrow('has already been moved')
    },
    patience,
  )

  itInWholeRun(
    'nothing moves while Caretaker runs there, nor when it was started meanwhile: what it wrote would be lost',
    async () => {
      makePrivateBuilding(dataOf('running'))
      const into = await target()
      const moving = env(into.url, into.ownerUrl, 'running')
      const use = () => startEmbeddedPostgres({ dataDir: dataOf('running') })
      const first = await use()
      await expect(runJobProcess('move', moving)).rejects.toThrow('Caretaker is running on')
      expect(await contentsOf(into.url)).toMatchObject({ building: false })
      await first.stop()

      const other = new pg.Client({ connectionString: into.ownerUrl })
      await other.connect()
      await other.query('begin; lock table users in access share mode')
      const moved = runJobProcess('move', moving).catch(String)
      const stands = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      await expect.poll(async () => (await ask(into.ownerUrl, stands)).length, { timeout: 60_000 }).toBe(1)
      const second = await use()
      const entry = `insert into audit_entries (actor_type, actor_name, action, entity, via, affects_status, changes)
        values ('system', 'System', 'a.b', 'a', 'cli', false, '{}')`
      await ask(second.url, entry)
      await other.end()
      expect(await moved).toMatch(
        /was started on .* during the move, so audit entries are missing from the copy: 1/,
      )
      const why = 'select sending_paused_why as why from properties'
      expect(await ask(second.url, why)).toEqual([{ why: null }])
      expect(await ask(into.url, why)).toEqual([{ why: 'restored' }])

      const pause = `update properties set sending_paused_at = now(), sending_paused_why = 'by_hand'`
      await ask(second.url, pause)
      await second.stop()
      await expect(runJobProcess('move', moving)).rejects.toThrow(
        'Sending is paused for this building (by_hand)',
      )
    },
    patience,
  )

  itInWholeRun(
    'a restore that is killed leaves an empty database, into which the next one works',
    async () => {
      const file = path.join(folder, 'killed.tar.gz')
      const into = await target()
      const run = env(into.url, into.ownerUrl, 'killed')
      await runJobProcess(
        'backup',
        { ...run, DATABASE_URL: database(), MIGRATION_DATABASE_URL: '' },
        file,
        '--without-photos',
      )
      const other = new pg.Client({ connectionString: into.ownerUrl })
      await other.connect()
      await other.query('begin; lock table users in access share mode')
      const script = await compiledFile('jobs/restore.ts')
      const child = execFile(process.execPath, [script, file], { env: { PATH: process.env.PATH!, ...run } })
      const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
      const stands = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      await expect.poll(async () => (await ask(into.ownerUrl, stands)).length, { timeout: 60_000 }).toBe(1)
      child.kill('SIGKILL')
      expect(await ended).toBe('SIGKILL')
      await other.end()
      expect(await contentsOf(into.ownerUrl)).toMatchObject({ building: false })
      // The dead one's lock goes with its session, which the server ends when it next writes to it.
      await expect
        .poll(() => runJobProcess('restore', run, file).catch(String), { timeout: 120_000 })
        .toMatchObject({ sending: 'paused' })
      expect(await checksums(into.url)).toEqual(await checksums(database()))
      expect(await runJobProcess('sending', run, 'resume')).toMatchObject({ paused: null })
    },
    patience,
  )

  itInWholeRun('goes to standard output as it is, and not at all behind a heading of npm', async () => {
    const backup = async (silent: string[]) => {
      const child = spawn('npm', ['run', ...silent, 'backup', '--', '-', '--without-photos'], {
        cwd: npmFolder,
        env: { PATH: process.env.PATH!, HOME: folder, ...env(database(), '', 'piped') },
      })
      const [out, said] = await Promise.all([buffer(child.stdout), text(child.stderr)])
      return { out, said }
    }
    const npmFolder = dataOf('npm')
    mkdirSync(npmFolder)
    const script = `node ${await compiledFile('jobs/backup.ts')}`
    writeFileSync(path.join(npmFolder, 'package.json'), JSON.stringify({ scripts: { backup: script } }))
    const refused = await backup([])
    expect(refused.said).toContain('npm run --silent backup -- -\n')
    expect(refused.out.includes(Buffer.from([0x1f, 0x8b]))).toBe(false)
    const { out, said } = await backup(['--silent'])
    expect(JSON.parse(said)).toMatchObject({ backup: '-' })
    const file = path.join(folder, 'piped.tar.gz')
    writeFileSync(file, out)
    expect((await checkBackup(file)).manifest.tables.length).toBeGreaterThan(20)
  })

  it('says in a sentence what is wrong', async () => {
    const file = path.join(folder, 'x.tar.gz')
    writeFileSync(file, 'no archive')
    const run = env(database(), inject('ownerUrl'), 'wrong')
    const restore = promisify(execFile)(process.execPath, [await compiledFile('jobs/restore.ts'), file], {
      env: { PATH: process.env.PATH!, ...run },
    })
    await expect(restore).rejects.toMatchObject({
      code: 1,
      stderr: 'The file is no Caretaker backup, or is damaged or cut short.\n',
    })
    const wrong: [job: string, env: Record<string, string>, args: string[], says: string][] = [
      ['restore', run, [], 'Enter a file'],
      ['restore', run, [path.join(folder, 'none')], 'There is no file'],
      ['sending', run, ['maybe'], 'Use npm run sending'],
      ['move', { DATA_DIR: dataOf('nothing') }, [], 'DATABASE_URL'],
    ]
    for (const [job, settings, args, says] of perRun({ quick: [], whole: wrong }))
      await expect(runJobProcess(job, settings, ...args)).rejects.toThrow(says)
  })
})

function dataOf(name: string) {
  return path.join(folder, name)
}

function env(url: string, ownerUrl: string, data: string) {
  return {
    ...keys,
    DATABASE_URL: url,
    MIGRATION_DATABASE_URL: ownerUrl,
    DATA_DIR: dataOf(data),
  }
}
