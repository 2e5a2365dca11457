import { describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import { query } from '../../../src/database.js'
import type { Context } from '../../../src/web/context.js'
import { useApp, type Who } from '../../support/app.js'
import { endpoints, readEndpoints, writeEndpoints } from '../../support/routes/endpoints.js'
import { casesOf, pairsOf, perRun, sampled } from '../../support/suite/extent.js'
import { expectOrdinary, outsideWords } from '../../support/worlds/outsideWords.js'

/** The parameters each read knows, as the first requests below found them: route → names. */
const { known } = vi.hoisted(() => ({ known: new Map<string, Set<string>>() }))

vi.mock('../../../src/web/request/input.js', async (original) => {
  const real = await original<typeof import('../../../src/web/request/input.js')>()
  return {
    ...real,
    queryOf: (ctx: Context & { _matchedRoute: string }, schema: z.ZodObject) => {
      const names = known.get(ctx._matchedRoute) ?? new Set()
      for (const name of Object.keys(schema.shape)) names.add(name)
      known.set(ctx._matchedRoute, names)
      return real.queryOf(ctx, schema)
    },
  }
})

const app = useApp()
const callers: Who[] = ['guest', 'resident', 'admin']
/** Whoever signs out, or erases their account, could not go on asking. */
const withoutSigningOut = endpoints.filter(
  ({ path }) => !/\/sign-out$|^(?:\/api)?\/account\/erase$/.test(path),
)
/** An address without a part that varies is the same as ever: the whole run asks for it all the same. */
const withVariablePart = perRun({
  quick: withoutSigningOut.filter(({ path }) => /:|\{/.test(path)),
  whole: withoutSigningOut,
})
const reads = readEndpoints.map(({ path }) => path)

/** What a read says of itself that it reads; the whole run asks each, and sees what its pages read besides. */
for (const { path, route } of perRun({ quick: readEndpoints, whole: [] })) {
  const fields = route?.query
  const place = { zone: 'UTC', currency: 'EUR', locale: 'en' }
  const schema = typeof fields === 'function' ? fields(place) : fields
  known.set(path, new Set(Object.keys(schema?.shape ?? {})))
}

/** Values that a database column may choke on: no text, no number, no time, nothing of their type's range. */
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

const real = (path: string, word = '1') => path.replaceAll(/:\w+/g, word).replace('{*path}', word)

let turn = 0
/** The next so many words, in turn: all are tried everywhere, though not each at each single place. */
const next = (many: number) => Array.from({ length: many }, () => outsideWords[turn++ % outsideWords.length]!)

type Asking = [path: string, given?: Parameters<typeof app.ask>[2]]

/** Two files at once are all there may be. */
const isFile = ([path]: Asking) => path.startsWith('/api/export/')

/** Asks all of it, ten at a time and files one by one, and returns what was answered. */
async function askAll(who: Who, asked: Asking[]): Promise<number[]> {
  await query('delete from throttles')
  const others = asked.filter((each) => !isFile(each))
  const turns = [...Array(Math.ceil(others.length / 10)).keys()].map((i) => others.slice(i * 10, i * 10 + 10))
  const statuses: number[] = []
  for (const together of [...turns, ...asked.filter(isFile).map((each) => [each])])
    await Promise.all(
      together.map(async ([path, given]) => {
        const answer = await app.ask(who, path, given)
        await expectOrdinary(answer, `${path} ${JSON.stringify(given ?? {})} as ${who}`)
        statuses.push(answer.status)
      }),
    )
  return statuses
}

describe.each(casesOf(callers, 'admin'))('a word every object knows, from %s', (who) => {
  it('is nothing special in a header', async () => {
    const headers = [
      ...['Accept', 'Accept-Language', 'Accept-Encoding', 'If-None-Match', 'HX-Request', 'X-Request-Id'],
      ...['User-Agent', 'Origin', 'Sec-Fetch-Site', 'Idempotency-Key', 'HX-History-Restore-Request'],
    ]
    const paths = ['/', '/live', '/incidents', '/sign-in', '/api/status', '/api/incidents', '/nowhere']
    const ofHeaders = pairsOf(paths, headers).flatMap(([path, name]) =>
      next(2).map((word): Asking => [path, { headers: { [name]: word } }]),
    )
    const ofWords = pairsOf(paths, outsideWords).map(
      ([path, word]): Asking => [path, { headers: { 'accept-language': word } }],
    )
    await askAll(who, [...ofHeaders, ...ofWords])
  })

  it('is nothing special in a cookie or a key', async () => {
    const cookies = ['caretaker-language', 'caretaker', 'caretaker-form', 'caretaker.sig']
    const given = [
      ...pairsOf(cookies, outsideWords).map(([name, word]) => ({ cookie: `${name}=${word}` })),
      ...outsideWords.map((word) => ({ authorization: `Bearer ${word}` })),
    ]
    const asked = pairsOf(['/', '/incidents', '/api/status', '/report'], given)
    await askAll(
      who,
      asked.map(([path, headers]): Asking => [path, { headers }]),
    )
  })

  it('is nothing special in an address', async () => {
    await askAll(
      who,
      withVariablePart.flatMap(({ method, path }) =>
        [...next(1), ['%00', '%E0%A4%A', '..%2f..', '99999999999'][turn % 4]!].map(
          (word): Asking => [real(path, word), { method, headers: { 'sec-fetch-site': 'same-origin' } }],
        ),
      ),
    )
  })

  it('is nothing special as a parameter, nor is any other strange value', async () => {
    await askAll(
      who,
      perRun({ quick: [], whole: reads }).map((path): Asking => [real(path)]),
    )
    const asked = reads.flatMap((path, i) =>
      [...(known.get(path) ?? []), ...sampled(['notice', 'unknown'], 2)].flatMap((name) => {
        const odd = [0, 3, 5].map((step) => strange[(turn + step) % strange.length]!)
        const values = perRun({ quick: [odd[0]!], whole: [...next(2), ...odd] })
        const foreign = perRun({ quick: i % 4 === 0, whole: true }) ? [`${next(1)}=x`] : []
        return [...values.map((value) => `${name}=${value.replace('%s', name)}`), ...foreign].map(
          (given): Asking => [
            `${real(path)}?${given}`,
            { headers: { accept: turn % 3 ? 'text/html' : 'application/json' } },
          ],
        )
      }),
    )
    await askAll(who, asked)
    expect(known.size).toBeGreaterThan(3)
  })

  it('is nothing special as a field, or in one', async () => {
    // Whoever signs out, or whose account is changed, could not go on asking.
    const writes = writeEndpoints.filter(({ path }) => !/sign-out|sign-in|users|sessions|account/.test(path))
    const names = [
      'newStatus',
      'severity',
      'direction',
      'platform',
      'kind',
      'locale',
      'recurrence',
      'statusReason',
    ]
    const texts = ['title', 'body', 'note', 'name', 'csv', 'from', 'subject', 'messageId', 'enabled', 'url']
    const asked = writes.flatMap(({ method, path }) => {
      const [word = '', key = ''] = next(2)
      const json = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
      const html = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }
      const all = Object.fromEntries([...names, ...texts].map((name) => [name, word]))
      const within = { events: [word], attachments: [{ [word]: [] }], title: { [word]: 1 } }
      const odd = { toString: 1, valueOf: 1 }
      const form = new URLSearchParams({
        ...all,
        [word]: 'x',
        [`title[${word}]`]: 'x',
        [`${word}[title]`]: 'x',
      })
      const address = real(path, '999999')
      return [
        [address, { method, headers: json, body: `{"${word}":"x","${word}[]":"x"}` }],
        [address, { method, headers: { ...json, 'idempotency-key': key }, body: JSON.stringify(all) }],
        [
          address,
          {
            method,
            headers: { ...json, ...html, 'idempotency-key': `${key}2` },
            body: JSON.stringify({ ...all, ...within, ids: [odd], assetId: odd, headers: { [word]: odd } }),
          },
        ],
        [address, { method, headers: html, body: form }],
      ] as Asking[]
    })
    await askAll(who, asked)
  })
})

describe('the order of a list', () => {
  const lists = reads.filter(
    (path) => /^\/api\/admin\/[a-z]+$/.test(path) && !/flags|jobs|property|start|year/.test(path),
  )
  const names = [
    ...[
      'name',
      'order',
      'tower',
      'number',
      'category',
      'code',
      'email',
      'role',
      'seen',
      'url',
      'fired',
      'floor',
    ],
    ...['title', 'asset', 'start', 'failed', 'created'],
  ]

  it('is one of ours, and goes on at a place of its own type', async () => {
    expect(lists.length).toBeGreaterThan(6)
    let orders = 0
    const foreign = pairsOf(
      lists,
      outsideWords.flatMap((word) => [word, `-${word}`]),
    )
    const refused = await askAll(
      'admin',
      foreign.map(([list, sort]): Asking => [`${list}?sort=${sort}`]),
    )
    expect(new Set(refused)).toEqual(new Set([400]))
    for (const list of lists) {
      for (const sort of names.flatMap((name) => [name, `-${name}`])) {
        const [status] = await askAll('admin', [[`${list}?sort=${sort}`]])
        if (status !== 200) continue
        orders++
        await askAll(
          'admin',
          sampled(afters, afters.length, orders % afters.length).map(
            (after): Asking => [`${list}?sort=${sort}&after=${encodeURIComponent(after)}`],
          ),
        )
        const page = await app.ask('admin', `${list}?sort=${sort}&limit=1`)
        const more = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1]
        if (more) expect((await app.ask('admin', more)).status, more).toBe(200)
      }
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
