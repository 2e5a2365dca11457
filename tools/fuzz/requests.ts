import fc from 'fast-check'
import type { Description } from '../../src/platform/http/description/document.js'
import type { Parameter } from '../../src/platform/http/description/operation.js'
import { keys } from '../../test/support/keys.js'
import { hostile, latestId, valuesOf } from './values.js'

/**
 * Who asks: a guest, a demo person, a machine with its key, or someone with a wrong key or cookie.
 */
export const askers = [
  'guest',
  'resident',
  'board',
  'manager',
  'admin',
  'mobile',
  'cron',
  'inbound',
  'wrongKey',
  'wrongCookie',
  'swappedKey',
] as const
export type Asker = (typeof askers)[number]

/** A random request. Where it has `latestId`, the id that its sequence created last is put in. */
export type FuzzRequest = {
  who: Asker
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer | null
  /** Changes of its bytes before they are written to a socket; null: it is sent as it should be. */
  wounds: Wound[] | null
}

/** A change of bytes at a place, from 0 to 1 of the length. */
export type Wound = { at: number; cut: number; put: Buffer }

type Body = { headers: Record<string, string>; body: Buffer }

const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
const boundary = 'fuzz'
const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const notLatin = /[^\t\x20-\x7e\x80-\xff]/g

/**
 * Random sequences of requests, from the API description: each operation as often as the others, at
 * its API address or its page.
 */
