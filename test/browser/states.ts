import { load } from 'cheerio'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { userIdOf } from '../support/accounts.js'
import { type Asked, cookieOf } from '../support/house/asking.js'
import type { House } from '../support/house/house.js'
import { linkedIdentity, unusedProvider } from '../support/oidc/unusedProvider.js'
import { type Examples, pageRoutes, type Reader, readers } from '../support/pages.js'
import { newBrowser, serverKeys, subscriptionOf } from '../support/push/subscription.js'
import {
  codeNow,
  letTimePass,
  requireSecondFactorOfStaff,
  startSecondFactor,
} from '../support/secondFactor.js'

/**
 * A page as somebody gets it. `main` is what only this page shows, `whole` all of it, both
 * without what differs anyway.
 */
export type State = { name: string; html: string; main: string; whole: string }

const names = /Maya Okafor|Eleanor Whitcombe|Tomasz Zieliński|Priya Raman/g
const tokens = /(name="(?:formToken|formKey|writer|seen|version)" value=")[^"]*/g
const moments = /\d\d?:\d\d(:\d\d)?|datetime="[^"]*"/g
const plain = (html: string) => html.replace(names, '').replace(tokens, '$1').replace(moments, '')

/** Asks for a page and keeps it under a name. Throws when the answer has another status. */
export async function stateOf(
  house: House,
  who: Reader,
  path: string,
  status = 200,
  asked: Asked = {},
): Promise<State> {
  const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin', ...asked.headers }
  const answer = await house.ask(who, path, { ...asked, headers })
  const html = await answer.text()
  if (answer.status !== status) throw new Error(`${who} ${path}: ${answer.status} instead of ${status}`)
  const $ = load(plain(html))
  const main = $('main').clone()
  main.find('.office-nav').remove()
  return { name: `${who} ${path}`, html, main: main.html() ?? '', whole: $.html() }
}

/** Every page of the router as everybody of these who may see it, at each of its examples. */
export async function everyPage(
  house: House,
  examples: Examples,
  people: readonly Reader[] = readers,
  asked: Asked = {},
): Promise<State[]> {
  const states: State[] = []
  for (const { path, readers } of pageRoutes())
    for (const address of examples[path] ?? [])
      for (const who of readers.filter((each) => people.includes(each)))
        states.push(await stateOf(house, who, address, 200, asked))
  return states
}

/** What an import of flats would do, before it is done. */
export function importPreview(house: House, asked: Asked = {}): Promise<State> {
  const csv = 'tower,number,floor\nNorth Tower,9901,9'
  return stateOf(house, 'manager', '/admin/import', 200, { ...asked, form: { kind: 'units', csv } })
}

/** Words and fields that only a browser hides: text browsers know no `hidden` and no `template`. */
export function hiddenWordsOf({ name, html }: Pick<State, 'name' | 'html'>): string[] {
  const $ = load(html)
  return $('[hidden], template, [style*=display]')
    .toArray()
    .filter(
      (element) =>
        $(element).text().trim() !== '' || $(element).find('textarea, input:not([type=hidden])').length > 0,
    )
    .map((element) => `${name}: ${$.html(element)}`)
}

/** Forms that are refused, each as the people who have it get it back. */
export async function refusedForms(house: House, examples: Examples, asked: Asked = {}): Promise<State[]> {
  const [incident] = examples['/incidents/:id']!
  const asset = examples['/admin/assets/:id']![0]!
  const contact = examples['/admin/contacts/:id']![0]!
  const link = examples['/invitation/:token']![0]!
  const refused: [Reader, string, Record<string, string>, number?][] = [
    ['resident', '/report', { title: 'x'.repeat(201), severity: 'none' }],
    ['resident', `${incident}/updates`, {}],
    ['manager', `${incident}/updates`, { newStatus: 'verified' }],
    ['manager', `${incident}/merge/preview`, {}],
    ['manager', `${incident}/duplicates/preview`, {}],
    ['manager', `${incident}/edit`, { severity: 'none', title: '' }],
    ['manager', `${incident}/costs`, {}],
    ['manager', `${incident}/updates`, { noteOnly: 'true', newStatus: 'open' }],
    ['guest', '/report', { title: 'x'.repeat(201), severity: 'none' }],
    ['guest', '/sign-in', {}],
    ['guest', '/sign-in/link', {}],
    ['guest', '/sign-in', { email: 'a@example.com', password: 'wrong' }, 401],
    ['guest', '/forgot-password', {}],
    ['guest', link, { password: 'short' }],
    ['resident', '/account', { name: '', locale: 'xx' }],
    ['resident', '/account/password', {}],
    ['manager', '/admin/assets', {}],
    ['manager', '/admin/towers', {}],
    ['manager', '/admin/contacts', {}],
    ['manager', '/admin/units', {}],
    ['manager', '/admin/maintenance', {}],
    ['manager', '/admin/webhooks', {}],
    ['admin', '/admin/users', {}],
    ['manager', asset, { name: '' }],
    ['manager', contact, { name: 'Somebody', version: 'an older version' }, 409],
    ['manager', '/admin/property', { name: '', timezone: 'Nowhere' }],
    ['manager', '/admin/import', {}],
    ['manager', '/admin/import/units', { csv: 'tower,number,floor\nNowhere,1,x' }],
    ['manager', '/admin/acknowledge', {}],
    ['manager', '/admin/place', {}],
    ['manager', '/admin/held-emails/accept', {}],
  ]
  const states: State[] = []
  for (const [who, path, form, status = 422] of refused)
    states.push(await stateOf(house, who, path, status, { ...asked, form }))
  return states
}

