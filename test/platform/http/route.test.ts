import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { z } from 'zod'
import { both } from '../../../src/platform/http/paths.js'
import { answeredByHandler, noContent, page } from '../../../src/platform/http/route/answerContent.js'
import { emptyBody, type InputPlace, jsonOrForm, partial } from '../../../src/platform/http/route/fields.js'
import { route, routePair } from '../../../src/platform/http/route/route.js'

const Fields = z.object({ title: z.string(), place: z.number().default(0) })

const whole = {
  method: 'post',
  paths: both('/things/:id'),
  summary: 'Changes a thing.',
  permission: 'status.read',
  body: Fields,
  answer: z.strictObject({ id: z.number() }),
  handle: () => ({ data: { id: 1 } }),
} as const

describe('a route', () => {
  it('is known by method and first path', () => {
    expect(route(whole).name).toBe('POST /things/:id')
    expect(route(whole).paths).toEqual(['/things/:id', '/api/things/:id'])
  })

  it.each([
    ['permission', { permission: undefined }, 'no permission'],
    ['permission of ours', { permission: 'constructor' }, 'no permission'],
    ['answer', { answer: undefined }, 'its answer'],
    ['answer of any status', { answer: {} }, 'its answer'],
    ['answer that can be described', { answer: { 200: 'anything' } }, 'its answer'],
    ['body', { body: undefined }, 'a write has a body'],
    ['body that can be read', { body: 'anything' }, 'its body'],
    ['summary', { summary: '' }, 'no summary'],
    ['path', { paths: [] }, 'no path'],
    ['method', { method: 'put' }, 'no method'],
    ['read without a body', { method: 'get' }, 'a read has none'],
    ['permission for a field', { needs: { title: 'anything' } }, 'no permission'],
    ['parameters in all its paths', { paths: ['/things/:id', '/api/things/:thingId'] }, 'parameters'],
    ['parameter it reads', { params: { token: z.string() } }, 'parameters'],
  ])('is refused at start, by its name, without a %s', (_what, lack, why) => {
    expect(() => route({ ...whole, ...lack } as never)).toThrow(
      new RegExp(`^route \\w+ ${'paths' in lack ? '' : '/things/:id'}.*: .*${why}`),
    )
  })

  it('keeps the application from starting when it is half of one, and says which it is', async () => {
    vi.doMock('../../../src/app/health/healthRoutes.js', () => ({
      healthRoutes: [route({ ...whole, summary: '' })],
    }))
    const started = await import('../../../src/app/app.js').catch((error) => error)
    expect(`${started.cause ?? started}`).toContain('route POST /things/:id: it has no summary')
  })

  it('does not compile without what it must say', () => {
    const { permission, answer, body, summary, ...bare } = whole
    // @ts-expect-error: no permission
    expect(() => route({ ...bare, answer, body, summary })).toThrow()
    // @ts-expect-error: no answer
    expect(() => route({ ...bare, permission, body, summary })).toThrow()
    // @ts-expect-error: a write without a body
    expect(() => route({ ...bare, permission, answer, summary })).toThrow()
    // @ts-expect-error: no summary
    expect(() => route({ ...bare, permission, answer, body })).toThrow()
    // @ts-expect-error: a read with a body
    expect(() => route({ ...bare, permission, answer, body, summary, method: 'get' })).toThrow()
    // @ts-expect-error: a permission there is none of
    expect(() => route({ ...whole, permission: 'status.burn' })).toThrow()
    // @ts-expect-error: an answer its schema does not know
    route({ ...whole, handle: () => ({ data: { id: 'one' } }) })
    // @ts-expect-error: nothing handed over
    route({ ...whole, handle: () => undefined })
    // @ts-expect-error: JSON where there is to be none
    route({ ...whole, answer: noContent, handle: () => ({ data: { id: 1 } }) })
  })

  it('hands its handler what its schemas and paths say', () => {
    const shared = { summary: 'x', permission: 'status.read', answer: page } as const
    const { handle: _, ...rest } = whole
    const made = route({
      ...rest,
      paths: both('/things/:id/parts/:partId/:token'),
      params: { token: z.string() },
      subject: async ({ params }) => ({ found: params.id }),
      handle: ({ params, body, query, subject }) => {
        expectTypeOf(params).toEqualTypeOf<{ id: number; partId: number; token: string }>()
        expectTypeOf(body).toEqualTypeOf<{ title: string; place: number }>()
        expectTypeOf(query).toEqualTypeOf<undefined>()
        expectTypeOf(subject).toEqualTypeOf<{ found: number }>()
        return answeredByHandler
      },
    })
    expect(made.paths).toHaveLength(2)
    route({
      ...shared,
      method: 'get',
      paths: '/things',
      query: ({ zone }: InputPlace) => z.object({ day: z.string().default(zone) }),
      handle: ({ params, query }) => {
        expectTypeOf(params).toEqualTypeOf<Record<never, never>>()
        expectTypeOf(query).toEqualTypeOf<{ day: string }>()
        return {}
      },
    })
    route({
      ...shared,
      method: 'patch',
      paths: '/things',
      body: partial(Fields),
      handle: ({ body }) => {
        expectTypeOf(body).toEqualTypeOf<Partial<{ title: string; place: number }>>()
        return {}
      },
    })
    route({
      ...shared,
      method: 'post',
      paths: '/things',
      body: jsonOrForm(Fields, z.object({ words: z.string() })),
      handle: ({ body }) => {
        expectTypeOf(body).toEqualTypeOf<{ title: string; place: number } | { words: string }>()
        return {}
      },
    })
    route({
      ...shared,
      method: 'delete',
      paths: '/things',
      body: emptyBody,
      handle: ({ body }) => {
        expectTypeOf(body).toEqualTypeOf<undefined>()
        return {}
      },
    })
  })
})

describe('a change that forms ask for, too', () => {
  const change = {
    ...whole,
    method: 'patch',
    paths: '/api/things/:id/:name',
    fromForm: '/things/:id/:name',
    params: { name: z.string() },
    throttle: 'writes',
    needs: { title: 'status.read' },
    body: partial(Fields),
  } as const

  it('is two routes that differ in method, address and sentence alone', () => {
    const form = { view: 'things', load: async () => ({}) }
    const [api, page] = routePair({ ...change, form })
    const { name, method, paths, summary, middleware, ...said } = api
    const { name: _n, method: _m, paths: _p, summary: _s, middleware: posted, form: _f, ...saidOfPage } = page
    expect([name, page.name]).toEqual(['PATCH /api/things/:id/:name', 'POST /things/:id/:name'])
    expect([paths, page.paths]).toEqual([['/api/things/:id/:name'], ['/things/:id/:name']])
    expect([method, summary, page.method]).toEqual(['patch', 'Changes a thing.', 'post'])
    expect(saidOfPage).toEqual(said)
    expect(posted.length, 'the form belongs to the page').toBe(middleware.length + 1)
  })

  it('hands its handler what its schemas and paths say', () => {
    const { handle: _, ...rest } = change
    const pair = routePair({
      ...rest,
      handle: ({ params, body }) => {
        expectTypeOf(params).toEqualTypeOf<{ id: number; name: string }>()
        expectTypeOf(body).toEqualTypeOf<Partial<{ title: string; place: number }>>()
        return { data: { id: params.id } }
      },
    })
    expect(pair).toHaveLength(2)
  })

  it('is refused at start when its addresses have other parameters', () => {
    expect(() => routePair({ ...change, fromForm: '/things/:id' })).toThrow(
      'route POST /things/:id: it does not have the parameters of /api/things/:id/:name',
    )
  })
})