export function sequencesOf(document: Description): fc.Arbitrary<FuzzRequest[]> {
  const { good, field } = valuesOf(document.components.schemas, 2)
  const validOnly = valuesOf(document.components.schemas, 0).good
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestOf(path, method.toUpperCase(), operation)),
  )
  return fc.array(fc.oneof(...operations), { minLength: 1, maxLength: 6 })

  function requestOf(path: string, method: string, operation: Description['paths'][string][string]) {
    const parameters = (operation.parameters ?? []).filter((each): each is Parameter => 'in' in each)
    const schema = operation.requestBody?.content['application/json']?.schema
    return fc
      .record({
        who: whoOf(document['x-permissions'][operation['x-permission']]),
        method: fc.oneof(
          { weight: 60, arbitrary: fc.constant(method) },
          {
            weight: 1,
            arbitrary: fc.constantFrom('PUT', 'HEAD', 'OPTIONS', 'PATCH', 'DELETE', 'POST', 'GET'),
          },
        ),
        path: pathOf(path, parameters),
        query: queryOf(parameters),
        sent: schema ? bodyOf(schema) : fc.option(bodyOf({}), { freq: method === 'GET' ? 30 : 3 }),
        headers: headers,
        wounds: fc.oneof(
          { weight: 4, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: fc.array(wound, { minLength: 1, maxLength: 4 }) },
        ),
      })
      .map(
        ({ who, method, path, query, sent, headers, wounds }): FuzzRequest => ({
          who,
          method,
          wounds,
          path: path + query,
          headers: { ...sent?.headers, ...headers },
          body: method === 'GET' || method === 'HEAD' ? null : (sent?.body ?? null),
        }),
      )
  }

  function pathOf(path: string, parameters: Parameter[]): fc.Arbitrary<string> {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const values = names.map((name) => {
      const schema = parameters.find((each) => each.name === name && each.in === 'path')?.schema ?? {}
      return fc.oneof(
        { weight: 4, arbitrary: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(latestId)) },
        { weight: 4, arbitrary: good(schema) },
        { weight: 1, arbitrary: hostile },
      )
    })
    return fc.tuple(fc.nat({ max: 3 }), ...values).map(([page, ...drawn]) => {
      const address = page === 0 ? path.replace(/^\/api(?=\/(?!auth))/, '') : path
      let i = 0
      return address.replace(/\{\w+\}/g, () => encoded(asText(drawn[i++])) || 'x')
    })
  }

  function queryOf(parameters: Parameter[]): fc.Arbitrary<string> {
    const parametersOfQuery = parameters.filter((each) => each.in === 'query')
    const pairs = fc.array(
      fc.oneof(
        ...parametersOfQuery.map(({ name, schema }) =>
          field(schema, 1).map((value) => [name, value] as const),
        ),
        fc.tuple(
          fc.constantFrom('notice', 'next', 'q', 'page', 'after', 'sort', 'limit', 'a[b]', '__proto__'),
          hostile,
        ),
      ),
      { maxLength: 4 },
    )
    return fc.tuple(fc.nat({ max: 2 }), pairs).map(([some, values]) => {
      if (values.length === 0 || (some > 0 && parametersOfQuery.length === 0)) return ''
      return `?${values.map(([name, value]) => `${encoded(name)}=${encoded(asText(value))}`).join('&')}`
    })
  }

  function bodyOf(schema: Parameters<typeof good>[0]): fc.Arbitrary<Body> {
    return fc
      .record({
        value: fc.oneof(
          { weight: 6, arbitrary: validOnly(schema) },
          { weight: 6, arbitrary: good(schema) },
          { weight: 1, arbitrary: hostile },
        ),
        extra: fc.option(
          fc.tuple(fc.constantFrom('status', 'id', '__proto__', 'version', 'photos', 'formKey'), hostile),
          {
            freq: 9,
          },
        ),
        as: fc.constantFrom('json', 'json', 'json', 'form', 'form', 'multipart', 'odd'),
        odd: fc.constantFrom<[string, (text: string) => Buffer]>(
          ['application/json; charset=utf-16', (text) => Buffer.from(text, 'utf16le')],
          ['application/json; charset=latin1', (text) => Buffer.from(text, 'latin1')],
          ['application/json', (text) => Buffer.from(text.slice(0, -1))],
          ['application/json', (text) => Buffer.from(`\ufeff${text}`)],
          ['application/json', (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0])])],
          ['application/json', () => Buffer.alloc(0)],
          ['text/plain', (text) => Buffer.from(text)],
          ['text/csv', (text) => Buffer.from(text)],
          ['application/xml', (text) => Buffer.from(text)],
          ['multipart/form-data', (text) => Buffer.from(text)],
          ['multipart/form-data; boundary=', (text) => Buffer.from(text)],
          ['nonsense', (text) => Buffer.from(text)],
        ),
        file: fc.constantFrom('photos[]', 'photos', 'file', 'title', ''),
        bytes: fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.constant(pixel)),
        files: fc.nat({ max: 3 }),
      })
      .map(({ value, extra, as, odd, file, bytes, files }) => {
        const values = extra && isObject(value) ? { ...value, [extra[0]]: extra[1] } : value
        const text = jsonText(values)
        if (as === 'json') return { headers: { 'content-type': types[0]! }, body: Buffer.from(text) }
        if (as === 'odd') return { headers: { 'content-type': odd[0] }, body: odd[1](text) }
        if (as === 'form')
          return { headers: { 'content-type': types[1]!, ...sameOrigin }, body: Buffer.from(formOf(values)) }
        const parts = [
          ...fieldsOf(values).map(([name, each]) => part(name, Buffer.from(each))),
          ...Array.from({ length: files }, () => part(file, Buffer.from(bytes), 'p.jpg')),
          Buffer.from(`--${boundary}--\r\n`),
        ]
        return {
          headers: { 'content-type': `${types[2]}; boundary=${boundary}`, ...sameOrigin },
          body: Buffer.concat(parts),
        }
      })
  }
}

/** Mostly someone who has the permission. */
const whoOf = (holders: readonly string[]): fc.Arbitrary<Asker> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...askers.filter((each) => holders.includes(each))) },
    { weight: 1, arbitrary: fc.constantFrom(...askers) },
  )

