import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { useHouse } from '../../../support/house/house.js'
import { perRun } from '../../../support/run/extent.js'
import { eachWithEach } from '../../../support/tables.js'

const house = useHouse()

describe('a header of 15 KB that a guest sends', () => {
  const headers = [
    'accept',
    'accept-encoding',
    'accept-language',
    'authorization',
    'content-type',
    'cookie',
    'origin',
    'host',
    'idempotency-key',
    'if-none-match',
    'if-modified-since',
    'range',
    'referer',
    'user-agent',
    'sec-fetch-site',
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-request-id',
    'hx-request',
    'hx-current-url',
  ]

  it.each(perRun({ quick: { every: 4 }, whole: headers }))(
    'as %s costs no more than any other',
    async (header) => {
      const paths = [
        ['GET', '/'],
        ['GET', '/api/status'],
        ['GET', '/incidents'],
        ['POST', '/api/auth/sign-in/email'],
      ] as const
      for (const [method, path] of paths) await statusOf(method, path, {})
      const all = eachWithEach(paths, Object.entries(shapes))
      const asked = perRun({ quick: { everyValue: true }, whole: all })
      for (const [[method, path], [name, value]] of asked) {
        const cost = await costOf(async () =>
          expect([500, 503]).not.toContain(await statusOf(method, path, { [header]: value })),
        )
        expect(cost, `${method} ${path} with ${name}: ${Math.round(cost)} ms`).toBeLessThan(most)
      }
    },
  )
})

/** All headers of a request together may have 16 KB; Node refuses more. */
const size = 15_000

const fill = (part: string, before = '', after = '') =>
  before + part.repeat((size - before.length - after.length) / part.length) + after

/** Shapes that make a careless pattern try the same characters again and again. */
const shapes: Record<string, string> = {
  'blanks between two words': fill(' ', 'text/html', 'x'),
  'tabs between two words': fill('\t', 'en', 'x'),
  'blanks before a semicolon that is none': fill(' ', 'gzip', ',;q'),
  semicolons: fill(';'),
  'semicolons and blanks': fill('; '),
  commas: fill(','),
  'commas and stars': fill('*,'),
  parameters: fill(';q=0'),
  'open quotation marks': fill('"a'),
  'escaped quotation marks': fill('\\"', '"'),
  'weak tags': fill('W/"x",'),
  'equals signs': fill('='),
  pairs: fill('a=b;'),
  'language tags': fill('en-'),
  digits: fill('1'),
  addresses: fill('1.1.1.1,'),
  slashes: fill('/'),
  brackets: fill('('),
  'a long word': fill('a'),
  'bytes above ASCII': fill('\u00e9'),
}

/**
 * Sends what fetch would refuse to; the answer's status, 0 when the connection was closed instead.
 */
function statusOf(method: string, path: string, given: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(`${house.origin()}${path}`, { method, headers: given }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode!))
    })
    sent.on('error', () => resolve(0))
    sent.end(method === 'POST' ? '{}' : undefined)
  })
}

/** The most one may cost, in ms on the processor: a busy machine makes it no longer. */
const most = 150

/** The least of a few tries: the collection of garbage falls into one of them. */
async function costOf(act: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 3; tries > 0 && least >= most; tries--) {
    const before = process.cpuUsage()
    await act()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
