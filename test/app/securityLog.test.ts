import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { securityEvents } from '../../src/vocabulary/securityEvents.js'
import { userIdOf } from '../support/accounts.js'
import { useDatabase } from '../support/database.js'
import { cookieOf } from '../support/house/asking.js'
import { forgetCounts } from '../support/house/limits.js'
import { keys } from '../support/keys.js'
import { type Caretaker, logLines, startCaretaker } from '../support/process.js'
import { newBrowser, serverKeys, subscriptionOf } from '../support/push/subscription.js'
import { count, insertRow } from '../support/rows.js'
import { eventually } from '../support/run/eventually.js'
import { newFolder } from '../support/run/folders.js'
import { forgetSecondFactors, letTimePass, secondFactorWithoutCodes } from '../support/secondFactor.js'

const folder = newFolder()
const url = useDatabase()
let server: Caretaker

beforeAll(async () => {
  server = await startCaretaker(settings())
})
afterAll(() => server.end())

describe('the log of a defender', () => {
  it('tells a sign-in from a wrong one, by whom and from where', async () => {
    const id = await userIdOf('resident@example.com')
    const wrong = await attemptSignIn('Resident@example.com', canary('password'))
    expect(wrong.said).toEqual([
      {
        level: 'warn',
        time: expect.any(String),
        event: 'sign_in.failed',
        requestId: wrong.answer.headers.get('x-request-id'),
        client: '203.0.113.7',
        method: 'POST',
        path: '/api/auth/sign-in/email',
        userAgent: expect.stringMatching(/^Tester\/1 x+$/),
        as: 'guest',
        account: `user:${id}`,
        code: 'wrong_credentials',
        msg: 'security',
      },
    ])
    expect(String(wrong.said[0]!.userAgent).length).toBeLessThanOrEqual(200)
    const right = await attemptSignIn('resident@example.com', demoPassword)
    expect(right.said).toMatchObject([
      { level: 'info', event: 'sign_in.succeeded', userId: id, client: '203.0.113.7' },
    ])
  })

  it('names an address that no one has, but nothing that is none: people type passwords there', async () => {
    const unknown = await attemptSignIn('Nobody@Example.com', canary('password'))
    expect(unknown.said).toMatchObject([{ event: 'sign_in.failed', account: 'nobody@example.com' }])
    const slipped = await attemptSignIn(canary('slipped'), canary('password'), {
      'x-forwarded-for': '192.0.2.44',
    })
    expect(slipped.said).toMatchObject([{ event: 'sign_in.failed', account: '(no address)' }])
  })

  it('tells of a sign-in at a provider that failed, and nothing of its code and state', async () => {
    const returned = new URLSearchParams({
      code: canary('code'),
      state: canary('state'),
      error: canary('error'),
    })
    const over = await ask(`/sign-in/oidc/callback?${returned}`)
    expect(over.said).toMatchObject([
      {
        event: 'sign_in.failed',
        code: 'sign_in_over',
        path: '/sign-in/oidc/callback',
        client: '203.0.113.7',
      },
    ])
    const away = await ask('/sign-in/oidc')
    expect(away.answer.status).toBe(503)
    expect(away.said).toMatchObject([{ event: 'sign_in.failed', code: 'provider_away' }])
  })

  it('tells what is one too many', async () => {
    const from = { 'x-forwarded-for': '2001:db8::7' }
    for (let i = 0; i < 2; i++) await attemptSignIn('board@example.com', canary('password'), from)
    const { said } = await attemptSignIn('board@example.com', canary('password'), from)
    expect(said).toMatchObject([
      {
        level: 'warn',
        event: 'throttled',
        account: `user:${await userIdOf('board@example.com')}`,
        client: '2001:db8::7',
      },
    ])
  })

  it('tells wrong guesses of one’s own password and of links', async () => {
    const cookie = await signedInAs('manager@example.com')
    const json = { currentPassword: canary('password'), password: canary('new') }
    const guess = await ask('/api/account/password', { json, headers: { cookie } })
    expect(guess.said).toMatchObject([
      { event: 'password.wrong', userId: await userIdOf('manager@example.com') },
    ])
    for (const where of [
      '/reset-password/',
      '/RESET-PASSWORD/',
      '/api/auth/Invitation/',
      '/sign-in/link/',
      '/fixed/',
    ]) {
      const { said } = await ask(where + canary('token'), {
        headers: { 'x-forwarded-for': `192.0.2.${where.length}` },
      })
      expect(said).toMatchObject([{ event: 'link.wrong', path: `${where}…` }])
    }
  })

  it('tells wrong codes of a second factor, with whose it is: the password was right', async () => {
    const email = 'board@example.com'
    const cookie = await signedInAs(email)
    const id = await userIdOf(email)
    await secondFactorWithoutCodes(id)
    const from = { 'x-forwarded-for': '192.0.2.71' }
    const json = { email, password: demoPassword, code: canary('code') }
    const { said } = await ask('/api/auth/sign-in/email', { json, headers: from })
    expect(said).toMatchObject([{ event: 'code.wrong', account: `user:${id}`, code: 'wrong_code' }])
    const headers = { cookie, 'x-forwarded-for': '192.0.2.72' }
    const again = (againPassword: string) =>
      ask('/api/account', { json: { againPassword, againCode: canary('code') }, method: 'PATCH', headers })
    expect((await again(canary('password'))).said).toMatchObject([{ event: 'password.wrong', userId: id }])
    await forgetCounts('code:')
    expect((await again(demoPassword)).said).toMatchObject([{ event: 'code.wrong', userId: id }])
    await forgetSecondFactors()
    await letTimePass()
    expect((await ask('/api/account/sessions', { method: 'DELETE', headers })).said).toEqual([])
  })

  it('tells what another site sends, and what lacks a form’s token', async () => {
    const cookie = await signedInAs('manager@example.com')
    const foreign = await ask('/api/incidents', {
      json: { title: canary('body') },
      headers: { cookie, origin: 'https://evil.test' },
    })
    expect(foreign.said).toMatchObject([{ event: 'csrf.refused', code: 'foreign_origin' }])
    const silent = await ask('/account', { json: { name: canary('body') }, headers: { cookie } })
    expect(silent.said).toMatchObject([{ event: 'csrf.refused', code: 'form_expired' }])
  })

  it('tells who was refused with a credential, and nothing of guests at a closed door', async () => {
    const cookie = await signedInAs('resident@example.com')
    const { said: forbidden } = await ask('/api/admin/users?q=canary', { headers: { cookie } })
    expect(forbidden).toMatchObject([
      { event: 'permission.refused', as: 'resident', path: '/api/admin/users' },
    ])
    const { said: bearer } = await ask('/api/contacts', {
      headers: { authorization: `Bearer ${canary('bearer')}` },
    })
    expect(bearer).toMatchObject([{ event: 'credential.refused', as: 'unknown' }])
    await query('delete from sessions')
    const { said: over } = await ask('/api/account', { headers: { cookie } })
    expect(over).toMatchObject([{ event: 'credential.refused', as: 'guest' }])
    expect((await ask('/api/account')).said).toEqual([])
    expect((await ask('/api/nowhere')).said).toEqual([])
  })

  it('tells of a wrong email secret, any or none', async () => {
    for (const headers of [
      {},
      { authorization: `Bearer ${canary('mail')}` },
      { authorization: `Bearer ${keys.CRON_SECRET}` },
    ]) {
      const { answer, said } = await ask('/api/inbound-email', {
        json: { from: canary('body') },
        headers: { ...headers },
      })
      expect(answer.status).toBe(401)
      expect(said).toMatchObject([{ event: 'email_secret.wrong', level: 'warn' }])
    }
  })

  it('tells where a webhook was not allowed to go, when it is saved and when it is sent', async () => {
    const cookie = await signedInAs('admin@example.com')
    const json = { url: `http://10.0.0.1/${canary('path')}`, events: [], secret: canary('secret') }
    const { said } = await ask('/api/admin/webhooks', { json, headers: { cookie } })
    expect(said).toMatchObject([{ event: 'webhook_address.refused', host: '10.0.0.1' }])
    // Saved while the address was allowed.
    const { id } = await insertRow('webhook_subscriptions', {
      url: `http://10.0.0.2/${canary('path')}`,
      secret: canary('secret'),
      events: [],
    })
    await ask(`/api/admin/webhooks/${id}/test`, { json: {}, headers: { cookie } })
    await expect
      .poll(lines)
      .toContainEqual(
        expect.objectContaining({ event: 'webhook_address.refused', subscriptionId: id, host: '10.0.0.2' }),
      )
  })

  it('tells where a push to a browser was not allowed to go', async () => {
    const resident = await signedInAs('resident@example.com')
    const { p256dh, auth, serverKey } = subscriptionOf(newBrowser(), serverKeys.publicKey)
    const { id } = await insertRow('devices', {
      token: `https://10.0.0.3/${canary('path')}`,
      platform: 'browser',
      user_id: await userIdOf('resident@example.com'),
      p256dh,
      auth,
      server_key: serverKey,
      user_agent: '',
      browser_hash: createHash('sha256').update('x').digest(),
    })
    const json = { assetId: 1, title: 'Lamp', severity: 'low' }
    await ask('/api/incidents', { json, headers: { cookie: resident } })
    await expect
      .poll(lines, { timeout: 60_000 })
      .toContainEqual(
        expect.objectContaining({ event: 'push_address.refused', deviceId: id, host: '10.0.0.3' }),
      )
  })

  it('tells of every way a session ends', async () => {
    const admin = await signedInAs('admin@example.com')
    const email = 'manager@example.com'
    const id = await userIdOf(email)
    const mine = async () => ({ headers: { cookie: await signedInAs(email) } })
    const ways: [string, () => ReturnType<typeof ask>][] = [
      ['user.signed_out', async () => ask('/api/auth/sign-out', { method: 'POST', ...(await mine()) })],
      [
        'user.signed_out_elsewhere',
        async () => ask('/api/account/sessions', { method: 'DELETE', ...(await mine()), ...(await mine()) }),
      ],
      [
        'user.signed_out_everywhere',
        () => ask(`/api/admin/users/${id}/sign-out`, { method: 'POST', headers: { cookie: admin } }),
      ],
      [
        'user.second_factor_reset',
        async () => {
          await secondFactorWithoutCodes(id)
          return ask(`/api/admin/users/${id}/second-factor-reset`, {
            method: 'POST',
            headers: { cookie: admin },
          })
        },
      ],
      [
        'user.updated',
        () =>
          ask(`/api/admin/users/${id}`, {
            method: 'PATCH',
            json: { role: 'board' },
            headers: { cookie: admin },
          }),
      ],
    ]
    for (const [action, act] of ways)
      expect(
        (await act()).said.filter(({ event }) => event === 'session.ended'),
        action,
      ).toMatchObject([
        {
          level: 'info',
          action,
          ofUser: id,
          client: '203.0.113.7',
          via: 'web',
          requestId: expect.any(String),
        },
      ])
    const renamed = await ask(`/api/admin/users/${id}`, {
      method: 'PATCH',
      json: { name: 'Tom Z' },
      headers: { cookie: admin },
    })
    expect(renamed.said).toEqual([])
  })

  it('keeps what a client calls its request apart from what we call it', async () => {
    const { answer, said } = await attemptSignIn('nobody@example.com', canary('password'), {
      'x-request-id': 'forged-id-0000000001',
      'x-forwarded-for': '192.0.2.55',
    })
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    expect(said).toMatchObject([
      { requestId: answer.headers.get('x-request-id'), clientRequestId: 'forged-id-0000000001' },
    ])
    const strange = await attemptSignIn('nobody@example.com', canary('password'), {
      'x-request-id': 'a b"c'.repeat(30),
      'x-forwarded-for': '192.0.2.56',
    })
    expect(strange.said[0]).not.toHaveProperty('clientRequestId')
    await attemptSignIn('board@example.com', demoPassword, {
      'x-request-id': 'forged-id-0000000001',
      'x-forwarded-for': '192.0.2.57',
    })
    expect(await count(`audit_entries where request_id like 'forged%'`)).toBe(0)
  })

  it('had a line of each event there is, at the level it is meant to have, and never a secret in any', () => {
    const seen = new Map(lines().map(({ event, level }) => [event, level]))
    expect(Object.fromEntries(seen)).toEqual(securityEvents)
    expect(server.output()).not.toMatch(/canary-/i)
    for (const secret of [demoPassword, ...Object.values(keys), serverKeys.privateKey])
      expect(server.output()).not.toContain(secret)
    expect(server.output()).not.toMatch(/caretaker(\.sig)?=/)
  })
})

