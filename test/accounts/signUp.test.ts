import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { emptyOutbox } from '../support/email/messages.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts } from '../support/house/limits.js'
import { browserOf, hiddenIn, linksTo } from '../support/links/guestBrowser.js'

const house = useHouse()

beforeEach(async () => {
  await emptyOutbox()
  await forgetCounts()
  await madeBy('anybody')
})

let newcomers = 0

describe('somebody without an account', () => {
  it('gets none where the office makes them, and is answered alike', async () => {
    const open = await linkFor(newAddress())
    await madeBy('office')
    await emptyOutbox()
    const closed = await linkFor(newAddress())
    expect(closed.path).toBeNull()
    expect([closed.answer.status, closed.answer.headers.get('location')]).toEqual([
      open.answer.status,
      open.answer.headers.get('location'),
    ])
    // A link mailed before makes none any more.
    expect((await open.browser.ask(open.path!)).status).toBe(404)
    expect((await open.browser.ask(open.path!, { form: { name: 'Ida Lindqvist' } })).status).toBe(404)
  })

  it('makes a resident’s account behind the link, is signed in, and led on', async () => {
    const address = newAddress()
    const { browser, path } = await linkFor(address, { next: '/my-reports' })
    const page = await browser.page(path!)
    expect(page('main').text()).toContain(address)
    expect(await accountOf(address)).toBeUndefined()
    const made = await browser.ask(path!, { form: { ...hiddenIn(page, 'main form'), name: 'Ida Lindqvist' } })
    expect([made.status, made.headers.get('location')]).toEqual([303, '/my-reports'])
    expect(await browser.user()).toBe(address)
    expect(await accountOf(address)).toEqual({
      name: 'Ida Lindqvist',
      role: 'resident',
      locale: 'en',
      passwordHash: null,
    })
    const [entry] = await query(`select action from audit_entries where action = 'user.signed_up'`)
    expect(entry).toEqual({ action: 'user.signed_up' })
    expect((await browser.ask(path!, { form: { name: 'Ida Again' } })).status).toBe(404)
  })

  it('has the report sent that was typed before, with its photos’ place, once', async () => {
    const browser = browserOf(house)
    const form = await browser.page('/report')
    const report = { assetId: '1', title: 'The lift hums at night', severity: 'low' }
    const kept = await browser.ask('/report', { form: { ...hiddenIn(form, 'main form'), ...report } })
    const { page } = await browser.follow(kept)
    const fields = hiddenIn(page, 'form[action="/sign-in"]')
    await browser.ask('/sign-in/link', { form: { ...fields, email: newAddress() } })
    const [link] = await linksTo('/sign-up')
    const sent = await browser.ask(link!.path, { form: { name: 'Nils Berg' } })
    const stored = await query<{ id: number; name: string }>(
      `select i.id, u.name from incidents i join users u on u.id = i.reporter_id where title = $1`,
      [report.title],
    )
    expect(stored.map(({ name }) => name)).toEqual(['Nils Berg'])
    expect(sent.headers.get('location')).toContain(`/incidents/${stored[0]!.id}`)
  })

  it('makes one account of two presses, and of two links', async () => {
    const address = newAddress()
    const first = await linkFor(address)
    const [again, other] = [await linkFor(address.toUpperCase()), await linkFor(address)]
    expect(again.path).not.toBeNull()
    const links = [first, first, again, other]
    const answers = await Promise.all(
      links.map(({ browser, path }, i) => browser.ask(path!, { form: { name: `Ida Lindqvist ${i}` } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404])
    expect(await query('select from users where lower(email) = lower($1)', [address])).toHaveLength(1)
  })

  it('is asked again for a name that cannot be, and the link still works', async () => {
    const address = newAddress()
    const { browser, path } = await linkFor(address)
    for (const name of ['', 'The Office', '\u200b', 'x'.repeat(201)])
      expect((await browser.ask(path!, { form: { name } })).status, name).toBe(422)
    expect(await accountOf(address)).toBeUndefined()
    expect((await browser.ask(path!, { form: { name: 'Ida Lindqvist' } })).status).toBe(303)
  })

  it('is told on the way in that a link makes an account', async () => {
    const main = async () => (await browserOf(house).page('/sign-in'))('main').text()
    expect(await main()).toContain('no account yet?')
    await madeBy('office')
    expect(await main()).not.toContain('no account yet?')
  })
})

it('an account that is closed makes no other', async () => {
  const address = newAddress()
  const { id } = await house.json('admin', '/api/admin/users', {
    json: { name: 'Ida Lindqvist', email: address, role: 'resident' },
  })
  await house.json('admin', `/api/admin/users/${id}`, { method: 'PATCH', json: { active: false } })
  await emptyOutbox()
  expect((await linkFor(address)).path).toBeNull()
})

/** Who may make accounts from now on, as an admin says it. */
function madeBy(signUp: 'office' | 'anybody') {
  return house.json('admin', '/api/admin/property', { method: 'PATCH', json: { signUp } })
}

function newAddress() {
  return `newcomer${++newcomers}@outside.test`
}

/** Asks for a link by email; the browser, its answer and where the link leads, if there is one. */
async function linkFor(address: string, more: Record<string, string> = {}) {
  const browser = browserOf(house)
  const answer = await browser.ask('/sign-in/link', { form: { email: address, ...more } })
  const [link] = await linksTo('/sign-up')
  return { browser, answer, path: link?.path ?? null }
}

async function accountOf(address: string) {
  return (
    await query('select name, role, locale, password_hash from users where lower(email) = lower($1)', [
      address,
    ])
  )[0]
}
