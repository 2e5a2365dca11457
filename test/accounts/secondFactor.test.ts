import { load } from 'cheerio'
import { beforeEach, describe, expect, it } from 'vitest'
import { resetSecondFactorOf } from '../../src/accounts/people/makeAdmin.js'
import { query } from '../../src/platform/db/database.js'
import { demoPassword } from '../../src/vocabulary/people/demo.js'
import { giveDemoPassword, lastActOn, mailedLinks, outliveSessions, userIdOf } from '../support/accounts.js'
import { emptyOutbox, takeMessages } from '../support/email/messages.js'
import { cookieOf, deviceIn } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts } from '../support/house/limits.js'
import { ownPassword } from '../support/house/newcomer.js'
import { scalar } from '../support/rows.js'
import { codeNow, forgetSecondFactors, secondFactorFor, startSecondFactor } from '../support/secondFactor.js'

const house = useHouse()
const page = '/account/second-factor'
const email = 'resident@example.com'

beforeEach(async () => {
  await forgetCounts()
  await forgetSecondFactors()
  await query('delete from pending_sign_ins')
})

describe('setting up a second factor', () => {
  it('works without script: a code to scan or type, a first right code, and ten codes to print, shown once', async () => {
    const signed = await house.signIn(email)
    const silent = { accept: 'text/html', cookie: signed }
    const send = async (from: ReturnType<typeof load>, action: string, form: Record<string, string> = {}) =>
      house.ask('guest', action, {
        form: { ...form, formToken: from(`form[action="${action}"] input[name=formToken]`).attr('value')! },
        headers: silent,
      })
    const before = await house.page('guest', page, { headers: silent })
    expect((await send(before, page)).status).toBe(303)
    const setup = await house.page('guest', page, { headers: silent })
    expect(setup('svg[role=img]').attr('aria-label')).toContain('authenticator app')
    const secret = setup('.secret').text()
    expect(secret.replaceAll(' ', '')).toMatch(/^[A-Z2-7]{32}$/)
    expect((await house.json({ cookie: signed }, '/api/account')).secondFactor).toBe(false)

    const wrong = await send(setup, `${page}/confirmation`, { code: '000000' })
    expect(wrong.status).toBe(422)
    expect((await house.me(signed)).email).toBe(email)
    const refused = load(await wrong.text())
    expect(refused('#confirmation-code-error').text()).toContain('wrong or already used')
    expect(refused('.secret').text()).toBe(secret)

    const right = await send(setup, `${page}/confirmation`, { code: codeNow(secret) })
    expect([right.status, right.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    const shown = load(await right.text())
    const codes = shown('.codes code')
      .toArray()
      .map((each) => shown(each).text())
    expect(new Set(codes).size).toBe(10)
    const afterwards = (await house.page('guest', page, { headers: silent })).html()
    for (const hidden of [secret, ...codes]) expect(afterwards).not.toContain(hidden)
    expect((await house.json({ cookie: signed }, '/api/account')).secondFactor).toBe(true)

    const stored = await everythingStored()
    for (const hidden of [
      secret,
      secret.replaceAll(' ', ''),
      ...codes,
      ...codes.map((c) => c.replace('-', '')),
    ])
      expect(stored).not.toContain(hidden)
    expect(await lastActOn(await userIdOf(email))).toMatchObject({
      action: 'user.second_factor_on',
      changes: {},
    })
  })

  it('asks for nothing until it is confirmed, and ends the other sessions when it is', async () => {
    const [one, other] = [await house.signIn(email), await house.signIn(email)]
    await startSecondFactor(house, one)
    expect((await house.attemptSignIn({ email })).status).toBe(200)
    await secondFactorFor(house, one)
    expect(await house.me(other)).toBeNull()
    expect((await house.me(one)).email).toBe(email)
  })

  it('is given up by the button that turns it off, not begun anew while it is on, and turned off with its codes', async () => {
    const cookie = await house.signIn(email)
    await startSecondFactor(house, cookie)
    expect((await house.submit({ cookie }, `${page}/off`)).status).toBe(303)
    const state = await house.json({ cookie }, `/api${page}`)
    expect(state).toEqual({ state: 'off', codesLeft: 0 })
    await secondFactorFor(house, cookie)
    expect((await house.submit({ cookie }, page)).status).toBe(409)
    const json = { method: 'DELETE', headers: { cookie } }
    expect((await house.ask('guest', `/api${page}`, json)).status).toBe(204)
    expect(await query('select from recovery_codes')).toEqual([])
    expect((await house.attemptSignIn({ email })).status).toBe(200)
  })
})

describe('signing in with a second factor', () => {
  it('takes the code along as JSON', async () => {
    const { code } = await secondFactorFor(house, await house.signIn(email))
    expect(await problem(await house.attemptSignIn({ email }))).toEqual([401, 'second_factor_required'])
    expect(await problem(await house.attemptSignIn({ email, code: '000000' }))).toEqual([401, 'wrong_code'])
    expect(await lastActOn(await userIdOf(email))).toMatchObject({ action: 'user.code_refused', changes: {} })
    expect(
      await problem(await house.attemptSignIn({ email, password: 'wrong', code: await code() })),
    ).toEqual([401, 'wrong_credentials'])
    const answer = await house.attemptSignIn({ email, code: await code() })
    expect(answer.status).toBe(200)
    expect((await house.me(cookieOf(answer))).email).toBe(email)
  })

  it('asks for it on a page of its own, without script, and goes on where one wanted to', async () => {
    const { code } = await secondFactorFor(house, await house.signIn(email))
    const first = await house.ask('guest', '/sign-in?next=/my-reports', { headers: { accept: 'text/html' } })
    const guest = cookieOf(first)
    const form = load(await first.text())
    const formToken = form('input[name=formToken]').attr('value')!
    const begun = await house.ask({ cookie: guest }, '/sign-in', {
      form: { email, password: demoPassword, next: '/my-reports', formToken },
      headers: { accept: 'text/html' },
    })
    expect([begun.status, begun.headers.get('location')]).toEqual([303, '/sign-in/code'])
    const cookie = `${guest}; ${cookieOf(begun)}`
    expect(await house.me(cookie)).toBeNull()
    expect((await house.ask({ cookie }, '/api/contacts')).status).toBe(401)

    const asked = await house.page({ cookie }, '/sign-in/code')
    expect(asked('#code').attr()).toMatchObject({ autocomplete: 'one-time-code', inputmode: 'numeric' })
    const printed = await house.page({ cookie }, asked('a[href^="/sign-in/code?"]').attr('href')!)
    expect(printed('#code').attr('inputmode')).toBe('text')

    const wrong = await house.ask({ cookie }, '/sign-in/code', {
      form: { code: '000000', formToken },
      headers: { accept: 'text/html' },
    })
    expect([wrong.status, load(await wrong.text())('#code').attr('value')]).toEqual([422, ''])
    const right = await house.ask({ cookie }, '/sign-in/code', {
      form: { code: await code(), formToken },
      headers: { accept: 'text/html' },
    })
    expect([right.status, right.headers.get('location')]).toEqual([303, '/my-reports'])
    expect((await house.me(cookieOf(right))).email).toBe(email)
  })

  it('keeps what was typed before the session had ended', async () => {
    const old = await house.signIn(email)
    const { code } = await secondFactorFor(house, old)
    const report = await house.page({ cookie: old }, '/report')
    await outliveSessions(await userIdOf(email))
    const refused = load(
      await (
        await house.submit({ cookie: old }, '/report', {
          title: 'It <hums>',
          severity: 'low',
          assetId: '1',
          writer: report('input[name=writer]').attr('value')!,
        })
      ).text(),
    )
    const begun = await begin({ typed: refused('input[name=typed]').attr('value')! })
    // Too late for the code, the next sign-in has it still.
    await endPendingSignIns()
    const late = load(await (await sendCode(cookieOf(begun), await code())).text())
    const again = await begin({ typed: late('input[name=typed]').attr('value')! })
    const answer = await sendCode(cookieOf(again), await code())
    expect(answer.status).toBe(200)
    expect(load(await answer.text())('#title').attr('value')).toBe('It <hums>')
    expect(await query('select from pending_sign_ins where expires_at > now()')).toEqual([])
  })

  it('is begun in one browser and ended in no other, within ten minutes, once', async () => {
    const { code } = await secondFactorFor(house, await house.signIn(email))
    const begun = cookieOf(await begin())
    expect((await sendCode('', await code())).status).toBe(401)
    expect(
      (
        await house.submit(
          { cookie: begun.replace(/caretaker-code=[^;]*/, 'caretaker-code=invented') },
          '/sign-in/code',
        )
      ).status,
    ).toBe(401)
    expect((await sendCode(begun, await code())).status).toBe(303)
    expect((await sendCode(begun, await code())).status).toBe(401)
    const late = cookieOf(await begin())
    await endPendingSignIns()
    expect((await sendCode(late, await code())).status).toBe(401)
    const left = await house.ask({ cookie: late }, '/sign-in/code', {
      headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' },
    })
    expect([left.status, left.headers.get('location')]).toEqual([303, '/sign-in'])
  })

  it.each([
    ['a new password', { password: 'another quiet evening' }],
    ['an account made inactive', { active: false }],
  ])('is over after %s', async (_what, json) => {
    const { id, email, cookie } = await house.newcomer()
    const { code } = await secondFactorFor(house, cookie)
    const begun = cookieOf(await begin({ email, password: ownPassword }))
    await house.json('admin', `/api/admin/users/${id}`, { method: 'PATCH', json })
    const answer = await sendCode(begun, await code())
    expect(answer.status).toBe(401)
  })

  it('is over when the account is not active, even where nothing else has changed', async () => {
    const { id, email, cookie } = await house.newcomer()
    const { code } = await secondFactorFor(house, cookie)
    const begun = cookieOf(await begin({ email, password: ownPassword }))
    await query('update users set active = false where id = $1', [id])
    expect((await sendCode(begun, await code())).status).toBe(401)
  })

  it('accepts no code a second time, nor one of before it', async () => {
    const { secret } = await secondFactorFor(house, await house.signIn(email))
    // The half minute of the code that was used may be over by now.
    const at = await scalar<number>('select last_step * 30000 as at from second_factors')
    expect(await problem(await house.attemptSignIn({ email, code: codeNow(secret, at) }))).toEqual([
      401,
      'wrong_code',
    ])
    expect(await problem(await house.attemptSignIn({ email, code: codeNow(secret, at - 30_000) }))).toEqual([
      401,
      'wrong_code',
    ])
    expect((await house.attemptSignIn({ email, code: codeNow(secret, at + 30_000) })).status).toBe(200)
  })

  it('lets one of many in who come with the same code at once', async () => {
    const { code, codes } = await secondFactorFor(house, await house.signIn(email))
    for (const same of [await code(), codes[0]!]) {
      await forgetCounts()
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => house.attemptSignIn({ email, code: same })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
    }
  })

  it('takes each printed code once, however it is typed', async () => {
    const cookie = await house.signIn(email)
    const { codes } = await secondFactorFor(house, cookie)
    const [first, second] = codes as [string, string]
    expect(
      (await house.attemptSignIn({ email, code: ` ${first.toUpperCase().replace('-', ' ')} ` })).status,
    ).toBe(200)
    expect((await house.attemptSignIn({ email, code: first })).status).toBe(401)
    expect(await house.json({ cookie }, `/api${page}`)).toEqual({
      state: 'on',
      codesLeft: 9,
    })
    const remade = load(await (await house.submit({ cookie }, `${page}/recovery-codes`)).text())
    expect(remade('.codes code').length).toBe(10)
    expect((await house.attemptSignIn({ email, code: second })).status).toBe(401)
    expect((await house.attemptSignIn({ email, code: remade('.codes code').first().text() })).status).toBe(
      200,
    )
  })

  it('is asked for after a link in an email, too', async () => {
    const { code } = await secondFactorFor(house, await house.signIn(email))
    await emptyOutbox()
    await house.ask('guest', '/api/auth/forgot-password', { json: { email } })
    const [link] = await mailedLinks()
    const chosen = await house.submit('guest', link!.path, { password: 'another quiet evening' })
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/sign-in/code'])
    expect(await house.me(cookieOf(chosen))).toBeNull()
    expect((await sendCode(cookieOf(chosen), await code())).status).toBe(303)
    await giveDemoPassword(await userIdOf(email))
  })

  it('is over for good under another SESSION_SECRET, but for printed codes', async () => {
    const { secret, code, codes } = await secondFactorFor(house, await house.signIn(email))
    // Another byte than it was, whichever that is.
    await query('update second_factors set secret = set_byte(secret, 19, get_byte(secret, 19) # 1)')
    await code()
    expect((await house.attemptSignIn({ email, code: codeNow(secret) })).status).toBe(401)
    expect((await house.attemptSignIn({ email, code: codes[3] })).status).toBe(200)
  })
})

it('a second factor that was begun and left shows its secret to no one who finds the browser open later', async () => {
  const cookie = await house.signIn(email)
  const secret = await startSecondFactor(house, cookie)
  await query(`update second_factors set created_at = now() - interval '11 minutes'`)
  const found = await house.page({ cookie }, page)
  expect(found.html()).not.toContain(secret)
  expect(found(`form[action="${page}"] button`).length).toBe(1)
  expect(await startSecondFactor(house, cookie)).not.toBe(secret)
})

describe('guessing codes', () => {
  it('ends the step after five, and the account waits then, from anywhere', async () => {
    const { code } = await secondFactorFor(house, await house.signIn(email))
    const begun = cookieOf(await begin())
    for (let i = 0; i < 4; i++) expect((await sendCode(begun, '000000')).status).toBe(422)
    expect((await sendCode(begun, '000000')).status).toBe(401)
    expect((await sendCode(begun, await code())).status).toBe(401)
    const limited = await house.attemptSignIn({ email, code: await code() })
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('is counted when the code is left out: a sign-in that is begun costs us, too', async () => {
    const { code } = await secondFactorFor(house, await house.signIn(email))
    for (let i = 0; i < 30; i++) expect((await house.attemptSignIn({ email })).status).toBe(401)
    expect((await house.attemptSignIn({ email })).status).toBe(429)
    expect((await house.attemptSignIn({ email, code: await code() })).status).toBe(200)
    expect((await house.attemptSignIn({ email })).status).toBe(429)
  })

  it('is forgotten once someone is in, in a browser that the account knows', async () => {
    const session = await house.signIn(email)
    const { code } = await secondFactorFor(house, session)
    const headers = { cookie: deviceIn(session) }
    const attempt = async (sent?: string) =>
      (await house.attemptSignIn({ email, code: sent }, { headers })).status
    for (let i = 0; i < 30; i++) expect(await attempt()).toBe(401)
    expect(await attempt()).toBe(429)
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) expect(await attempt('000000')).toBe(401)
      expect(await attempt(await code())).toBe(200)
      expect(await attempt()).toBe(401)
    }
  })

  it('gives whoever has the password no fresh guesses when the owner signs in elsewhere', async () => {
    const { code } = await secondFactorFor(house, await house.signIn(email))
    const guess = async () => (await house.attemptSignIn({ email, code: '000000' })).status
    const signIn = async () => (await house.attemptSignIn({ email, code: await code() })).status
    for (let i = 0; i < 4; i++) expect([await guess(), await signIn()]).toEqual([401, 200])
    expect([await guess(), await guess()]).toEqual([401, 429])
  })

  it('counts no sign-in that ends well, in one step or in two, however many there are', async () => {
    const { code } = await secondFactorFor(house, await house.signIn(email))
    for (let i = 0; i < 6; i++) {
      expect((await house.attemptSignIn({ email, code: await code() })).status).toBe(200)
      expect((await sendCode(cookieOf(await begin()), await code())).status).toBe(303)
    }
    const counted = await query(
      `select key from throttles where key ~ '^(code|password-without)' and points > 0`,
    )
    expect(counted).toEqual([])
  })
})

describe('a house that demands it of its staff', () => {
  const demand = (cookie: string, secondFactorRequired = 'staff') =>
    house.ask({ cookie }, '/api/admin/property', { method: 'PATCH', json: { secondFactorRequired } })

  it('is made so by someone who has it', async () => {
    const admin = await house.signIn('admin@example.com')
    const refused = await demand(admin)
    expect(refused.status).toBe(422)
    expect((await refused.json()).errors.secondFactorRequired).toHaveLength(1)
    expect((await demand(admin, 'everybody')).status).toBe(422)
    await secondFactorFor(house, admin)
    expect((await (await demand(admin)).json()).secondFactorRequired).toBe('staff')
  })

  it('closes the office to those without, who see what residents see until they have it', async () => {
    const [admin, board] = [await house.signIn('admin@example.com'), await house.signIn('board@example.com')]
    const headers = { cookie: board }
    await secondFactorFor(house, admin)
    await demand(admin)
    const id = await house.report({ assetId: 1, title: 'Hidden', severity: 'low', isAnonymous: true })
    for (const path of ['/api/admin/units', '/api/export/incidents.csv', '/api/admin/webhooks'])
      expect(await problem(await house.ask('guest', path, { headers }))).toEqual([
        403,
        'second_factor_needed',
      ])
    expect(await problem(await house.ask('guest', '/api/admin/users', { headers }))).toEqual([
      403,
      'forbidden',
    ])
    const update = { json: { body: 'x', newStatus: 'acknowledged' }, headers }
    expect(await problem(await house.ask('guest', `/api/incidents/${id}/updates`, update))).toEqual([
      403,
      'second_factor_needed',
    ])
    expect((await house.json('guest', `/api/incidents/${id}`, { headers })).reporterName).toBe(
      'Anonymous resident',
    )
    expect((await house.ask('guest', '/api/contacts', { headers })).status).toBe(200)
    const refusal = await house.page('guest', '/admin', { headers })
    expect(refusal('main a.button').attr('href')).toBe(page)
    expect((await house.page('guest', page, { headers }))('.warning').length).toBe(1)

    expect((await house.attemptSignIn({ email })).status).toBe(200)
    const { code } = await secondFactorFor(house, board)
    expect((await house.ask('guest', '/api/admin/units', { headers })).status).toBe(200)
    expect(await problem(await house.ask('guest', `/api${page}`, { method: 'DELETE', headers }))).toEqual([
      409,
      'second_factor_demanded',
    ])
    const again = await house.attemptSignIn({ email: 'board@example.com', code: await code() })
    expect((await house.ask({ cookie: cookieOf(again) }, '/api/admin/units')).status).toBe(200)
  })
})

describe('a lost second factor', () => {
  it('is taken away by an admin, who ends the sessions and tells the person', async () => {
    const cookie = await house.signIn(email)
    await secondFactorFor(house, cookie)
    await emptyOutbox()
    const id = await userIdOf(email)
    const admin = await house.signIn('admin@example.com')
    expect((await house.page({ cookie: admin }, `/admin/users/${id}`)).text()).toContain(
      'Reset two-step sign-in',
    )
    expect((await house.submit({ cookie: admin }, `/admin/users/${id}/second-factor-reset`)).status).toBe(303)
    expect(await lastActOn(id)).toMatchObject({
      action: 'user.second_factor_reset',
      actorId: await userIdOf('admin@example.com'),
    })
    expect(await house.me(cookie)).toBeNull()
    const { emails } = await takeMessages()
    expect(emails.map(({ to, subject }) => [to.address, subject])).toEqual([
      [email, 'Two-step sign-in was reset'],
    ])
    expect((await house.attemptSignIn({ email })).status).toBe(200)
  })

  it('is taken away on the command line by the address, whatever its case', async () => {
    await secondFactorFor(house, await house.signIn(email))
    expect(await resetSecondFactorOf(email.toUpperCase())).toBe(await userIdOf(email))
    expect((await house.attemptSignIn({ email })).status).toBe(200)
    await expect(resetSecondFactorOf('nobody@example.com')).rejects.toThrow()
  })
})

/** Signs in as far as the password, on the page. */
function begin(fields: Record<string, string> = {}) {
  return house.submit('guest', '/sign-in', { email, password: demoPassword, ...fields })
}

/** Sends the code on the page that asks for it after the password. */
function sendCode(cookie: string, code: string) {
  return house.submit({ cookie }, '/sign-in/code', { code })
}

/** Its status and the code of its problem. */
async function problem(answer: Response) {
  return [answer.status, (await answer.json()).code]
}

/** Whoever is between the password and the code has waited for too long. */
async function endPendingSignIns() {
  await query(`update pending_sign_ins set expires_at = now() - interval '1 second'`)
}

/** Everything a dump of the database, its audit log and its emails would show. */
async function everythingStored() {
  return JSON.stringify(
    await Promise.all(
      ['second_factors', 'recovery_codes', 'audit_entries', 'outbox', 'pending_sign_ins', 'sessions'].map(
        (table) => query(`select row_to_json(t)::text as row from ${table} t`),
      ),
    ),
  )
}
