import { request } from 'node:http'
import { load } from 'cheerio'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localPath, withQuery } from '../../../../src/platform/http/paths.js'
import { demoPassword } from '../../../../src/vocabulary/people/demo.js'
import { useHouse } from '../../../support/house/house.js'
import { perRun } from '../../../support/run/extent.js'

const house = useHouse()

describe('an address to go on to', () => {
  it('is ours or none, whatever was given', () => {
    const holds = (given: unknown) => {
      const path = localPath(given)
      if (path === null) return
      for (const base of ['https://ours.example', 'http://ours.example/a/b/c?d#e'])
        expect(new URL(path, base).origin, JSON.stringify(given)).toBe(
          'https://ours.example'.replace('https', new URL(base).protocol.slice(0, -1)),
        )
      expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/)
      expect(localPath(path)).toBe(path)
    }
    known.forEach(holds)
    fc.assert(fc.property(anything, holds), { numRuns: perRun({ quick: 4_000, whole: 20_000 }) })
    for (const given of [null, undefined, 5, ['/report'], { path: '/report' }])
      expect(localPath(given)).toBeNull()
  })

  it.each([
    '/',
    '/report?assetId=3',
    '/incidents/47?find=a//b&x=%2F..',
    '/admin/users?q=%C3%A9',
    '/incidents/1#updates',
  ])('is kept when it is a page of ours: %s', (path) => expect(localPath(path)).toBe(path))
})

describe('an address with a notice', () => {
  it.each([
    ['/admin', '/admin?notice=read'],
    ['/admin?tab=new#top', '/admin?tab=new&notice=read#top'],
    ['/incidents?q=leak?now', '/incidents?q=leak%3Fnow&notice=read'],
    ['/admin?notice=placed', '/admin?notice=read'],
  ])('keeps all that %s has, and shows one notice', (path, expected) => {
    expect(withQuery(path, { notice: 'read' })).toBe(expected)
  })
})

describe('what is sent as Location', () => {
  /** Text that cannot be stored is refused as a value of an address, and leads nowhere. */
  const isRefused = (answer: Response, next: string) => {
    if (answer.status !== 400) return false
    expect(/\0/.test(next) || !next.isWellFormed()).toBe(true)
    expect(answer.headers.get('location') ?? answer.headers.get('hx-redirect')).toBeNull()
    return true
  }
  const byLink = async (next: string) => {
    const at = `/language?${new URLSearchParams({ locale: 'es', next })}`
    const answer = await house.ask('guest', at, { headers: { accept: 'text/html' } })
    if (isRefused(answer, next)) return
    expect(answer.status).toBe(303)
    expectOurs(answer.headers.get('location'), at, next)
  }
  const byForm = async (next: string) => {
    const answer = await house.ask('resident', '/language', {
      form: { locale: 'en', next },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(answer.status).toBe(303)
    expectOurs(answer.headers.get('location'), '/language', next)
  }
  const byHtmx = async (next: string) => {
    const at = `/language?${new URLSearchParams({ locale: 'en', next })}`
    const answer = await house.ask('guest', at, { headers: { 'hx-request': 'true' } })
    if (isRefused(answer, next)) return
    expectOurs(answer.headers.get('hx-redirect'), at, next)
  }
  const bySignIn = async (next: string) => {
    const page = await house.ask('guest', `/sign-in?${new URLSearchParams({ next })}`)
    const hidden = load(await page.text())('input[name="next"]').attr('value')
    if (hidden && !isRefused(page, next)) expectOurs(hidden, '/sign-in', next)
    const answer = await house.ask('guest', '/sign-in', {
      form: { email: 'resident@example.com', password: demoPassword, next },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(answer.status).toBe(303)
    expectOurs(answer.headers.get('location'), '/sign-in', next)
  }

  it.each([
    ['the choice of a language by a link', byLink, 150],
    ['the choice of a language by a form', byForm, 60],
    ['htmx, which is told to navigate', byHtmx, 60],
    ['signing in', bySignIn, 25],
  ] as const)('stays here: %s', async (_what, holds, numRuns) => {
    for (const next of known) await holds(next)
    await fc.assert(fc.asyncProperty(hostile, holds), {
      numRuns: perRun({ quick: Math.ceil(numRuns / 5), whole: numRuns }),
    })
  })

  it('keeps the way back through a refused sign-in, and a hostile one through none', async () => {
    for (const [next, kept] of [
      ['/report', '/report'],
      ['/..//evil.example', ''],
    ]) {
      const answer = await house.submit('guest', '/sign-in', {
        email: 'resident@example.com',
        password: 'not this one',
        next: next!,
      })
      expect(load(await answer.text())('input[name="next"]').attr('value')).toBe(kept)
    }
  })

  it('leads nowhere else from a page that was asked for by a hostile address', async () => {
    for (const path of [
      '//evil.example/account',
      '/.//evil.example',
      '/admin/..//evil.example',
      '/%2e//evil.example',
    ]) {
      const html = await rawPage(path)
      const page = load(html)
      const hrefs = page('a[href], form[action]').toArray()
      expect(hrefs.length).toBeGreaterThan(3)
      for (const each of hrefs) {
        const to = goesTo(page(each).attr('href') ?? page(each).attr('action')!, '/')
        if (to.protocol === 'tel:') continue
        expect(to.origin, path).toBe(house.origin())
        const next = to.searchParams.get('next')
        if (next !== null) expectOurs(next, '/', path)
      }
    }
  })
})

/** The page at a request target that fetch would tidy up before it sends it. */
async function rawPage(target: string): Promise<string> {
  const { hostname, port } = new URL(house.origin())
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: target, headers: { accept: 'text/html' } }, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      resolve(text)
    })
      .on('error', reject)
      .end()
  })
}

