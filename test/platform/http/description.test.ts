import { brotliCompressSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '../../../src/app/routes.js'
import { describe as description } from '../../../src/platform/http/description/document.js'
import { route } from '../../../src/platform/http/route/route.js'
import { objectsIn, operationsOf } from '../../support/routes/operations.js'

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
    expect(nouns.size).toBeLessThan(14)
    expect(whole.tags.filter(({ description }) => !/^[A-Z].*\.$/.test(description))).toEqual([])
    expect(whole.servers.map(({ url }) => url)).toEqual(['/'])
  })

  it('says of every field, parameter and answer what it is', () => {
    const says = ['type', '$ref', 'anyOf', 'allOf', 'oneOf', 'enum', 'const', 'not', 'description']
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

const described = (path: string, schema: z.ZodObject) =>
  route({
    method: 'get',
    paths: path,
    group: 'status',
    summary: 'Does it.',
    permission: 'cost.manage',
    answer: schema.meta({ id: 'Thing' }),
    handle: () => ({ data: {} as never }),
  })

it('a description is none where two shapes have one name', () => {
  const [one, other] = [z.strictObject({ at: z.string() }), z.strictObject({})]
  const both = [described('/api/status/things', one), described('/api/status/others', other)]
  expect(() => description(both)).toThrow('two schemas are called Thing')
})
