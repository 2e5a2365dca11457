import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identifiersOf } from '../../../../src/operations/buildings/buildingName.js'
import { compiledFile } from '../../../support/compiled.js'
import { inDatabase } from '../../../support/database.js'
import { startServerForMany } from '../../../support/postgres/buildingsServer.js'
import { ask } from '../../../support/postgres/embeddedUse.js'
import { runJobProcess, startCaretaker } from '../../../support/process.js'
import { eventually } from '../../../support/run/eventually.js'
import { inWholeRun, itInWholeRun } from '../../../support/run/extent.js'
import { newFolder } from '../../../support/run/folders.js'

const folder = newFolder()
const buildings = path.join(folder, 'buildings')
let server: Awaited<ReturnType<typeof startServerForMany>>
beforeAll(async () => {
  server = await startServerForMany(path.join(folder, 'server'), { fsync: 'off', full_page_writes: 'off' })
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('many buildings on one server', () => {
  it('are made by one command, also several and one twice at once, each closed to the others', async () => {
    const made = await Promise.all([create('lime'), create('lime'), create('oak-hill')])
    expect(made.map(({ building, url }) => [building, url])).toEqual([
      ['lime', 'https://lime.example'],
      ['lime', 'https://lime.example'],
      ['oak-hill', 'https://oak-hill.example'],
    ])
    const limes = made.slice(0, 2).filter(({ admin }) => admin !== null)
    expect(limes).toHaveLength(1)
    const [lime, oak] = [settingsOf('lime'), settingsOf('oak-hill')]
    expect([lime.PORT, oak.PORT].sort()).toEqual(['4001', '4002'])
    expect(readFileSync(path.join(buildings, 'hosts.map'), 'utf8').split('\n').slice(1, -1)).toEqual([
      `lime.example 127.0.0.1:${lime.PORT};`,
      `oak-hill.example 127.0.0.1:${oak.PORT};`,
    ])
    const files = readdirSync(buildings).filter((name) => !statSync(path.join(buildings, name)).isDirectory())
    expect(files).toHaveLength(5)
    for (const file of files) expect(statSync(path.join(buildings, file)).mode & 0o077).toBe(0)

    await expect(ask(inDatabase(oak.DATABASE_URL!, 'caretaker_lime'), 'select')).rejects.toMatchObject({
      code: '42501',
    })
    await expect(ask(lime.DATABASE_URL!, 'create table mine ()')).rejects.toMatchObject({ code: '42501' })
    await expect(ask(lime.DATABASE_URL!, 'delete from audit_entries')).rejects.toMatchObject({
      code: '42501',
    })
    const { owner, serving } = identifiersOf('lime')
    const may = await ask(
      server.url,
      `select rolname from pg_roles
       where rolname in ('${owner}', '${serving}') and (rolsuper or rolcreatedb or rolcreaterole or rolreplication)`,
    )
    expect(may).toEqual([])

    const { email, password } = limes[0]!.admin as { email: string; password: string }
    const web = await startCaretaker({ ...lime, PORT: '0' })
    const signIn = await fetch(`${web.origin}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-proto': 'https' },
      body: JSON.stringify({ email, password }),
    })
    expect(signIn.status).toBe(200)
    expect(await web.end()).toBe(0)
    expect(web.output()).not.toContain('owned by the serving role')
  })

  itInWholeRun(
    'are not made of what is no name, no address, nobody’s email address or somebody else’s',
    async () => {
      const before = readdirSync(buildings).sort()
      expect(
        await failed('create', `x"; drop role caretaker; --`, '--url', 'https://x.example', '--admin', 'a@b'),
      ).toContain('A building’s name can have')
      expect(await failed('create', 'elm', '--url', 'https://elm.example/x', '--admin', 'a@b')).toContain(
        'Enter the address people use',
      )
      expect(await failed('create', 'elm', '--url', 'https://elm.example', '--admin', 'nobody')).toContain(
        'Enter the email address of the first admin',
      )
      expect(await create('elm', 'lime.example').catch(String)).toContain('already used by the building lime')
      expect(await create('lime', 'other.example').catch(String)).toContain(
        'already has the address https://lime.example',
      )
      await ask(server.url, 'create role caretaker_elm')
      expect(await create('elm').catch(String)).toContain('The server already has a caretaker_elm')
      await ask(server.url, 'drop role caretaker_elm')
      expect(await failed('make', 'elm')).toContain('There is no command make')
      expect(await failed('run', 'lime', 'seed')).toContain('Commands: admin, backup')
      expect(await failed('run', 'elm', 'sending')).toContain('There is no building elm')
      expect(readdirSync(buildings).sort()).toEqual(before)
    },
  )

  itInWholeRun(
    'are listed, migrated and backed up one after another; one that fails is named, and the others are not left out',
    async () => {
      await ask(server.url, `alter role caretaker_lime nologin`)
      await ask(server.url, `alter role caretaker_lime__owner nologin`)
      const backups = path.join(folder, 'backups')
      for (const args of [['list'], ['migrate'], ['backup', '--to', backups]])
        expect(await failed(...args)).toContain('1 of 2 buildings failed: lime')
      const [archive, ...more] = readdirSync(backups)
      expect(more).toEqual([])
      expect(archive).toMatch(/^oak-hill-[\dT-]+Z\.tar\.gz$/)
      expect(
        await runJobProcess('restore', { DATA_DIR: folder }, '--check', path.join(backups, archive!)),
      ).toMatchObject({ photos: { kept: 0 } })
      await ask(server.url, `alter role caretaker_lime login`)
      await ask(server.url, `alter role caretaker_lime__owner login`)
      expect(await run('list')).toEqual({ listed: 2 })
      expect(await run('run', 'lime', 'sending', 'pause')).toMatchObject({ paused: { why: 'by_hand' } })
      expect(await run('run', 'oak-hill', 'sending')).toMatchObject({ paused: null })
    },
  )
})

inWholeRun(() => {
  /**
   * What has been done when it is killed: the settings are there, the database, the
   * tables, or the first admin.
   */
  const moments: Record<string, (name: string) => Promise<boolean>> = {
    settings: async (name) => existsSync(path.join(buildings, `${name}.env`)),
    database: async (name) =>
      (await ask(server.url, `select from pg_database where datname = '${identifiersOf(name).database}'`))
        .length > 0,
    tables: async (name) =>
      (await ask(settingsOf(name).DATABASE_URL!, `select from pg_class where relname = 'incidents'`)).length >
      0,
  }

  describe('a building whose making was killed', () => {
    it.each(Object.keys(moments))('when there were %s is finished by the same command', async (moment) => {
      const name = `killed-${moment}`
      const script = await compiledFile('jobs/buildings.ts')
      const args = ['create', name, '--url', `https://${name}.example`, '--admin', 'a@b.example']
      const child: ChildProcess = spawn(process.execPath, [script, ...args], {
        env: { PATH: process.env.PATH!, ...env() },
        stdio: 'ignore',
      })
      await eventually(async () => expect(await moments[moment]!(name)).toBe(true), 5)
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      expect(await create(name)).toMatchObject({ building: name })
      const { DATABASE_URL = '' } = settingsOf(name)
      expect(await ask(DATABASE_URL, `select role from users where role = 'admin'`)).toHaveLength(1)
    })
  })
})

function env() {
  return { DATA_DIR: folder, BUILDINGS_DATABASE_URL: server.url, LOG_LEVEL: 'warn' }
}

function run(...args: string[]) {
  return runJobProcess('buildings', env(), ...args)
}

function create(name: string, host = `${name}.example`) {
  return run('create', name, '--url', `https://${host}`, '--admin', `admin@${host}`)
}

/** What it prints, a line for each building, and why it failed. */
function failed(...args: string[]) {
  return run(...args).then(() => '', String)
}

function settingsOf(name: string, kind = '') {
  return parseEnv(readFileSync(path.join(buildings, `${name}${kind}.env`), 'utf8')) as Record<string, string>
}
