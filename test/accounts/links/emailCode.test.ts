import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { demoPassword } from '../../../src/vocabulary/people/demo.js'
import { emptyOutbox } from '../../support/email/messages.js'
import { setLastMessage } from '../../support/email/outboxRows.js'
import { useHouse } from '../../support/house/house.js'
import { forgetCounts } from '../../support/house/limits.js'
import { browserOf, hiddenIn, letLinksAge, linksTo } from '../../support/links/guestBrowser.js'
import { count } from '../../support/rows.js'
import { forgetSecondFactors, secondFactorFor } from '../../support/secondFactor.js'

const house = useHouse()
const email = 'resident@example.com'

beforeEach(() => Promise.all([emptyOutbox(), forgetCounts(), forgetSecondFactors()]))

describe('the code of a sign-in email', () => {
  it('signs in where it was asked for, once, and leads where one wanted to go', async () => {
    const { browser, code } = await emailFor(email, { next: '/my-reports' })
    const page = await browser.page('/sign-in/link-sent')
    expect(page('main').text()).toContain(email)
    expect(page('[name=code]').attr()).toMatchObject({ inputmode: 'numeric', autocomplete: 'one-time-code' })
    const signed = await type(browser, code)
    expect([signed.status, signed.headers.get('location')]).toEqual([303, '/my-reports'])
    expect(await browser.user()).toBe(email)
    expect(await count(`audit_entries where action = 'user.sign_in_code_used'`)).toBe(1)
    await browser.ask('/sign-out', { form: {} })
    await browser.ask('/sign-in/link', { form: { email } })
    await letLinksAge(60)
    expect((await type(browser, code)).status).toBe(422)
    expect(await browser.user()).toBeNull()
  })

  it.each(['grouped', 'wide', 'Arabic', 'padded'])('is read when it is typed %s', async (way) => {
    const { browser, code } = await emailFor(email)
    const typed = {
      grouped: `${code.slice(0, 3)} ${code.slice(3)}`,
      wide: inScript(code, 0xff10),
      Arabic: inScript(code, 0x660),
      padded: ` ${code}\u00a0`,
    }
    expect((await type(browser, typed[way as keyof typeof typed])).status).toBe(303)
  })

  it('does nothing in another browser, also in one that asked for an email to someone else', async () => {
    const { code } = await emailFor(email)
    const stranger = browserOf(house)
    expect((await type(stranger, code)).status).toBe(422)
    await stranger.ask('/sign-in/link', { form: { email: 'board@example.com' } })
    expect((await type(stranger, code)).status).toBe(422)
    expect(await stranger.user()).toBeNull()
  })

  it('is over with the link, whichever is used first', async () => {
    const first = await emailFor(email)
    await first.browser.ask(first.path, { form: {} })
    await first.browser.ask('/sign-out', { form: {} })
    expect((await type(first.browser, first.code)).status).toBe(422)
    await emptyOutbox()
    const second = await emailFor(email)
    await type(second.browser, second.code)
    await second.browser.ask('/sign-out', { form: {} })
    expect((await second.browser.ask(second.path)).status).toBe(404)
    await emptyOutbox()
    const late = await emailFor(email)
    await letLinksAge(16 * 60)
    expect((await type(late.browser, late.code)).status).toBe(422)
  })

  it('can be tried three times; then the link of the same email still works', async () => {
    const { browser, code, path } = await emailFor(email)
    for (let i = 0; i < 3; i++) expect((await type(browser, otherThan(code))).status).toBe(422)
    expect((await type(browser, code)).status).toBe(422)
    expect(await browser.user()).toBeNull()
    await browser.ask(path, { form: {} })
    expect(await browser.user()).toBe(email)
  })

  it('of an older email still works when another was asked for', async () => {
    const { browser, code } = await emailFor(email)
    await browser.ask('/sign-in/link', { form: { email } })
    expect((await type(browser, code)).status).toBe(303)
  })

  it('is stored under a key: neither it nor its plain hash is in the database', async () => {
    const { code } = await emailFor(email)
    const rows = await query<{ isPlain: boolean }>(
      `select code_hash = sha256(convert_to($1, 'UTF8')) as is_plain from email_links where code_hash is not null`,
      [code],
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.some(({ isPlain }) => isPlain)).toBe(false)
    const [dump] = await query<{ text: string }>(`select string_agg(l::text, ' ') as text from email_links l`)
    expect(dump!.text).not.toContain(code)
  })

  it('is the same in an email that is tried again', async () => {
    const { code } = await emailFor(email)
    await setLastMessage('sent_at = null, attempts = 0, next_attempt_at = now()')
    const [again] = await linksTo('/sign-in/link')
    expect(codeIn(again!.text)).toBe(code)
  })

  it('pressed twice leads where the first press led', async () => {
    const { browser, code } = await emailFor(email, { next: '/my-reports' })
    const [one, two] = await Promise.all([type(browser, code), type(browser, code)])
    expect([one.status, two.status]).toEqual([303, 303])
    const places = [one, two].map((answer) => answer.headers.get('location')).sort()
    expect(places).toEqual(['/my-reports', '/sign-in/link-sent'])
    expect((await browser.ask('/sign-in/link-sent')).headers.get('location')).toBe('/my-reports')
  })

  it('pressed twice asks for the second factor both times', async () => {
    const own = browserOf(house)
    await own.ask('/sign-in', { form: { email, password: demoPassword } })
    const { code: factor } = await secondFactorFor(house, own.cookie())
    const { browser, code } = await emailFor(email)
    const presses = await Promise.all([type(browser, code), type(browser, code)])
    for (const press of presses) expect(press.headers.get('location')).toBe('/sign-in/code')
    await browser.ask('/sign-in/code', { form: { code: await factor() } })
    expect(await browser.user()).toBe(email)
  })

  it('asks for the second factor, and gives back no count of passwords', async () => {
    const own = browserOf(house)
    await own.ask('/sign-in', { form: { email, password: demoPassword } })
    const { code: factor } = await secondFactorFor(house, own.cookie())
    await forgetCounts()
    // Whoever has the password has tried it once.
    await browserOf(house).ask('/sign-in', { form: { email, password: demoPassword } })
    const passwords = `throttles where key like 'password-without-code:%' and points = 1`
    expect(await count(passwords)).toBe(1)
    for (const by of ['code', 'link'] as const) {
      await emptyOutbox()
      const { browser, code, path } = await emailFor(email)
      const first = by === 'code' ? await type(browser, code) : await browser.ask(path, { form: {} })
      expect(first.headers.get('location')).toBe('/sign-in/code')
      expect(await browser.user()).toBeNull()
      const done = await browser.ask('/sign-in/code', { form: { code: await factor() } })
      expect(done.status).toBe(303)
      expect(await browser.user()).toBe(email)
      expect(await count(passwords), by).toBe(1)
    }
  })

  it('says the same, and counts the same, where there is no account', async () => {
    const answers: string[][] = []
    for (const address of [email, 'nobody@outside.test']) {
      const browser = browserOf(house)
      await browser.ask('/sign-in/link', { form: { email: address } })
      await linksTo('/sign-in/link')
      const said: string[] = []
      for (let i = 0; i < 7; i++) {
        const answer = await type(browser, '000000')
        said.push(`${answer.status} ${(await answer.text()).replaceAll(address, 'ADDRESS').length}`)
      }
      answers.push(said)
    }
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]!.map((each) => each.slice(0, 3))).toEqual(
      [...'22222'].map(() => '422').concat('429', '429'),
    )
  })
})

