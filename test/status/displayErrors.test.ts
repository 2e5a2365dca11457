import { load } from 'cheerio'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { en, texts } from '../../src/text/index.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const plain = Object.getOwnPropertyDescriptor(texts, 'en')!

beforeEach(async () => {
  expect((await screen()).status).toBe(200)
})
afterEach(() => {
  vi.restoreAllMocks()
  Object.defineProperty(texts, 'en', plain)
})

describe('the lobby’s screen, whose browser may run no script,', () => {
  it('asks again after an error of the server, whatever page it asked for', async () => {
    failDatabase(new TypeError('broken'))
    for (const path of ['/display', '/display?page=2']) {
      const answer = await screen(path)
      expect([answer.status, answer.headers.get('refresh')]).toEqual([500, '30; url=/display'])
    }
  })

  it('asks again after the plainest answer there is', async () => {
    failDatabase(new TypeError('broken'))
    Object.defineProperty(texts, 'en', {
      configurable: true,
      enumerable: true,
      get() {
        throw new TypeError('no catalogue')
      },
    })
    const answer = await screen()
    expect([answer.status, answer.headers.get('refresh')]).toEqual([500, '30; url=/display'])
    expect(answer.headers.get('content-type')).toContain('text/plain')
  })

  it.each(['/display?page=x', '/display?page=0'])('leaves an address that has no page: %s', async (path) => {
    const answer = await screen(path)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('refresh')).toBe('30; url=/display')
  })

  it('is asked for by its page where there is one, and no other page asks again', async () => {
    expect((await screen()).headers.get('refresh')).toBeNull()
    expect((await house.ask('guest', '/nowhere')).headers.get('refresh')).toBeNull()
  })
})

describe('the lobby’s screen while the database is away', () => {
  it.each(['guest', 'resident'] as const)(
    'is as it was last known, and says when that was (%s)',
    async (who) => {
      expect((await house.ask(who, '/display', html)).status).toBe(200)
      failDatabase(away)
      const answer = await house.ask(who, '/display?page=1', html)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
      const page = load(await answer.text())
      expect(page('.stale[role=status]').text()).toMatch(
        /^We can’t check right now\. This status is from \d\d:\d\d\.$/,
      )
      expect(page('.ticks > li').length).toBeGreaterThan(0)
      expect(page('.danger').text()).toContain(en.emergency.question)
      expect(page('meta[http-equiv=refresh]').attr('content')).toMatch(/^\d\d; url=\/display/)
    },
  )

  it('is so in the language of the browser', async () => {
    failDatabase(away)
    const answer = await house.ask('guest', '/display', {
      headers: { accept: 'text/html', 'accept-language': 'es' },
    })
    expect(await answer.text()).toContain('Este estado es de las')
  })

  it('is 503 after a quarter of an hour, and for programs, and asks again', async () => {
    failDatabase(away)
    const json = await house.ask('guest', '/display', { headers: { accept: 'application/json' } })
    const later = performance.now() + 15 * 60_000
    vi.spyOn(performance, 'now').mockImplementation(() => later)
    for (const answer of [json, await screen()]) {
      expect(answer.status).toBe(503)
      expect(answer.headers.get('refresh')).toBe('30; url=/display')
    }
  })
})

const html = { headers: { accept: 'text/html' } }
const screen = (path = '/display') => house.ask('guest', path, html)

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/** Makes every question to the database fail with this error. */
function failDatabase(error: Error): void {
  const fail = () => {
    throw error
  }
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(fail)
  vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(fail)
}