const pieces = [
  '/',
  '//',
  '\\',
  '.',
  '..',
  '/.',
  '/..',
  '%2e',
  '%2E%2e',
  '%2f',
  '%5c',
  '%09',
  '%00',
  '\t',
  '\n',
  '\r',
  '\0',
  ' ',
  '@',
  ':',
  '?',
  '#',
  ';',
  '&',
  'http:',
  'https://',
  'javascript:',
  'data:',
  'evil.example',
  'evil.example:80',
  'a',
  'report',
  'incidents/1',
  '[::1]',
  '\u3002',
  '\uff0f',
  '\u2044',
  '\u00a0',
  '\ufeff',
  '\ud800',
  'é',
  '%ff',
  "'",
  '"',
]

/** Addresses made of what parsers disagree about, most of them beginning like a path. */
const hostile = fc
  .tuple(fc.constantFrom('/', '/', '/', ''), fc.array(fc.constantFrom(...pieces), { maxLength: 8 }))
  .map(([start, rest]) => start + rest.join(''))

const anything = fc.oneof(hostile, fc.string({ unit: 'binary' }), fc.webUrl(), fc.webPath())

const known = [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/..//evil.example',
  '/.//evil.example/x',
  '/%2e//evil.example',
  '/%2E%2e//evil.example',
  '/a/..//evil.example',
  '/a/%2e%2e/%2e//evil.example/login',
  '/report?x=1\r\nLocation: //evil.example',
  '/\t/evil.example',
  '/%09/evil.example',
  'javascript:alert(1)',
  '\\\\evil.example',
  '@evil.example',
  '',
]

/** Where a browser that read the answer at this address would go. */
const goesTo = (location: string, at: string) => new URL(location, house.origin() + at)

function expectOurs(location: string | null, at: string, given: unknown) {
  expect(location, JSON.stringify(given)).toMatch(/^\/(?![/\\])/)
  expect(goesTo(location!, at).origin, JSON.stringify(given)).toBe(house.origin())
}
