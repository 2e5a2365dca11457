import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { welcome } from '../../src/app/welcome.js'
import { config } from '../../src/platform/process/config.js'
import { demoEmails, demoPassword } from '../../src/vocabulary/people/demo.js'
import { makePrivateBuilding, useDatabase } from '../support/database.js'
import { cookieOf } from '../support/house/asking.js'
import { keys } from '../support/keys.js'
import { type Caretaker, endOfCaretaker, runJobProcess, startCaretaker } from '../support/process.js'
import { inWholeRun, itInWholeRun, perRun } from '../support/run/extent.js'
import { newFolder } from '../support/run/folders.js'

const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://building.example' }
const admin = { email: 'owner@example.com', password: 'a quiet rainy day' }

const database = useDatabase()

inWholeRun(() => {
  describe('data of the demo, in production', () => {
    it('opens no door to the demo’s password, which is answered like any wrong one', async () => {
      const before = await startCaretaker(deployed())
      const opened = await attemptSignInAt(before.origin, {
        email: 'resident@example.com',
        password: demoPassword,
      })
      const cookie = cookieOf(opened)
      expect(opened.status).toBe(200)
      await before.end()

      const server = await startCaretaker({
        ...deployed(),
        NODE_ENV: 'production',
        ALLOW_INSECURE_HTTP: 'true',
      })
      const doors: Record<string, (password: string) => Promise<Response>> = {}
      for (const role of ['resident', 'board', 'manager', 'admin']) {
        const email = `${role}@example.com`
        doors[`API, ${role}`] = (password) => attemptSignInAt(server.origin, { email, password })
        doors[`page, ${role}`] = (password) =>
          postTo(server.origin, '/sign-in', { form: { email, password } })
      }
      const next = 'another quiet rainy day'
      doors['own password, API'] = (currentPassword) =>
        postTo(server.origin, '/api/account/password', { cookie, json: { currentPassword, password: next } })
      doors['own password, page'] = (currentPassword) =>
        postTo(server.origin, '/account/password', { cookie, form: { currentPassword, password: next } })
      for (const [door, knock] of Object.entries(doors)) {
        const [demo, wrong] = [
          await said(await knock(demoPassword)),
          await said(await knock('caretaker-dem0')),
        ]
        expect([door, demo]).toEqual([door, wrong])
        expect([door, demo.status, demo.signsIn]).toEqual([door, door.startsWith('own') ? 422 : 401, false])
      }

      await runJobProcess('admin', deployed(), '--email', admin.email, '--password', admin.password)
      expect((await attemptSignInAt(server.origin, admin)).status).toBe(200)
      await server.end()
    })
  })
})

describe('production', () => {
  const insecure: Record<string, string>[] = [{}, { PUBLIC_URL: 'http://building.example' }]
  const tried = perRun({ quick: { every: 2 }, whole: insecure })
  it.each(tried)('does not start, nor runs a job, without https: %o', async (given) => {
    const env = { ...deployed(), NODE_ENV: 'production', ...given }
    const jobs = perRun({ quick: [], whole: ['worker', 'migrate', 'sweep'] })
    const [{ code, output }] = await Promise.all([
      endOfCaretaker(env),
      ...jobs.map((job) =>
        expect(runJobProcess(job, env), job).rejects.toMatchObject({
          code: 78,
          stderr: expect.stringContaining('PUBLIC_URL'),
        }),
      ),
    ])
    expect([code, output]).toEqual([78, expect.stringContaining('PUBLIC_URL')])
  })

  itInWholeRun(
    'runs without it when that is allowed by name, and says once what is missing or wrong',
    async () => {
      const open = { NODE_ENV: 'production', ALLOW_INSECURE_HTTP: 'true' }
      const noKey = { PUSH_ENABLED: 'true', FCM_PRIVATE_KEY: 'no PEM' }
      await runJobProcess('admin', deployed(), '--email', admin.email, '--password', admin.password)
      const server = await startCaretaker({ ...deployed(), ...open, ...noKey })
      expect(server.output().match(/ALLOW_INSECURE_HTTP/g)).toHaveLength(1)
      expect(server.output().match(/FCM_PRIVATE_KEY/g)).toHaveLength(1)
      expect(server.output()).not.toContain('no PEM')
      const answer = await attemptSignInAt(server.origin, admin)
      expect(answer.headers.get('set-cookie')).not.toMatch(/secure|__Host-/i)
      await server.end()
      const secure = await startCaretaker({ ...deployed(), ...production })
      expect(secure.output()).not.toMatch(/ALLOW_INSECURE_HTTP|FCM_PRIVATE_KEY/)
      expect((await attemptSignInAt(secure.origin, admin)).headers.get('set-cookie')).toMatch(
        /__Host-caretaker=.*secure/i,
      )
      await secure.end()
    },
  )
})