describe('the mobile app', () => {
  it('asks for the email, sends its code, and is signed in', async () => {
    const app = browserOf(house)
    const headers = { accept: 'application/json' }
    const asked = await app.ask('/api/auth/sign-in/link', { json: { email }, headers })
    expect([asked.status, await asked.json()]).toEqual([200, { requested: true }])
    const [mail] = await linksTo('/sign-in/link')
    const path = '/api/auth/sign-in/link-code'
    const wrong = await app.ask(path, { json: { code: otherThan(codeIn(mail!.text)) }, headers })
    expect([wrong.status, (await wrong.json()).code]).toEqual([422, 'email_code_wrong'])
    const short = await app.ask(path, { json: { code: '12' }, headers })
    expect([short.status, (await short.json()).errors]).toEqual([422, { code: [expect.any(String)] }])
    const signed = await app.ask(path, { json: { code: codeIn(mail!.text) }, headers })
    expect([signed.status, (await signed.json()).user.email]).toEqual([200, email])
    expect(await app.user()).toBe(email)
  })

  it('makes an account by the code where anyone may', async () => {
    await house.json('admin', '/api/admin/property', { method: 'PATCH', json: { signUp: 'anybody' } })
    const app = browserOf(house)
    const headers = { accept: 'application/json' }
    const address = 'coded@outside.test'
    await app.ask('/api/auth/sign-in/link', { json: { email: address }, headers })
    const [mail] = await linksTo('/sign-up')
    const opened = await app.ask('/api/auth/sign-in/link-code', {
      json: { code: codeIn(mail!.text) },
      headers,
    })
    const { createAccountAt, nameRequired } = await opened.json()
    expect([opened.status, nameRequired]).toEqual([200, true])
    const made = await app.ask(createAccountAt, { json: { name: 'Ida Lindqvist' }, headers })
    expect([made.status, (await made.json()).user.email]).toEqual([200, address])
    expect((await browserOf(house).ask(createAccountAt.replace('/api/auth', ''))).status).toBe(403)
    // The link of the email is used up as well.
    expect((await app.ask(mail!.path)).status).toBe(404)
    await house.json('admin', '/api/admin/property', { method: 'PATCH', json: { signUp: 'office' } })
  })
})