const odd = (...values: string[]) => fc.oneof(fc.constantFrom(...values), hostile.map(asText)).map(inHeader)
const header = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 4,
    arbitrary: fc.oneof(
      fc
        .constantFrom(
          'text/html',
          'text/html',
          'application/json',
          '*/*;q=0.1',
          'image/png',
          'text/html;q=x,',
        )
        .map((accept) => ({ accept })),
      odd('es', 'en', 'xx', 'es;q=9', '*').map((value) => ({ 'accept-language': value })),
      odd('k1', 'k2', 'with space').map((value) => ({ 'idempotency-key': value })),
      odd('*', '"x"', 'W/"x"').map((value) => ({ 'if-none-match': value })),
      odd('bytes=0-', 'bytes=-1', 'x').map((value) => ({ range: value })),
      odd('same-origin', 'cross-site', 'none').map((value) => ({ 'sec-fetch-site': value })),
      odd('https://evil.example', 'null').map((value) => ({ origin: value })),
      odd('caretaker=x', '__proto__=1', 'a=b; a=c').map((value) => ({ cookie: value })),
      odd('1.2.3.4', 'x').map((value) => ({ 'x-forwarded-for': value, 'x-forwarded-host': value })),
      odd('gzip', 'br', 'identity;q=0').map((value) => ({ 'content-encoding': value })),
      odd('true').map((value) => ({ 'hx-request': value })),
      odd('trailers', 'aBc-123456').map((value) => ({ 'x-request-id': value, te: 'trailers' })),
    ),
  },
)
const headers: fc.Arbitrary<Record<string, string>> = fc
  .array(header, { maxLength: 3 })
  .map((all) => Object.assign({}, ...all))

const tokens = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\u0000',
  ' ',
  ':',
  '?',
  '#',
  '%',
  '/',
  '\\',
  '..',
  'HTTP/1.0',
  'HTTP/9.9',
  'GET ',
  'POST ',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Host: a\r\nHost: b\r\n',
  'Expect: 100-continue\r\n',
  'Connection: upgrade\r\nUpgrade: websocket\r\n',
  'ffffffffff\r\n',
  '0\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  `X: ${'a'.repeat(20_000)}\r\n`,
  'CONNECT a:1 HTTP/1.1\r\n',
  'PRI * HTTP/2.0\r\n\r\n',
]
const wound: fc.Arbitrary<Wound> = fc.record({
  at: fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 0.2, noNaN: true }),
    fc.constant(0),
  ),
  cut: fc.constantFrom(0, 0, 1, 2, 10, 1_000_000),
  put: fc.oneof(
    fc.constantFrom(...tokens).map((text) => Buffer.from(text, 'latin1')),
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  ),
})

const pixel = Buffer.from(
  '89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc000000301010018dd8db00000000049454e44ae426082',
  'hex',
)
const part = (name: string, bytes: Buffer, file?: string) =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file}"\r\nContent-Type: image/jpeg` : ''}\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fieldsOf(value: unknown): [string, string][] {
  if (!isObject(value)) return [['value', asText(value)]]
  return Object.entries(value).flatMap(([name, each]): [string, string][] =>
    Array.isArray(each) ? each.slice(0, 10).map((one) => [`${name}[]`, asText(one)]) : [[name, asText(each)]],
  )
}

const formOf = (value: unknown) =>
  fieldsOf(value)
    .map(([name, each]) => `${encoded(name)}=${encoded(each)}`)
    .join('&')

const jsonText = (value: unknown) => JSON.stringify(value) ?? 'null'
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value)
}
const encoded = (text: string) => encodeURIComponent(text.slice(0, 4_000).toWellFormed())
function inHeader(text: string): string {
  return text.replace(notLatin, '?').slice(0, 3_000).trim()
}

/** What a machine sends as its key. */
export const bearerOf: Partial<Record<Asker, string>> = {
  mobile: keys.MOBILE_API_KEY,
  cron: keys.CRON_SECRET,
  inbound: keys.INBOUND_EMAIL_SECRET,
  swappedKey: keys.SESSION_SECRET,
  wrongKey: `${keys.MOBILE_API_KEY}x`,
}