/**
 * Whether someone answers there; every address of 127.0.0.0/8 is this computer, so
 * 127.0.0.2 stands for the network.
 */
function answers({ origin }: Caretaker, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(origin).port), host)
    socket.once('connect', () => resolve(socket.destroy() !== null))
    socket.once('error', () => resolve(false))
  })
}

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

const reach = async (server: Caretaker) => [
  await answers(server, '127.0.0.1'),
  await answers(server, '::1'),
  await answers(server, '127.0.0.2'),
]

inWholeRun(() => {
  describe('the embedded default', () => {
    const embedded = { DATA_DIR: path.join(folder, 'embedded'), ...production }
    beforeAll(() => makePrivateBuilding(embedded.DATA_DIR))

    it('listens on this computer alone, takes one stop, and lets webhooks reach nothing on it in production', async () => {
      const server = await startCaretaker({ ...embedded, HOST: '' })
      expect(await reach(server)).toEqual([true, hasIpv6, false])
      expect(server.output()).toContain('HOST=0.0.0.0')
      await runJobProcess('admin', embedded, '--email', admin.email, '--password', admin.password)
      const origin = hasIpv6 ? server.origin.replace('127.0.0.1', '[::1]') : server.origin
      const signedIn = await attemptSignInAt(origin, admin)
      expect(signedIn.status).toBe(200)
      const hook = { url: 'http://127.0.0.1:6379/', events: [], active: true }
      const refused = await postTo(server.origin, '/api/admin/webhooks', {
        cookie: cookieOf(signedIn),
        json: hook,
      })
      expect(refused.status).toBe(422)
      expect(await server.end()).toBe(0)
      expect(await reach(server)).toEqual([false, false, false])
    })

    it('listens where HOST says', async () => {
      const server = await startCaretaker({ ...embedded, HOST: '0.0.0.0' })
      expect(await reach(server)).toEqual([true, false, true])
      await server.end()
    })

    it('listens everywhere with a database of its own', async () => {
      const server = await startCaretaker({ ...deployed(), HOST: '' })
      expect(await reach(server)).toEqual([true, hasIpv6, true])
      await server.end()
    })
  })
})

describe('the welcome', () => {
  const original = { host: config.host, production: config.production }
  afterEach(() => void Object.assign(config, original))
  const text = (given: object, demoAccounts = demoEmails) => {
    Object.assign(config, given)
    return welcome({ port: 3000, seeded: false, demoAccounts, notes: [] })
  }

  it('says who can open it, how to let others, and what that means', () => {
    const shut = text({ host: null, production: false })
    expect(shut).toMatch(
      /Only this computer can open it\. HOST=0\.0\.0\.0 opens it to the network: then everyone/,
    )
    expect(shut).toContain(demoPassword)
    expect(text({ host: '0.0.0.0' })).toContain('open to the network: everyone there can sign in as admin')
    expect(text({ host: '127.0.0.1' })).not.toContain('network')
    const sold = text({ host: null, production: true })
    expect(sold).toContain('HOST=0.0.0.0 opens it to the network.')
    expect(sold).not.toContain(demoPassword)
  })

  it('names no demo account that the building does not have', () => {
    const shut = text({ host: null, production: false }, [])
    expect(shut).not.toContain(demoPassword)
    expect(shut).not.toContain('password below')
    expect(shut).toContain('HOST=0.0.0.0 opens it to the network.')
    expect(text({ host: '0.0.0.0' }, [])).not.toContain('sign in')
    const [resident] = demoEmails
    expect(text({ host: null }, [resident!])).toContain(`Sign in as ${resident}\n`)
  })
})

function deployed() {
  return { DATABASE_URL: database(), DATA_DIR: path.join(folder, 'deployed'), ...keys }
}

type Sent = { cookie?: string; json?: object; form?: Record<string, string> }

async function postTo(origin: string, address: string, { cookie, json, form }: Sent): Promise<Response> {
  return fetch(origin + address, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'sec-fetch-site': 'same-origin',
      'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(cookie ? { cookie } : {}),
    },
    body: json ? JSON.stringify(json) : new URLSearchParams(form),
  })
}

function attemptSignInAt(origin: string, given: object) {
  return postTo(origin, '/api/auth/sign-in/email', { json: given })
}

/** What an answer says, without what differs between any two. */
async function said(answer: Response) {
  const text = (await answer.text())
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27,}/g, 'id')
    .replaceAll(/name="formToken" value="[\w-]+"/g, 'token')
  return { status: answer.status, text, signsIn: cookieOf(answer).includes('caretaker=') }
}