/** Pages that say no. */
export async function problemPages(house: House, asked: Asked = {}): Promise<State[]> {
  const states: [Reader, string, number, Asked?][] = [
    ['guest', '/nothing/here', 404],
    ['manager', '/incidents/999999', 404],
    ['guest', '/r/999999', 404],
    ['guest', '/reset-password/over', 404],
    ['resident', '/admin', 403],
    ['guest', '/account', 401],
    ['guest', '/incidents/1/updates', 401, { form: { body: 'Typed before signing in' } }],
    ['guest', '/fixed/over', 404],
    ['guest', '/sign-in/link/over', 404],
    ['guest', '/sign-up/over', 404],
    ['guest', '/contacts', 405, { method: 'DELETE' }],
  ]
  return Promise.all(
    states.map(([who, path, status, more]) => stateOf(house, who, path, status, { ...asked, ...more })),
  )
}

/** The pages that change where people may sign in at a provider. */
export async function singleSignOnPages(house: House, asked: Asked = {}): Promise<State[]> {
  const before = config.singleSignOn
  config.singleSignOn = unusedProvider
  const id = await userIdOf('board@example.com')
  await linkedIdentity(id)
  const states = [
    await stateOf(house, 'guest', '/sign-in', 200, asked),
    await stateOf(house, 'guest', '/sign-in/oidc/callback?code=x&state=y', 401, asked),
    await stateOf(house, 'resident', '/account', 200, asked),
    await stateOf(house, 'resident', '/account/identities/new', 200, asked),
    await stateOf(house, 'board', '/account', 200, asked),
  ]
  await query('delete from identities')
  config.singleSignOn = before
  return states
}

/** The page of an account where browsers are notified, without and with some. */
export async function webPushPages(house: House, asked: Asked = {}): Promise<State[]> {
  const before = config.webPush
  config.webPush = { ...serverKeys, subject: 'mailto:office@building.example' }
  const states = [await stateOf(house, 'board', '/account', 200, asked)]
  await house.json('board', '/api/account/browsers', { json: subscriptionOf(newBrowser()) })
  states.push(await stateOf(house, 'board', '/account', 200, asked))
  await query(`delete from devices where platform = 'browser'`)
  config.webPush = before
  return states
}

/**
 * The pages of a second factor, and those that ask who somebody is, as their owner gets
 * them one after the other.
 */
export async function secondFactorPages(house: House, asked: Asked = {}): Promise<State[]> {
  const email = 'second-factor@example.com'
  const password = 'a quiet rainy afternoon'
  const person = { name: 'Second Factor', email, role: 'manager', password }
  await house.json('admin', '/api/admin/users', { json: person })
  const cookie = await house.signIn(email, password)
  const page = '/account/second-factor'
  const states: State[] = []
  const look = async (path: string, status: number, form?: Record<string, string>, as = cookie) => {
    const headers = { ...asked.headers, cookie: as }
    states.push(await stateOf(house, 'guest', path, status, { ...asked, ...(form ? { form } : {}), headers }))
  }
  await look(page, 200)
  const secret = await startSecondFactor(house, cookie)
  await look(page, 200)
  await look(`${page}/confirmation`, 422, { code: 'wrong' })
  await look(`${page}/confirmation`, 200, { code: codeNow(secret) })
  await look(page, 200)
  await letTimePass()
  await look(`${page}/off`, 403, {})
  await look(`${page}/off`, 403, { againPassword: 'wrong' })
  const begun = cookieOf(await house.submit('guest', '/sign-in', { email, password }))
  await look('/sign-in/code', 200, undefined, begun)
  await look('/sign-in/code?printed=1', 200, undefined, begun)
  await look('/sign-in/code', 422, { code: '' }, begun)
  await look('/sign-in/code', 401, { code: '123456' }, 'caretaker-code=none')
  await requireSecondFactorOfStaff()
  states.push(
    await stateOf(house, 'board', '/admin/units', 403, asked),
    await stateOf(house, 'board', page, 200, asked),
  )
  await query(`update properties set second_factor_required = 'off'`)
  return states
}
