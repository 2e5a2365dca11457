import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import path from 'node:path'
import { load } from 'cheerio'
import { afterAll, describe, expect, it } from 'vitest'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { makePrivateBuilding, useDatabase } from '../support/database.js'
import { cookieOf } from '../support/house/asking.js'
import { keys } from '../support/keys.js'
import { endOfCaretaker, runJobProcess, startCaretaker } from '../support/process.js'
import { eventually } from '../support/run/eventually.js'
import { inWholeRun, itInWholeRun, perRun } from '../support/run/extent.js'
import { newFolder } from '../support/run/folders.js'

const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const dataDir = (name: string) => path.join(folder, name)
const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://building.example' }

const attemptSignInAt = (origin: string) =>
  fetch(`${origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'resident@example.com', password: demoPassword }),
  })

describe('npm start with nothing set', () => {
  it('makes a living building, keeps sessions over restarts, and survives kill -9', async () => {
    const env = { DATA_DIR: dataDir('first') }
    const first = await startCaretaker(env)
    expect(first.output()).toContain('resident@example.com')
    expect(first.output()).toContain(demoPassword)
    expect(first.output()).toContain(path.join(dataDir('first'), 'keys.json'))
    const status = await (await fetch(`${first.origin}/api/status`)).json()
    expect(status.summary.total).toBe(12)
    const cookie = cookieOf(await attemptSignInAt(first.origin))
    await first.end('SIGKILL')

    const second = await startCaretaker(env)
    expect(second.output()).not.toContain('filled just now')
    expect(
      (await (await fetch(`${second.origin}/api/auth/get-session`, { headers: { cookie } })).json()).user
        .role,
    ).toBe('resident')
    expect(await second.end('SIGTERM')).toBe(0)
  })

  itInWholeRun('has nothing left to migrate or to fill', async () => {
    const env = { DATA_DIR: dataDir('first') }
    expect(await runJobProcess('migrate', env)).toEqual({ migrated: [] })
    expect(await runJobProcess('seed', env)).toEqual({ seeded: false })
  })

  itInWholeRun.each(['first', 'later'])(
    'joins when it is started twice for a %s time, and the last one out stops the database',
    async (start) => {
      const env = { DATA_DIR: dataDir(`twice-${start}`) }
      if (start === 'later') makePrivateBuilding(env.DATA_DIR)
      const [one, two] = await Promise.all([startCaretaker(env), startCaretaker(env)])
      for (const { origin } of [one, two]) expect((await fetch(`${origin}/readyz`)).status).toBe(200)
      expect(await one.end('SIGINT')).toBe(0)
      expect((await fetch(`${two.origin}/readyz`)).status).toBe(200)
      expect(await two.end('SIGINT')).toBe(0)
    },
  )

  itInWholeRun('says when its port is taken, and leaves nothing running', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const env = { DATA_DIR: dataDir('taken'), PORT: String(port), HOST: '127.0.0.1' }
    makePrivateBuilding(env.DATA_DIR)
    const { code, output } = await endOfCaretaker(env)
    other.close()
    expect(code).toBe(1)
    expect(output).toContain(`Port ${port} is taken`)
  })

  itInWholeRun('names every wrong variable and does not start', async () => {
    const { code, output } = await endOfCaretaker({
      DATA_DIR: dataDir('never'),
      PORT: 'x',
      SLA_HOURS_HIGH: 'soon',
    })
    expect(code).toBe(78)
    expect(output).toMatch(/PORT[\s\S]*SLA_HOURS_HIGH/)
  })

  itInWholeRun('fills no demo building in production', async () => {
    const env = { DATA_DIR: dataDir('production'), ...production }
    const server = await startCaretaker(env)
    expect((await (await fetch(`${server.origin}/api/status`)).json()).summary.total).toBe(0)
    expect(server.output()).not.toContain(demoPassword)
    await server.end()
    await expect(runJobProcess('seed', env)).rejects.toThrow('can’t add the demo building')
  })
})

inWholeRun(() => {
  describe('Ctrl-C during the first start', () => {
    const seeding = (child: ChildProcess) =>
      execFileSync('ps', ['-eo', 'ppid=,args='])
        .toString()
        .split('\n')
        .find((line) => line.trim().startsWith(`${child.pid} `) && line.includes('seed.js'))
    const cluster = (name: string) => path.join(dataDir(name), 'postgres', 'cluster')

    /** Moments of a first start, from its first file to its last step. */
    type Moment = [when: string, name: string, isThere: (child: ChildProcess) => unknown]
    const moments: Moment[] = [
      ['before there is a database', 'early', () => existsSync(path.join(dataDir('early'), 'postgres'))],
      [
        'while the database comes up',
        'middle',
        () => existsSync(path.join(cluster('middle'), 'postmaster.pid')),
      ],
      ['while the demo building is filled', 'late', seeding],
    ]

    it.each(moments)(
      '%s stops everything, and the next start works',
      async (_when, name, isThere) => {
        const env = { DATA_DIR: dataDir(name) }
        const { code, output } = await endOfCaretaker({ ...env, PORT: '0' }, async (child) => {
          await eventually(() => expect(isThere(child)).toBeTruthy())
          child.kill('SIGINT')
          child.kill('SIGINT')
        })
        expect([code, output]).toEqual([0, ''])
        expect(existsSync(path.join(cluster(name), 'postmaster.pid'))).toBe(false)
        const left = execFileSync('ps', ['-eo', 'args=']).toString().split('\n')
        expect(left.filter((line) => line.includes(dataDir(name)))).toEqual([])
        const next = await startCaretaker(env)
        expect((await (await fetch(`${next.origin}/api/status`)).json()).summary.total).toBe(12)
        expect(await next.end('SIGTERM')).toBe(0)
      },
      180_000,
    )
  })
})

inWholeRun(() => {
  describe('with a database of its own', () => {
    const database = useDatabase({ empty: true })
    const env = () => ({ DATABASE_URL: database(), DATA_DIR: dataDir('deployed'), ...keys })

    it('is not ready before the release step, has no demo data after it, and gets its admin from the command line', async () => {
      const early = await startCaretaker(env())
      expect((await fetch(`${early.origin}/readyz`)).status).toBe(503)
      expect((await fetch(`${early.origin}/healthz`)).status).toBe(200)
      expect(((await runJobProcess('migrate', env())).migrated as string[]).length).toBeGreaterThan(0)
      // What it was told a moment ago it says again for a while.
      await eventually(async () => expect((await fetch(`${early.origin}/readyz`)).status).toBe(200))
      expect(await (await fetch(`${early.origin}/api/towers`)).json()).toEqual([])

      const made = await runJobProcess('admin', env(), '--email', 'Owner@example.com', '--name', 'Olu Owner')
      const answer = await fetch(`${early.origin}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'owner@example.com', password: made.password }),
      })
      expect(await answer.json()).toMatchObject({ user: { name: 'Olu Owner', role: 'admin' } })
      const towers = await (await fetch(`${early.origin}/api/towers`)).json()
      expect(towers).toMatchObject([{ name: 'Main building' }])
      for (const wrong of perRun({ quick: [], whole: ['nobody'] }))
        await expect(runJobProcess('admin', env(), '--email', wrong)).rejects.toThrow()
      await early.end()
    })

    itInWholeRun('has an admin whose second factor and links end from the command line', async () => {
      const reset = await runJobProcess(
        'admin',
        env(),
        '--email',
        'owner@example.com',
        '--reset-second-factor',
      )
      expect(reset).toMatchObject({ secondFactor: false })
      const unlinked = await runJobProcess('admin', env(), '--email', 'owner@example.com', '--unlink')
      expect(unlinked).toMatchObject({ linked: false })
      for (const what of ['--reset-second-factor', '--unlink'])
        await expect(runJobProcess('admin', env(), '--email', 'nobody@example.com', what)).rejects.toThrow()
    })

    itInWholeRun('keeps a door shut whose secret is empty', async () => {
      const server = await startCaretaker({ ...env(), MOBILE_API_KEY: '', CRON_SECRET: '   ' })
      for (const value of [
        'Bearer ',
        'Bearer',
        'Bearer undefined',
        'Bearer null',
        'Bearer ""',
        'Bearer    ',
      ]) {
        for (const address of ['/api/contacts', '/api/status', '/api/incidents']) {
          const answer = await fetch(server.origin + address, { headers: { authorization: value } })
          expect([address, value, answer.status]).toEqual([address, value, 401])
        }
      }
      await server.end()
    })

    itInWholeRun('lets a request under way end when it is told to stop, and takes no new one', async () => {
      const server = await startCaretaker(env())
      const { hostname, port } = new URL(server.origin)
      const body = JSON.stringify({ email: 'owner@example.com', password: 'wrong' })
      const socket = connect(Number(port), hostname)
      socket.write(
        `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
      )
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 /)
      socket.write(body.slice(0, 5))
      const ended = server.end('SIGTERM')
      server.child.kill('SIGTERM')
      const refused = () => expect(fetch(`${server.origin}/healthz`)).rejects.toThrow()
      await eventually(refused)
      const answered = new Promise<string>((resolve) =>
        socket.once('data', (chunk) => resolve(chunk.toString())),
      )
      socket.write(body.slice(5))
      expect(await answered).toMatch(/^HTTP\/1\.1 401 /)
      expect(await ended).toBe(0)
    })
  })
})

inWholeRun(() => {
  describe('a connection a proxy keeps', () => {
    const database = useDatabase()

    it('takes one more request when the process is told to stop, and is told that it ends', async () => {
      const env = { DATABASE_URL: database(), DATA_DIR: dataDir('kept'), TRUST_PROXY: 'true', ...keys }
      const server = await startCaretaker(env)
      const { hostname, port } = new URL(server.origin)
      const socket = connect(Number(port), hostname)
      const ask = async () => {
        socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
        return String((await once(socket, 'data'))[0])
      }
      expect(await ask()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: keep-alive/i)
      const ended = server.end('SIGTERM')
      await eventually(() => expect(server.output()).toContain('"stopping"'), 1)
      const closed = once(socket, 'close')
      await eventually(async () => expect(await ask()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i))
      await closed
      expect(await ended).toBe(0)
    })
  })
})

inWholeRun(() => {
  describe('two processes on one database', () => {
    const database = useDatabase()

    it('show each other’s acknowledged writes in the very next read', async () => {
      const env = { DATABASE_URL: database(), DATA_DIR: dataDir('two'), ...keys }
      const [one, two] = await Promise.all([startCaretaker(env), startCaretaker(env)])
      const headers = { authorization: `Bearer ${keys.MOBILE_API_KEY}`, 'content-type': 'application/json' }
      for (let i = 0; i < perRun({ quick: 6, whole: 100 }); i++) {
        const [writer, reader] = i % 2 ? [one, two] : [two, one]
        const assetId = 1 + (i % 12)
        const before = await openOnBoard(reader.origin, assetId)
        const made = await fetch(`${writer.origin}/api/incidents`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ title: `Seen ${i}`, severity: 'critical', assetId }),
        })
        expect(made.status).toBe(201)
        const { assets } = await (await fetch(`${reader.origin}/api/status`)).json()
        expect(assets.find(({ id }: { id: number }) => id === assetId).status).toBe('down')
        expect(await openOnBoard(reader.origin, assetId)).toBeGreaterThan(before)
      }
      expect(await Promise.all([one.end(), two.end()])).toEqual([0, 0])
    })
  })
})

/** How many open reports the status page gives an asset: it names one, "2 more" counts the rest. */
async function openOnBoard(origin: string, assetId: number): Promise<number> {
  const answer = await fetch(`${origin}/`, { headers: { accept: 'text/html' } })
  const card = load(await answer.text())(`#asset-${assetId}`)
  const named = card.find('[id^="inc-"]').length
  return named + (Number.parseInt(card.find('.past a[href*="open=true"]').text(), 10) || 0)
}
