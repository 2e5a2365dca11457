import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { explainFolderError } from '../../../src/platform/postgres/dataFolder.js'
import {
  type EmbeddedServer,
  startEmbeddedPostgres,
} from '../../../src/platform/postgres/embeddedPostgres.js'
import { findServer } from '../../../src/platform/postgres/runningServer.js'
import { built, compiledFile } from '../../support/compiled.js'
import {
  ask,
  postmasterOf,
  removeFolder,
  smallCheckout,
  startEmbeddedProcess,
} from '../../support/postgres/embeddedUse.js'
import { eventually } from '../../support/run/eventually.js'
import { inWholeRun, itInWholeRun } from '../../support/run/extent.js'
import { newFolder } from '../../support/run/folders.js'
import { childrenOf, gone, runs, withoutProcesses } from '../../support/run/processes.js'

let folder = ''
let fallbacks = ''
let filled = ''

beforeAll(makeFolders)

afterAll(() => removeFolder(folder, used))

describe('a first start', () => {
  it('answers with a server of its own, durable and closed to others', async () => {
    const dataDir = newDataFolder()
    const server = await startEmbeddedPostgres({ dataDir })
    const settings = 'fsync full_page_writes synchronous_commit jit timezone listen_addresses'
    const rows = await ask<{ name: string; setting: string }>(
      server.url,
      `select name, setting from pg_settings where lower(name) = any(string_to_array('${settings}', ' '))`,
    )
    expect(server.notes).toEqual([])
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      jit: 'off',
      TimeZone: 'UTC',
      listen_addresses: '127.0.0.1',
    })
    const [, , , , socketFolder] = (await readFile(pidFileOf(dataDir), 'utf8')).split('\n')
    expect(socketFolder).toBe('')
    // Root lets a group of one pass through to the cluster.
    expect(await mode(dataDir)).toMatch(/^7[01]0$/)
    expect(await mode(join(dataDir, 'postgres', 'cluster'))).toBe('700')
    for (const role of ['caretaker', 'caretaker_owner'])
      expect(await mode(join(dataDir, 'postgres', 'cluster', `${role}.password`))).toBe('600')
    await server.stop()
  })

  it('serves the application by a role that owns nothing, and keeps what is said out of its log', async () => {
    const dataDir = await filledFolder()
    const server = await start(dataDir)
    const role = (url: string) =>
      ask(
        url,
        `select rolname, rolsuper, rolcreatedb, pg_get_userbyid(datdba) as owner, datcollate,
           lower('ÉCOLE') as lowered, pg_has_role('caretaker_owner', 'MEMBER') as may_own
         from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
      )
    const both = { rolsuper: false, owner: 'caretaker_owner', datcollate: 'C', lowered: 'école' }
    expect([await role(server.url), await role(server.ownerUrl)]).toEqual([
      [{ ...both, rolname: 'caretaker', rolcreatedb: false, may_own: false }],
      [{ ...both, rolname: 'caretaker_owner', rolcreatedb: true, may_own: true }],
    ])
    for (const statement of [
      'drop table kept',
      'create table more ()',
      'create temporary table kept ()',
      'create schema caretaker',
      'create database more',
      'create role more',
      'set role caretaker_owner',
      'set session_replication_role = replica',
      `alter role caretaker_owner password 'x'`,
      `copy kept from program 'id'`,
    ])
      await expect(ask(server.url, statement), statement).rejects.toMatchObject({ code: '42501' })
    const wrong = server.url.replace(/:[0-9a-f]+@/, ':wrong@')
    await expect(ask(wrong, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    const superuser = server.url.replace('caretaker:', 'postgres:')
    await expect(ask(superuser, 'select 1')).rejects.toMatchObject({ code: '28000' })
    await expect(ask(server.url, `select 'hunter2'::integer`)).rejects.toThrow('hunter2')
    const other = await start(dataDir, { database: 'tests "of" März' })
    expect(await ask(other.url, 'select current_database() as name')).toEqual([{ name: 'tests "of" März' }])
    await other.stop()
    await server.stop()
    const log = await readFile(join(dataDir, 'postgres', 'server.log'), 'utf8')
    expect(log).toContain('ready to accept connections')
    expect(log).not.toMatch(/hunter2|kept/)
  })

  itInWholeRun('is one start when four processes ask at once', async () => {
    const dataDir = newDataFolder()
    const ask = () => startEmbeddedProcess({ dataDir, settings: FAST })
    const users = await Promise.all([ask(), ask(), ask(), ask()])
    const said = users.map((user) => user.said)
    expect(said.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined])
    expect(new Set(said.map(({ url }) => url)).size).toBe(1)
    await Promise.all(users.map((user) => user.stop()))
    expect(await isRefused(said[0]!)).toBe(true)
  })

  itInWholeRun('begins anew after one that was killed half-way', async () => {
    const dataDir = newDataFolder()
    const within = join(dataDir, 'postgres')
    const attempts = async () =>
      (await readdir(within).catch(() => [])).filter((name) => name.startsWith('cluster.init-'))
    const script = await compiledFile('test/support/postgres/embeddedProcess.ts')
    const child = spawn(process.execPath, [script, JSON.stringify({ dataDir })], { stdio: 'ignore' })
    while ((await attempts()).length === 0) await sleep(5)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await readdir(within)).not.toContain('cluster')

    const server = await start(dataDir)
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    expect(await attempts()).toEqual([])
  })
})

describe('a server in use', () => {
  it('is joined by a second process and stopped by the last one out', async () => {
    const dataDir = await filledFolder()
    const first = await startEmbeddedProcess({ dataDir, settings: FAST })
    const second = await start(dataDir)
    expect(second.url).toBe(first.said.url)
    // A process group of its own, which Ctrl-C does not reach.
    const postmaster = await postmasterOf(dataDir)
    expect(await groupOf(postmaster)).toBe(String(postmaster))
    await first.stop()
    expect(await kept(second)).toContain(1)
    await second.stop()
    expect(await isRefused(second)).toBe(true)
  })

  itInWholeRun('counts two uses in one process as two, and each stop once', async () => {
    const dataDir = await filledFolder()
    const [one, two] = [await start(dataDir), await start(dataDir)]
    await Promise.all([one.stop(), one.stop()])
    await one.stop()
    expect(await kept(two)).toContain(1)
    await Promise.all([two.stop(), two.stop()])
    expect(await isRefused(two)).toBe(true)
    await two.stop()
  })

  itInWholeRun('is left to end by itself when its data folder was removed meanwhile', async () => {
    const dataDir = newDataFolder()
    const server = await start(dataDir)
    const postmaster = await postmasterOf(dataDir)
    await rm(dataDir, { recursive: true, maxRetries: 20 })
    await expect(server.stop()).resolves.toBe(undefined)
    // It looks for its files once a minute.
    process.kill(postmaster, 'SIGKILL')
    await gone(postmaster)
  })
})

describe('after a kill -9', () => {
  itInWholeRun('of its user, the server goes on, and is joined', async () => {
    const dataDir = await filledFolder()
    const first = await startEmbeddedProcess({ dataDir, settings: FAST })
    const postmaster = await postmasterOf(dataDir)
    await ask(first.said.url, 'insert into kept values (2)')
    await first.kill()
    const next = await start(dataDir)
    expect(next.url).toBe(first.said.url)
    expect(await postmasterOf(dataDir)).toBe(postmaster)
    expect(await kept(next)).toContain(2)
    await next.stop()
    expect(await isRefused(next)).toBe(true)
  })

  it('of its user and the server, another recovers the data', async () => {
    const dataDir = await filledFolder()
    const first = await startEmbeddedProcess({ dataDir, settings: FAST })
    await ask(first.said.url, 'insert into kept values (3)')
    await first.kill()
    await killServer(dataDir)
    const next = await start(dataDir)
    expect(await kept(next)).toContain(3)
    await next.stop()
  })

  itInWholeRun('of the server alone, the next one is at its port again', async () => {
    const dataDir = await filledFolder()
    const first = await start(dataDir)
    await killServer(dataDir)
    // Its processes may close the port a moment later than it ends, which resets a connection.
    await eventually(async () => expect(await isRefused(first)).toBe(true))
    const second = await start(dataDir)
    expect(second.url).toBe(first.url)
    expect(await kept(first)).toContain(1)
    await first.stop()
    expect(await kept(second)).toContain(1)
    await second.stop()
    expect(await isRefused(first)).toBe(true)
  })

  it('of the server alone, who serves starts it again at its port, once there is room', async () => {
    const dataDir = await filledFolder()
    const reported: string[] = []
    const onFailedRestart = (message: string) => reported.push(message)
    const server = await start(dataDir, { onFailedRestart, restartMs: 500 })
    // No server starts here, as none does on a full disk.
    const cluster = await realpath(join(dataDir, 'postgres', 'cluster'))
    await rename(join(cluster, 'PG_VERSION'), join(cluster, 'away'))
    await killServer(dataDir)
    await eventually(() => expect(reported).toHaveLength(1))
    expect(reported[0]).toMatch(
      /^The private PostgreSQL did not start\. Its log .* ends: pg_ctl: directory .* is not a database cluster/s,
    )
    const log = join(dataDir, 'postgres', 'server.log')
    const failures = async () => (await readFile(log, 'utf8')).match(/is not a database cluster/g)
    await eventually(async () => expect((await failures())?.length).toBeGreaterThan(2))
    expect(await readFile(`${log}.1`, 'utf8')).toContain('ready to accept connections')
    await rename(join(cluster, 'away'), join(cluster, 'PG_VERSION'))
    await eventually(async () => expect(await kept(server)).toContain(1))
    expect(reported).toHaveLength(1)
    await server.stop()
    expect(await isRefused(server)).toBe(true)
  })

  it.skipIf(withoutProcesses)(
    'of the server alone, whose port another program takes, is reported until that program ends',
    async () => {
      const dataDir = await filledFolder()
      const reported: string[] = []
      const onFailedRestart = (message: string) => reported.push(message)
      const server = await start(dataDir, { onFailedRestart, restartMs: 500 })
      const port = Number(new URL(server.url).port)
      const postmaster = await postmasterOf(dataDir)
      const otherProgram = createServer()
      process.kill(postmaster, 'SIGKILL')
      // Without a pause, so that the port is taken before the restart begins.
      while (runs(postmaster)) {}
      otherProgram.listen(port, '127.0.0.1')
      await once(otherProgram, 'listening')
      await eventually(() => expect(reported).toHaveLength(1))
      expect(reported[0]).toBe(`Another program has the private PostgreSQL's port ${port}.`)
      otherProgram.close()
      await eventually(async () => expect(await kept(server)).toContain(1))
      expect(reported).toHaveLength(1)
      await server.stop()
      expect(await isRefused(server)).toBe(true)
    },
  )

  itInWholeRun.skipIf(withoutProcesses)(
    'of the server alone, its port is taken again also when one of its processes is slow to end',
    async () => {
      const dataDir = await filledFolder()
      const first = await start(dataDir)
      const slow = childrenOf(await postmasterOf(dataDir))[0]!
      process.kill(slow, 'SIGSTOP')
      await killServer(dataDir)
      const starting = start(dataDir)
      const log = join(dataDir, 'postgres', 'server.log')
      await eventually(async () => expect(await readFile(log, 'utf8')).toContain('shared memory block'))
      process.kill(slow, 'SIGCONT')
      const second = await starting
      expect(second.url).toBe(first.url)
      await first.stop()
      await second.stop()
      expect(await isRefused(second)).toBe(true)
    },
  )

  itInWholeRun.each([
    ['a stranger who has the pid now is neither taken for the server nor touched', 'echo $$; exec sleep 300'],
    ['a zombie that keeps the pid does not keep the next server away', 'sleep 0 & echo $!; exec sleep 300'],
  ])('%s', async (_, script) => {
    const dataDir = await filledFolder()
    const left = await start(dataDir)
    await killServer(dataDir)
    // PostgreSQL itself sees that another user's process is not its server.
    const { uid, gid } = await stat(pidFileOf(dataDir))
    const other = spawn('/bin/sh', ['-c', script], {
      uid,
      gid,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    onTestFinished(() => void other.kill())
    const [pid] = await once(other.stdout.setEncoding('utf8'), 'data')
    const file = await readFile(pidFileOf(dataDir), 'utf8')
    await writeFile(pidFileOf(dataDir), file.replace(/^\d+/, pid.trim()))
    const server = await start(dataDir)
    expect(await kept(server)).toContain(1)
    await left.stop()
    await server.stop()
    expect(await isRefused(server)).toBe(true)
    expect(other.exitCode ?? other.signalCode).toBe(null)
  })

  itInWholeRun('a server that hangs is left to its users, and named', async () => {
    const dataDir = await filledFolder()
    const server = await start(dataDir)
    const postmaster = await postmasterOf(dataDir)
    process.kill(postmaster, 'SIGSTOP')
    await expect(start(dataDir)).rejects.toThrow(
      `does not answer. If this goes on, end its process ${postmaster}`,
    )
    process.kill(postmaster, 'SIGCONT')
    expect(await kept(server)).toContain(1)
    await server.stop()
  })
})

describe('what stands in the way', () => {
  itInWholeRun('a port taken by another program is left to it', async () => {
    const dataDir = await filledFolder()
    const first = await start(dataDir)
    await first.stop()
    const other = createServer()
    other.listen(Number(new URL(first.url).port), '127.0.0.1')
    await once(other, 'listening')
    const second = await start(dataDir)
    expect(new URL(second.url).port).not.toBe(new URL(first.url).port)
    expect(await kept(second)).toContain(1)
    await second.stop()
    other.close()
    await once(other, 'close')
  })

  it('data of another major version is refused and left as it is', async () => {
    const dataDir = await filledFolder()
    const version = join(dataDir, 'postgres', 'cluster', 'PG_VERSION')
    const ours = await readFile(version, 'utf8')
    await writeFile(version, '12\n')
    await expect(start(dataDir)).rejects.toThrow(
      /written by PostgreSQL 12; this version of Caretaker includes 18.*pg_dump/s,
    )
    expect(await readFile(version, 'utf8')).toBe('12\n')
    await writeFile(version, ours)
    const server = await start(dataDir)
    expect(await kept(server)).toContain(1)
    await server.stop()
  })

  it.each(['caretaker_owner', 'caretaker'])(
    'data without the password of %s, as before 1.0.0, is refused and left as it is',
    async (role) => {
      const dataDir = await filledFolder()
      const file = join(dataDir, 'postgres', 'cluster', `${role}.password`)
      const password = await readFile(file, 'utf8')
      await rm(file)
      await expect(start(dataDir)).rejects.toThrow(
        new RegExp(`Restore .*/${role}\\.password.*before Caretaker 1\\.0\\.0`),
      )
      // No server is left running.
      await expect(readFile(pidFileOf(dataDir))).rejects.toMatchObject({ code: 'ENOENT' })
      await writeFile(file, password)
      const server = await start(dataDir)
      expect(await kept(server)).toContain(1)
      await server.stop()
    },
  )

  it('a folder of something else in the place of the data is refused', async () => {
    const dataDir = newDataFolder()
    await mkdir(join(dataDir, 'postgres', 'cluster'), { recursive: true })
    await writeFile(join(dataDir, 'postgres', 'cluster', 'holiday.txt'), 'photos')
    await expect(start(dataDir)).rejects.toThrow('There is no PostgreSQL database')
    expect(await readdir(join(dataDir, 'postgres', 'cluster'))).toEqual(['holiday.txt'])
  })

  it('a data folder that is a file is named in plain words', async () => {
    const dataDir = join(folder, 'file')
    await writeFile(dataDir, '')
    await expect(start(dataDir)).rejects.toThrow(
      `The data folder ${dataDir} is not a folder: set DATA_DIR to one`,
    )
  })

  it.each([
    ['EROFS', 'access', 'is on a read-only disk'],
    ['ENOSPC', 'mkdir', 'is on a full disk: make room and start again'],
    ['EACCES', 'mkdir', 'is not ours to write'],
    // In the words of initdb.
    ['1', 'FATAL: could not extend file: No space left on device', 'is on a full disk: make room'],
  ])('the disk error %s, %s, says what to do', (code, message, words) => {
    const explained = explainFolderError(Object.assign(new Error(message), { code }), '/srv/data') as Error
    expect(explained.message).toContain(`The data folder /srv/data ${words}`)
  })
})

inWholeRun(() => {
  // Only root can take away a folder from root's own processes, or start one as somebody else;
  // Linux tells whose one is.
  describe.runIf(process.getuid?.() === 0 && !withoutProcesses)('started by root', () => {
    let parent = ''
    let checkout = ''

    beforeAll(async () => {
      parent = join(folder, 'parent')
      checkout = await smallCheckout(join(parent, 'checkout'))
      await chmod(parent, 0o700)
    })

    async function runTwice(dataDir: string): Promise<{ notes: string[]; owners: number[] }> {
      used.add(dataDir)
      const options = { dataDir, settings: FAST, fallbackRoots: [fallbacks] }
      const first = await startEmbeddedProcess(options, { from: checkout })
      expect(first.said.error).toBe(undefined)
      await ask(first.said.ownerUrl, makeKept)
      await first.stop()
      const second = await startEmbeddedProcess(options, { from: checkout })
      expect(await kept(second.said)).toContain(1)
      const pid = await postmasterOf(dataDir)
      const owners = [
        (await stat(`/proc/${pid}`)).uid,
        (await stat(join(dataDir, 'postgres', 'cluster'))).uid,
      ]
      await second.stop()
      expect(await isRefused(second.said)).toBe(true)
      return { notes: second.said.notes, owners }
    }

    /** As version 1.0.0 left them, whose server ran as root in a user namespace. */
    const asBefore = (cluster: string) => execFileSync('chown', ['-R', '0:0', cluster])

    it('works from a checkout in a folder only root can read, and keeps the data in its data folder', async () => {
      const dataDir = newDataFolder()
      const { notes, owners } = await runTwice(dataDir)
      expect(notes).toEqual([])
      expect(owners[0]).toBeGreaterThan(0)
      expect(owners[1]).toBe(owners[0])
      const cluster = join(dataDir, 'postgres', 'cluster')
      expect(await mode(cluster)).toBe('700')
      expect(await readdir(fallbacks)).toEqual(['caretaker-programs'])

      asBefore(cluster)
      const server = await start(dataDir)
      expect(await kept(server)).toContain(1)
      expect((await stat(cluster)).uid).toBe(owners[0])
      await server.stop()
    })

    it('keeps the data of a closed data folder elsewhere, and says so', async () => {
      const dataDir = join(checkout, 'data')
      const { notes, owners } = await runTwice(dataDir)
      const said = `The database files are in ${fallbacks}/caretaker-`
      expect(notes.join()).toContain(said)
      expect(owners[0]).toBeGreaterThan(0)
      expect(await mode(dataDir)).toBe('700')

      const link = join(dataDir, 'postgres', 'cluster')
      const cluster = await realpath(link)
      await rm(link)
      execFileSync('mv', [cluster, link])
      asBefore(link)
      const server = await start(dataDir)
      expect(server.notes.join()).toContain(said)
      expect(await kept(server)).toContain(1)
      expect(await realpath(link)).toBe(cluster)
      await server.stop()
    })

    it("serves an ordinary user in that user's own folder", async () => {
      await chmod(parent, 0o755)
      const home = join(folder, 'home')
      await mkdir(home)
      await chown(home, NOBODY, NOBODY)
      const dataDir = join(home, 'data')
      used.add(dataDir)
      const user = await startEmbeddedProcess({ dataDir, settings: FAST }, { uid: NOBODY, from: checkout })
      expect(user.said.notes).toEqual([])
      expect((await stat(`/proc/${await postmasterOf(dataDir)}`)).uid).toBe(NOBODY)
      await user.stop()
      const root = await start(dataDir)
      expect((await stat(`/proc/${await postmasterOf(dataDir)}`)).uid).toBe(NOBODY)
      await root.stop()
    })

    it("leaves root's data alone when an ordinary user comes", async () => {
      await chmod(parent, 0o755)
      const user = await startEmbeddedProcess(
        { dataDir: await filledFolder() },
        { uid: NOBODY, from: checkout },
      )
      expect(user.said.error).toContain('is not ours to write: give it to the user who runs Caretaker')
    })
  })
})

const FAST = { fsync: 'off' }
const NOBODY = 65_534

/** A table that the application may use, as migrations make them. */
const makeKept = 'create table kept (n integer); insert into kept values (1); grant all on kept to caretaker'

const used = new Set<string>()

async function makeFolders(): Promise<void> {
  await built()
  folder = newFolder()
  fallbacks = join(folder, 'fallbacks')
  await mkdir(fallbacks)
  await chmod(fallbacks, 0o755)
  filled = await fill()
}

/** A data folder nobody used yet, with a name that a shell would read otherwise. */
function newDataFolder(): string {
  const dataDir = join(folder, `${randomBytes(4).toString('hex')} it's "my" $HOME`)
  used.add(dataDir)
  return dataDir
}

/**
 * A data folder without a running server, in which table `kept` holds the row 1.
 * Used again and again.
 */
async function filledFolder(): Promise<string> {
  const running = await findServer(await realpath(join(filled, 'postgres', 'cluster')))
  if (running !== undefined) filled = await fill()
  return filled
}

async function fill(dataDir = newDataFolder()): Promise<string> {
  const server = await start(dataDir)
  await ask(server.ownerUrl, makeKept)
  await server.stop()
  return dataDir
}

async function start(dataDir: string, more: object = {}): Promise<EmbeddedServer> {
  return startEmbeddedPostgres({ dataDir, settings: FAST, fallbackRoots: [fallbacks], ...more })
}

async function kept({ url }: { url: string }): Promise<number[]> {
  return (await ask<{ n: number }>(url, 'select n from kept order by n')).map(({ n }) => n)
}

/** Kills the server with everything that belongs to it, as a power cut would. */
async function killServer(dataDir: string): Promise<void> {
  process.kill(await postmasterOf(dataDir), 'SIGKILL')
  while ((await findServer(await realpath(join(dataDir, 'postgres', 'cluster')))) !== undefined)
    await sleep(10)
}

async function isRefused({ url }: { url: string }): Promise<boolean> {
  return ask(url, 'select 1').then(
    () => false,
    (error) => error.code === 'ECONNREFUSED',
  )
}

/** The process group; Linux tells without ps, which small images lack. */
async function groupOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat !== undefined) return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]
  return execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }).trim()
}

function pidFileOf(dataDir: string): string {
  return join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
}

async function mode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}
