import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { useApp, type Who } from '../support/app.js'
import { expectOrdinary } from '../support/routes/assertions/answers.js'
import { schemaOf } from '../support/routes/assertions/fields.js'
import {
  nextWord,
  outsideWords,
  strangeAddresses,
  withSegments,
} from '../support/routes/assertions/outsideWords.js'
import { type Endpoint, readEndpoints } from '../support/routes/endpoints.js'
import { casesOf, pairsOf, perRun, sampled } from '../support/suite/extent.js'

const app = useApp()
const callers: Who[] = ['guest', 'resident', 'admin']
const reads = readEndpoints.map(({ path }) => path)
/** The others are asked for as they are in every test of reads. */
const withVariablePart = reads.filter((path) => /:|\{/.test(path))

/** The parameters a read declares, and those only its page reads. */
const parametersOf = ({ route, path }: Endpoint) => [
  ...Object.keys(route?.query ? schemaOf(route.query).shape : {}),
  ...(path === '/incidents/:id' ? ['find'] : []),
]

/**
 * Values that a database column may choke on: no text, no number, no time,
 * nothing of their type's range.
 */
const strange = ['%00', '%ff', '%ED%A0%80', '99999999999', '-1', '0000-00-00', '9999-99-99T99:99Z', 'a&%s=b']
const inPlace = [
  'abc',
  '\0',
  '',
  '99999999999',
  '1.5',
  '2026-13-45 00:00:00+00',
  '2026-02-30 00:00:00+00',
  '-infinity',
]
const afters = [
  ...inPlace.map((value) => `1.${Buffer.from(value).toString('base64url')}`),
  '9999999999.x',
  '0.x',
]

type Asking = [path: string, given?: Parameters<typeof app.ask>[2]]

/** Two files at once are all there may be. */
const isFile = ([path]: Asking) => path.startsWith('/api/export/')

/**
 * Asks all of it, ten at a time and then files one by one, and returns the statuses in this order.
 */
async function askAll(who: Who, asked: readonly Asking[]): Promise<number[]> {
  await query('delete from throttles')
  const others = asked.filter((each) => !isFile(each))
  const turns = [...Array(Math.ceil(others.length / 10)).keys()].map((i) => others.slice(i * 10, i * 10 + 10))
  const statuses: number[] = []
  for (const together of [...turns, ...asked.filter(isFile).map((each) => [each])]) {
    const answered = together.map(async ([path, given]) => {
      const answer = await app.ask(who, path, given)
      await expectOrdinary(answer, `${path} ${JSON.stringify(given ?? {})} as ${who}`)
      return answer.status
    })
    statuses.push(...(await Promise.all(answered)))
  }
  return statuses
}

describe.each(casesOf(callers, 'admin'))('a word every object knows, from %s', (who) => {
  it('is nothing special in a header', async () => {
    const headers = [
      'Accept',
      'Accept-Language',
      'Accept-Encoding',
      'If-None-Match',
      'HX-Request',
      'X-Request-Id',
      'User-Agent',
      'Origin',
      'Sec-Fetch-Site',
      'Idempotency-Key',
      'HX-History-Restore-Request',
    ]
    const paths = ['/', '/live', '/incidents', '/sign-in', '/api/status', '/api/incidents', '/nowhere']
    const ofHeaders = pairsOf(paths, headers).flatMap(([path, name]) =>
      [nextWord(), nextWord()].map((word): Asking => [path, { headers: { [name]: word } }]),
    )
    const ofWords = pairsOf(paths, outsideWords).map(
      ([path, word]): Asking => [path, { headers: { 'accept-language': word } }],
    )
    await askAll(who, sampled([...ofHeaders, ...ofWords], 3))
  })

  it('is nothing special in a cookie or a key', async () => {
    const cookies = ['caretaker-language', 'caretaker', 'caretaker-form', 'caretaker-form.sig']
    const given = [
      ...pairsOf(cookies, outsideWords).map(([name, word]) => ({ cookie: `${name}=${word}` })),
      ...outsideWords.map((word) => ({ authorization: `Bearer ${word}` })),
    ]
    const asked = pairsOf(['/', '/incidents', '/api/status', '/report'], given)
    await askAll(
      who,
      sampled(asked, 3).map(([path, headers]): Asking => [path, { headers }]),
    )
  })

  it('is nothing special in an address', async () => {
    await askAll(
      who,
      withVariablePart.flatMap((path) => strangeAddresses(path).map((address): Asking => [address])),
    )
  })

  it('is nothing special as a parameter, nor is any other strange value', async () => {
    const asked = readEndpoints.flatMap((endpoint, i) => {
      const address = withSegments(endpoint.path, '1')
      const accept = endpoint.path.startsWith('/api') ? 'application/json' : 'text/html'
      const declared = parametersOf(endpoint).flatMap((name, n) => {
        const odd = [0, 3, 5].map((step) => strange[(i + n + step) % strange.length]!)
        const values = perRun({ quick: odd.slice(0, 1), whole: [nextWord(), nextWord(), ...odd] })
        return values.map((value) => `${name}=${value.replace('%s', name)}`)
      })
      const others = perRun({ quick: i % 4 === 0, whole: true })
        ? [`notice=${nextWord()}`, `unknown=${nextWord()}`, `${nextWord()}=x`]
        : []
      return [...declared, ...others].map(
        (parameter): Asking => [`${address}?${parameter}`, { headers: { accept } }],
      )
    })
    await askAll(who, asked)
  })
})

describe('the order of a list', () => {
  const lists = reads.filter(
    (path) => /^\/api\/admin\/[a-z]+$/.test(path) && !/flags|jobs|property|start|year/.test(path),
  )
  /** The orders a list offers, as the links of its page name them. */
  async function ordersOf(list: string): Promise<string[]> {
    const page = await app.page('admin', list.replace('/api', ''))
    const links = page('a[href*="sort="]').toArray()
    const orders = links.map(
      (link) => new URL(page(link).attr('href')!, app.origin()).searchParams.get('sort')!,
    )
    return [...new Set(orders.map((order) => order.replace(/^-/, '')))]
  }

  it('is one of ours, and goes on at a place of its own type', async () => {
    expect(lists.length).toBeGreaterThan(6)
    let orders = 0
    const foreign = pairsOf(
      lists,
      outsideWords.flatMap((word) => [word, `-${word}`]),
    )
    const refused = await askAll(
      'admin',
      sampled(foreign, 5).map(([list, sort]): Asking => [`${list}?sort=${sort}`]),
    )
    expect(new Set(refused)).toEqual(new Set([400]))
    for (const list of lists)
      for (const sort of (await ordersOf(list)).flatMap((name) => [name, `-${name}`])) {
        orders++
        await askAll(
          'admin',
          sampled(afters, afters.length, orders % afters.length).map(
            (after): Asking => [`${list}?sort=${sort}&after=${encodeURIComponent(after)}`],
          ),
        )
        const page = await app.ask('admin', `${list}?sort=${sort}&limit=1`)
        expect(page.status, sort).toBe(200)
        const more = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1]
        if (more) expect((await app.ask('admin', more)).status, more).toBe(200)
      }
    expect(orders).toBeGreaterThan(15)
  })
})

describe('a body of boxes within boxes', () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  it.each([{}, { 'idempotency-key': 'deep-1' }])(
    'is refused before anything looks into it, with %o',
    async (headers) => {
      for (const [who, path] of [
        ['resident', '/api/incidents'],
        ['admin', '/api/admin/import/units'],
        ['inbound', '/api/inbound-email'],
      ] as const)
        for (const body of [deep(60), deep(90_000), '['.repeat(100_000) + ']'.repeat(100_000)]) {
          const answer = await app.ask(who, path, {
            body,
            headers: { ...headers, 'content-type': 'application/json' },
          })
          expect(answer.status).toBe(400)
          await expectOrdinary(answer, path)
        }
    },
  )

  it('is none at the depth our own requests have', async () => {
    const answer = await app.ask('resident', '/api/incidents', {
      json: { assetId: 1, title: 'Flat', severity: 'low', extra: JSON.parse(deep(40)) },
    })
    expect(answer.status).toBe(201)
  })
})
