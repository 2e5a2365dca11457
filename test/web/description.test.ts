import { brotliCompressSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '../../src/app/routes.js'
import { describe as description } from '../../src/platform/http/description/document.js'
import { both } from '../../src/platform/http/request/both.js'
import { queryFlag, queryId } from '../../src/platform/http/request/input.js'
import { file, noContent } from '../../src/platform/http/route/answer.js'
import {
  emptyBody,
  type InputPlace,
  jsonOrForm,
  partial,
  rawBody,
} from '../../src/platform/http/route/fields.js'
import { type Route, route } from '../../src/platform/http/route/route.js'
import { clearable, id, line, moment, oneLine, optionalLine } from '../../src/vocabulary/inputRules.js'
import { objectsIn, operationsOf } from '../support/routes/operations.js'

const whole = description(routes)
const operations = operationsOf(whole)

describe('the description of the service', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(whole) as never)
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  it('holds every API address of every route, and whether the service is well', () => {
    const expected = routes.flatMap((each) =>
      each.paths
        .filter((path) => path.startsWith('/api/') || each.permission === 'health.read')
        .map((path) => `${each.method} ${path.replace(/\{\*(\w+)\}|:(\w+)/g, '{$1$2}')}`),
    )
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(expected.sort())
    expect(operations.length).toBeGreaterThan(60)
  })

  it('keeps the names that clients are made of', async () => {
    const names = operations.map(
      ({ method, path, operation }) =>
        `${operation.operationId}: ${method.toUpperCase()} ${path} (${operation['x-permission']})`,
    )
    await expect(`${names.sort().join('\n')}\n`).toMatchFileSnapshot('operations.txt')
  })

  it('points nowhere but at what it holds', () => {
    const pointers = [...objectsIn(whole)].flatMap(([at, { $ref }]) =>
      $ref ? [{ at, $ref: String($ref) }] : [],
    )
    expect(pointers.length).toBeGreaterThan(300)
    const lost = pointers.filter(({ $ref }) => {
      const steps = $ref.split('/').slice(1)
      return !steps.reduce<any>((value, step) => value?.[step], whole)
    })
    expect(lost).toEqual([])
  })

  it('declares the parameters of every path', () => {
    for (const { method, path, operation } of operations) {
      const declared = (operation.parameters ?? []).flatMap((each) =>
        'in' in each && each.in === 'path' && each.required ? [each.name] : [],
      )
      expect(declared, `${method} ${path}`).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    }
  })

  it('gives every operation a name of its own, a sentence and a noun', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((each) => !/^(get|post|patch|delete)([A-Z][A-Za-z0-9]*)+$/.test(each))).toEqual([])
    expect(operations.filter(({ operation }) => !/^[A-Z].*\.$/.test(operation.summary))).toEqual([])
    const nouns = new Set(whole.tags.map(({ name }) => name))
    expect(operations.filter(({ operation }) => !nouns.has(operation.tags[0]))).toEqual([])
  })

  it('says of every field, parameter and answer what it is', () => {
    const says = ['type', '$ref', 'anyOf', 'allOf', 'oneOf', 'enum', 'const', 'description']
    const empty = [...objectsIn({ schemas: whole.components.schemas, paths: whole.paths })].flatMap(
      ([at, object]) => {
        const fields = (object.properties ?? {}) as Record<string, object>
        const schemas = { ...fields, ...pick(object, ['schema', 'items']) }
        return Object.entries(schemas)
          .filter(([, schema]) => !says.some((word) => Object.hasOwn(schema, word)))
          .map(([name]) => `${at} ${name}`)
      },
    )
    expect(empty).toEqual([])
  })

  it('takes no longer to load than a photo', () => {
    expect(brotliCompressSync(JSON.stringify(whole)).length).toBeLessThan(40_000)
  })
})

