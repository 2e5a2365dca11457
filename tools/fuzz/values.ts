import fc from 'fast-check'
import type { JsonSchema } from '../../src/platform/http/description/jsonSchema.js'
import { anyCodePoint } from '../../test/support/run/codePoints.js'

/**
 * Values no one means to send: wrong types, edges of numbers, texts that mean something to another
 * program.
 */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom<unknown>(
      '',
      ' ',
      'null',
      'true',
      '0',
      '-1',
      '1e999',
      'NaN',
      'Infinity',
      '007',
      '0x10',
      '１２',
      '１',
      '\u0000',
      'a\u0000b',
      '\ud800',
      'x\udfffy',
      '\u202e\u2066',
      '\u0301'.repeat(60),
      '🛗',
      '\r\nSet-Cookie: a=b',
      "'; drop table incidents;--",
      '<script>alert(1)</script>',
      '{{7*7}}',
      '<%= it %>',
      '=1+1',
      '$(id)',
      '../../test/support/../etc/passwd',
      '%00',
      '%',
      'http://127.0.0.1:9/',
      'https://receiver.example/hook',
      '//evil.example',
      '2026-02-30',
      '0000-00-00T00:00Z',
      '99999-01-01T00:00:00Z',
      '2026-03-29T01:30',
      '1970-01-01T00:00:00Z',
      '[INC-1]',
      'INC-1',
      '__proto__',
      'constructor',
      'toString',
      'a@b',
      '@',
      'a'.repeat(321),
      'GB£',
      0,
      -0,
      -1,
      1.5,
      2 ** 31,
      -(2 ** 31) - 1,
      2 ** 53,
      1e308,
      true,
      false,
      null,
      [],
      {},
      [[]],
      [null],
      { $gt: 1 },
      { length: 3 },
      { toString: 1 },
      [1, 1, 1],
      { id: 1 },
      Array(300).fill(1),
      'x'.repeat(10_001),
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: anyCodePoint, maxLength: 60 }) },
  { weight: 2, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.nat({ max: 400 }).map(nested) },
  { weight: 1, arbitrary: fc.nat({ max: 200_000 }).map((n) => 'long '.repeat(n / 5)) },
)

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value }
  return value
}

const near = fc
  .integer({ min: -400, max: 400 })
  .map((days) => new Date(Date.UTC(2026, 10, 22) + days * 86_400_000))
const words = fc.constantFrom(
  'Lift stuck',
  'Es ist dunkel',
  'Sin luz',
  'x',
  'Water in the cellar',
  'طابق',
  'Fixed. Thank you',
)
const formats: Record<string, fc.Arbitrary<unknown>> = {
  date: near.map((at) => at.toISOString().slice(0, 10)),
  'date-time': near.map((at) => at.toISOString()),
  email: fc.constantFrom('jo@outside.test', 'resident@example.com', 'new.person@outside.test'),
  uri: fc.constantFrom('https://receiver.example/hook', 'http://10.0.0.1/'),
  uuid: fc.uuid(),
  binary: fc.constant('\u0000'),
}
/** Ids of the demo are small; `latestId` stands for the id that the sequence created last. */
const smallId = fc.integer({ min: 1, max: 14 })
export const latestId = '\u0001made'

/**
 * Values by a schema of the document. `components`: its schemas by name; `odd`: of ten fields, how
 * many are not as it says.
 */
export function valuesOf(components: Record<string, JsonSchema>, odd: number) {
  const field = (schema: JsonSchema, depth: number): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 10 - odd, arbitrary: good(schema, depth) }, { weight: odd, arbitrary: hostile })

  function good(schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
    if (depth > 6) return fc.constant(null)
    if (schema.$ref) {
      const { $ref, required = [], ...beside } = schema
      const whole = components[$ref.split('/').at(-1)!] ?? {}
      return good({ ...whole, ...beside, required: [...(whole.required ?? []), ...required] }, depth + 1)
    }
    if ('const' in schema) return fc.constant(schema.const)
    if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
    const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
    if (choices && schema.properties)
      return fc.oneof(...choices.map((each) => object(chosenIn(schema, each), depth)))
    if (choices) return fc.oneof(...choices.map((each) => good(each, depth + 1)))
    if (Array.isArray(schema.allOf))
      return fc.tuple(...(schema.allOf as JsonSchema[]).map((each) => good(each, depth + 1))).map(merged)
    const types = [schema.type ?? 'any'].flat() as string[]
    return fc.oneof(...types.map((type) => ofType(type, schema, depth)))
  }

  function ofType(type: string, schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    if (type === 'string') return formats[String(schema.format)] ?? textFor(schema)
    if (type === 'boolean') return fc.boolean()
    if (type === 'null') return fc.constant(null)
    if (type === 'integer' || type === 'number')
      return fc.oneof({ weight: 3, arbitrary: smallId }, { weight: 1, arbitrary: fc.constant(latestId) })
    if (type === 'array')
      return fc.array(field((schema.items ?? {}) as JsonSchema, depth + 1), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: 4,
      })
    if (type === 'object') return object(schema, depth)
    return fc.oneof(words, smallId)
  }

  function object(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const { properties = {} } = schema
    const required = (schema.required ?? []) as string[]
    const entries = Object.entries(properties).map(([name, each]) =>
      fc
        .tuple(fc.integer({ min: 0, max: 9 }), field(each, depth + 1))
        .map(([draw, value]) => (draw < (required.includes(name) ? 10 - odd : 4) ? [[name, value]] : [])),
    )
    return fc.tuple(...entries).map((each) => Object.fromEntries((each as [string, unknown][][]).flat()))
  }

  return { good, field }
}

/**
 * The fields of an object where one of several rules holds: what it requires is sent, and not as
 * null.
 */
function chosenIn({ properties = {}, required = [] }: JsonSchema, rule: JsonSchema): JsonSchema {
  const isEmpty = (name: string) => {
    const { type, maxLength } = rule.properties?.[name] ?? {}
    return type === 'null' || maxLength === 0
  }
  const usable = Object.entries(properties).filter(([name]) => !isEmpty(name))
  const sent = usable.map(([name, schema]): [string, JsonSchema] => {
    const only = rule.properties?.[name]
    if (only && 'const' in only) return [name, only]
    if (!rule.required?.includes(name)) return [name, schema]
    const some = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
    return [name, only?.minLength === undefined ? some : { ...some, minLength: only.minLength }]
  })
  return { properties: Object.fromEntries(sent), required: [...required, ...(rule.required ?? [])] }
}

/** Words of a length that the schema takes, or what its pattern takes. */
function textFor({ pattern, minLength = 0, maxLength = 20 }: JsonSchema): fc.Arbitrary<string> {
  const [least, most] = [Number(minLength), Number(maxLength)]
  if (pattern) return fc.stringMatching(new RegExp(String(pattern))).filter((text) => text.length >= least)
  return fc
    .oneof(words, fc.string({ minLength: 1, maxLength: 20 }))
    .map((text) => (least > 0 && text.trim() === '' ? 'x' : text).padEnd(least, 'words ').slice(0, most))
}

const merged = (parts: unknown[]) => Object.assign({}, ...parts.map((each) => Object(each)))