describe('a guest with a report', () => {
  it('is told at each step that it is not sent yet, which one, and until when it is kept', async () => {
    const browser = browserOf(house)
    const form = await browser.page('/report')
    const report = { assetId: '1', title: 'The lift hums <b>at night</b>', severity: 'low' }
    const kept = await browser.ask('/report', { form: { ...hiddenIn(form, 'main form'), ...report } })
    const { page: signIn } = await browser.follow(kept)
    const said = (page: typeof signIn) => page('main').text().replace(/\s+/g, ' ')
    const kind =
      /Your report isn’t sent yet: “The lift hums <b>at night<\/b>”\. .* We’ll keep it until \d\d:\d\d\./
    expect(said(signIn)).toMatch(kind)
    const fields = hiddenIn(signIn, 'form[action="/sign-in"]')
    const asked = await browser.follow(await browser.ask('/sign-in/link', { form: { ...fields, email } }))
    expect(said(asked.page)).toMatch(kind)
    expect(asked.page('form button').text()).toContain('Sign in and send report')
    const [mail] = await linksTo('/sign-in/link')
    const opened = await browser.page(mail!.path)
    expect(said(opened)).toMatch(kind)
    expect(opened('main button').text()).toBe('Sign in and send report')
    const sent = await type(browser, codeIn(mail!.text))
    expect(sent.headers.get('location')).toMatch(/^\/incidents\/\d+\?notice=reported/)
  })
})

/** Asks for an email in a browser of its own, and reads it. */
async function emailFor(address: string, more: Record<string, string> = {}) {
  const browser = browserOf(house)
  await browser.ask('/sign-in/link', { form: { email: address, ...more } })
  const [mail] = await linksTo('/sign-in/link')
  return { browser, path: mail!.path, code: codeIn(mail!.text) }
}

const codeIn = (text: string) => /^\d{6}$/m.exec(text)![0]
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
/** `zero`: the code point of the script's 0. */
const inScript = (digits: string, zero: number) =>
  digits.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))

function type(browser: ReturnType<typeof browserOf>, code: string) {
  return browser.ask('/sign-in/link-sent', { form: { code } })
}