const pick = (object: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(
    names.flatMap((name) => (isSchema(object[name]) ? [[name, object[name] as object]] : [])),
  )
const isSchema = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

const Answer = z.strictObject({ at: z.iso.datetime() }).meta({ id: 'Thing' })
const shared = { summary: 'Does it.', permission: 'cost.manage', answer: Answer } as const
const made = (...values: Route[]) => description(values)
const only = (value: Route) => operationsOf(made(value))[0]!.operation as any
const bodyOf = (value: Route, type = 'application/json') => only(value).requestBody.content[type].schema

const Fields = ({ zone }: InputPlace) =>
  z.object({
    name: oneLine('name', 80),
    about: optionalLine('about', 500),
    where: id('asset').nullish().default(null),
    when: moment('when', zone),
    code: clearable(line('code', 9, 0).transform((text) => text || null)),
    ids: z.array(z.coerce.number().pipe(id('asset'))).max(3),
  })
const write = {
  ...shared,
  method: 'post',
  paths: both('/things/:id'),
  body: Fields,
  handle: () => ({ data: { at: '' } }),
} as const

describe('a description', () => {
  it('says lengths, ranges, formats and what may be null of fields', () => {
    const range = { type: 'integer', minimum: 1, maximum: 2_147_483_647 }
    expect(bodyOf(route(write))).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 80 },
        about: { type: 'string', maxLength: 500 },
        where: { anyOf: [range, { type: 'null' }], default: null },
        when: { type: 'string', format: 'date-time' },
        code: { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] },
        ids: { type: 'array', items: range, maxItems: 3 },
      },
      required: ['name', 'when', 'ids'],
    })
  })

  it('asks for none of the fields of a change, and promises no default', () => {
    const schema = bodyOf(route({ ...write, body: partial(Fields) }))
    expect(schema.required).toBeUndefined()
    expect(schema.properties.about).toEqual({ type: 'string', maxLength: 500 })
  })

  it('tells JSON, forms, photos and sheets apart', () => {
    const body = jsonOrForm(z.object({ cents: z.int() }), z.object({ typed: z.string() }))
    const mixed = route({ ...write, body, photos: true })
    expect(Object.keys(bodyOf(mixed).properties)).toEqual(['cents'])
    expect(Object.keys(bodyOf(mixed, 'application/x-www-form-urlencoded').properties)).toEqual(['typed'])
    expect(bodyOf(mixed, 'multipart/form-data').allOf[1].properties['photos[]'].maxItems).toBe(5)
    const sheet = route({ ...write, body: z.object({ csv: z.string() }), sheet: true })
    expect(bodyOf(sheet, 'multipart/form-data').allOf[1].properties.file.format).toBe('binary')
    expect(only(route({ ...write, body: emptyBody })).requestBody).toBeUndefined()
  })

  it('says what a query may hold', () => {
    const query = z.object({ before: queryId.optional(), all: queryFlag.optional(), q: z.string() })
    const { parameters } = only(
      route({ ...shared, method: 'get', paths: '/api/things', query, handle: () => ({ data: { at: '' } }) }),
    )
    expect(parameters).toEqual([
      {
        name: 'before',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
      },
      { name: 'all', in: 'query', required: false, schema: { type: 'boolean' } },
      { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
    ])
  })

  it('says who may, and which field asks for more', () => {
    const needs = { name: 'incident.setStatus' } as const
    const staff = only(route({ ...write, needs }))
    expect([staff.security, staff['x-permission'], staff['x-field-permissions']]).toEqual([
      [{ session: [] }],
      'cost.manage',
      needs,
    ])
    expect(only(route({ ...write, permission: 'asset.read' })).security).toEqual([
      {},
      { session: [] },
      { mobile: [] },
    ])
    expect(only(route({ ...write, permission: 'sweep.run', body: rawBody })).security).toEqual([{ cron: [] }])
  })

  it('says what can be answered', () => {
    const statuses = (value: Route) => Object.keys(only(value).responses).map(Number)
    const asked = [400, 401, 403, 404, 409, 413, 415, 422, 429, 503]
    expect(statuses(route(write))).toEqual([200, 303, ...asked])
    expect(statuses(route({ ...write, answer: noContent, handle: () => ({}) }))).toEqual([204, 303, ...asked])
    const reading = {
      ...shared,
      method: 'get',
      permission: 'page.read',
      handle: () => ({ data: { at: '' } }),
    } as const
    expect(statuses(route({ ...reading, paths: '/api/things' }))).toEqual([200, 304, 401, 503])
    const asFile = route({
      ...shared,
      method: 'get',
      paths: '/api/x',
      answer: file('text/csv'),
      handle: () => ({}),
    })
    expect(only(asFile).responses[200].content).toEqual({ 'text/csv': { schema: { type: 'string' } } })
    const list = only(route({ ...reading, paths: '/api/things', paged: true as const }))
    expect(Object.keys(list.responses[200].headers)).toEqual(['Link'])
    const once = only(route({ ...write, answer: { 201: Answer }, idempotent: true as const }))
    expect(once.parameters.at(-1)).toEqual({ $ref: '#/components/parameters/IdempotencyKey' })
    expect(Object.keys(once.responses[201].headers)).toEqual(['Location'])
  })

  it('is none where two shapes have one name', () => {
    const other = route({
      ...write,
      paths: '/api/others',
      answer: z.strictObject({}).meta({ id: 'Thing' }),
      handle: () => ({ data: {} }),
    })
    expect(() => made(route(write), other)).toThrow('two schemas are called Thing')
  })
})