/**
 * Everything a secret could be, sent wherever something can be sent: none of it
 * may ever be written down.
 */
function canary(what: string) {
  return `Canary-${what}-5up3rs3cr3t`
}

/** With a provider at which no one listens, and pushes to browsers. */
function settings(): Record<string, string> {
  return {
    ...keys,
    DATABASE_URL: url(),
    DATA_DIR: folder,
    TRUST_PROXY: 'true',
    LOG_LEVEL: 'info',
    THROTTLE_SIGN_IN: '2',
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'caretaker',
    OIDC_CLIENT_SECRET: canary('client'),
    VAPID_PUBLIC_KEY: serverKeys.publicKey,
    VAPID_PRIVATE_KEY: serverKeys.privateKey,
    VAPID_SUBJECT: 'office@building.example',
  }
}

type Line = Record<string, unknown> & { event: keyof typeof securityEvents }

/** What it has logged for defenders so far. */
function lines() {
  return logLines<Line>(server).filter(({ msg }) => msg === 'security')
}

/** Asks the process; its answer, and what it logged for defenders until then. */
async function ask(
  where: string,
  { headers = {}, ...asked }: { headers?: Record<string, string>; json?: object; method?: string } = {},
) {
  const before = lines().length
  const answer = await fetch(server.origin + where, {
    method: asked.method ?? (asked.json ? 'POST' : 'GET'),
    redirect: 'manual',
    headers: {
      'x-forwarded-for': '203.0.113.7',
      'user-agent': `Tester/1 ${'x'.repeat(1000)}`,
      ...(asked.json ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(asked.json ? { body: JSON.stringify(asked.json) } : {}),
  })
  await answer.arrayBuffer()
  // A pipe brings lines a moment after the answer; that of the request itself
  // is the last of its lines.
  const ended = `"requestId":"${answer.headers.get('x-request-id')}"[^\\n]*"msg":"request"`
  await eventually(() => expect(server.output()).toMatch(new RegExp(ended)))
  return { answer, said: lines().slice(before) }
}

/** Asks to sign in by password. */
function attemptSignIn(email: string, password: string, headers = {}) {
  return ask('/api/auth/sign-in/email', { json: { email, password }, headers })
}

/** The cookies of someone who is signed in. */
async function signedInAs(email: string) {
  return cookieOf((await attemptSignIn(email, demoPassword, { 'x-forwarded-for': '192.0.2.99' })).answer)
}
