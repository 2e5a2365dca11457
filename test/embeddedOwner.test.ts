import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrateAs } from '../src/platform/db/migrate.js'
import {
  type EmbeddedServer,
  startEmbeddedPostgres,
  withMutex,
} from '../src/platform/postgres/embeddedPostgres.js'
import { findPostmaster } from '../src/platform/postgres/postmaster.js'
import { built } from './support/built.js'
import { asEarlierVersion, leaveRunning } from './support/embedded/earlierCluster.js'
import { ask, passableFolder, postmasterOf, removeFolder } from './support/embedded/embeddedUse.js'
import { inWholeRun, itInWholeRun } from './support/suite/extent.js'

const settings = { fsync: 'off' }
let folder = ''
let placement = {}
/** A data folder of an earlier version, migrated, with one entry in its audit log. */
let earlier = ''
const used = new Set<string>()
let copies = 0

async function start(dataDir: string, more: object = {}): Promise<EmbeddedServer> {
  return startEmbeddedPostgres({ dataDir, settings, ...placement, ...more })
}

async function copyOfEarlier(): Promise<string> {
  const dataDir = join(folder, `copy-${++copies}`)
  used.add(dataDir)
  await mkdir(dataDir)
  await cp(earlier, dataDir, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  return dataDir
}

const keptEntry = `insert into audit_entries (actor_type, actor_name, action, entity, via, affects_status)
  values ('system', 'Test', 'test.kept', 'test', 'cli', false)`

const owners = `
  select distinct pg_get_userbyid(relowner) as owner from pg_class where relnamespace = 'public'::regnamespace
  union select pg_get_userbyid(proowner) from pg_proc where pronamespace = 'public'::regnamespace
  union select pg_get_userbyid(datdba) from pg_database where datname = current_database()`

/** What a start of this version makes of the folder: everything the owner's, nothing lost, and the application at work. */
async function expectDivided(server: EmbeddedServer): Promise<void> {
  expect(await ask(server.ownerUrl, owners)).toEqual([{ owner: 'caretaker_owner' }])
  expect(await migrateAs(server.ownerUrl, server.url)).toEqual([])
  expect(await ask(server.url, 'select action from audit_entries')).toEqual([{ action: 'test.kept' }])
  await expect(ask(server.url, 'drop table audit_entries')).rejects.toMatchObject({ code: '42501' })
  await expect(ask(server.url, 'create temporary table audit_entries ()')).rejects.toMatchObject({
    code: '42501',
  })
  await expect(ask(server.url, 'create database more')).rejects.toMatchObject({ code: '42501' })
}

beforeAll(async () => {
  await built()
  folder = await passableFolder()
  const fallbacks = join(folder, 'fallbacks')
  await mkdir(fallbacks, { mode: 0o755 })
  placement = { fallbackRoots: [fallbacks] }
  earlier = join(folder, 'earlier')
  used.add(earlier)
  const server = await start(earlier)
  await migrateAs(server.ownerUrl, server.url)
  await ask(server.url, keptEntry)
  await server.stop()
  await asEarlierVersion(earlier, placement)
})

afterAll(() => removeFolder(folder, used))

/** A connection as a process of that version has it. */
async function useEarlier(dataDir: string): Promise<pg.Client> {
  const cluster = join(dataDir, 'postgres/cluster')
  const { port } = (await findPostmaster(await realpath(cluster)))!
  const password = await readFile(join(cluster, 'caretaker.password'), 'utf8')
  const client = new pg.Client(`postgres://caretaker:${password}@127.0.0.1:${port}/caretaker`)
  await client.connect()
  return client
}

/** Whether a process is at its start. */
async function isEntered(dataDir: string): Promise<boolean> {
  return withMutex(join(dataDir, 'postgres'), 0, async () => false).catch(() => true)
}

describe('a data folder of an earlier version', () => {
  it('gets an owner at its next start, once', async () => {
    const dataDir = await copyOfEarlier()
    const logged: string[] = []
    const server = await start(dataDir, { log: (message: string) => logged.push(message) })
    await expectDivided(server)
    await server.stop()
    const password = () => readFile(join(dataDir, 'postgres/cluster/caretaker_owner.password'), 'utf8')
    const before = await password()
    const again = await start(dataDir, { log: (message: string) => logged.push(message) })
    await expectDivided(again)
    await again.stop()
    expect([logged.length, await password()]).toEqual([1, before])
  })

  itInWholeRun('is left alone while a process of that version uses it', async () => {
    const dataDir = await copyOfEarlier()
    await leaveRunning(dataDir, placement)
    const left = await postmasterOf(dataDir)
    const user = await useEarlier(dataDir)
    await expect(start(dataDir)).rejects.toThrow('An earlier version of Caretaker is still running')
    await user.end()
    // Used by nobody, the server is replaced.
    const server = await start(dataDir)
    expect(await postmasterOf(dataDir)).not.toBe(left)
    await expectDivided(server)
    await server.stop()
  })

  itInWholeRun.each([0, 150, 500])(
    'is brought over by the next start when one was killed after %i ms',
    async (ms) => {
      const dataDir = await copyOfEarlier()
      const script = join(await built(), 'test/support/embedded/embeddedProcess.js')
      const options = JSON.stringify({ dataDir, settings, ...placement })
      const child = spawn(process.execPath, [script, options], { stdio: 'ignore', cwd: '/' })
      const ended = once(child, 'exit')
      while (!(await isEntered(dataDir))) await sleep(5)
      await sleep(ms)
      child.kill('SIGKILL')
      await ended
      const server = await start(dataDir)
      await expectDivided(server)
      await server.stop()
    },
  )
})

inWholeRun(() => {
  // Only root runs PostgreSQL as somebody else, to whom the files belong before and after.
  describe.runIf(process.getuid?.() === 0)('started by root without namespaces', () => {
    it('a data folder of an earlier version gets an owner, too', async () => {
      const dataDir = join(folder, 'spare')
      used.add(dataDir)
      const spare = { ...placement, userNamespaces: false }
      const before = await start(dataDir, spare)
      await migrateAs(before.ownerUrl, before.url)
      await ask(before.url, keptEntry)
      await before.stop()
      await asEarlierVersion(dataDir, spare)
      const folderOf = async () => stat(await realpath(join(dataDir, 'postgres/cluster')))
      const { uid } = await folderOf()
      const server = await start(dataDir, spare)
      await expectDivided(server)
      expect([uid > 0, (await folderOf()).uid]).toEqual([true, uid])
      await server.stop()
    })
  })
})
