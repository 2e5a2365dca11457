import { describe, expect, it } from 'vitest'
import { schemas } from '../../src/platform/http/description/operation.js'
import type { Route } from '../../src/platform/http/route/route.js'
import { useApp } from '../support/app.js'
import { aSubscription } from '../support/builders/records.js'
import { readEndpoints } from '../support/routes/endpoints.js'

const app = useApp()
const { whole, fields } = schemas()

/** What a parameter of an address may be, in the words of the answer that refuses it. */
function allowedBy(schema: ReturnType<typeof whole>): string[] {
  if (schema.type === 'boolean') return ['true', 'false']
  if (schema.enum) return schema.enum.map(String)
  if (schema.const !== undefined) return [String(schema.const)]
  if (schema.type === 'integer') return ['whole number', `${schema.minimum}`, `${schema.maximum}`]
  return schema.format || schema.anyOf ? ['2026-05-31'] : []
}

const place = { zone: 'UTC', currency: 'EUR', locale: 'en' }

/**
 * What an act leaves in the address of the page after it is no filter:
 * anything else there is nothing.
 */
function isForgiven(query: NonNullable<Route['query']>, name: string): boolean {
  const { shape } = typeof query === 'function' ? query(place) : query
  return shape[name].safeParse('zz').success
}

/** Every parameter of every read that takes no text of any kind. */
const filters = readEndpoints.flatMap(({ path, route }) => {
  const query = route?.query
  if (!query || path.includes(':token')) return []
  return Object.entries(whole(fields(query)).properties ?? {})
    .map(([name, schema]) => ({ path, name, schema, allowed: allowedBy(schema) }))
    .filter(({ name, allowed }) => allowed.length > 0 && !isForgiven(query, name))
})

const ask = (address: string, accept = 'application/json') =>
  app.ask('admin', address, { headers: { accept } })

describe('a filter', () => {
  it('that is unknown, repeated or in brackets is named with what it may be, in every list', async () => {
    const faults: string[] = []
    const subscription = String(await aSubscription({ url: 'https://receiver.example/hook' }))
    for (const { path, name, schema, allowed } of filters) {
      const address = path.replace('webhooks/:id', `webhooks/${subscription}`).replaceAll(/:\w+/g, '1')
      const good = schema.enum?.[0] ?? schema.const ?? (schema.type === 'boolean' ? 'true' : '2')
      const value = encodeURIComponent(allowed[0] === '2026-05-31' ? '2026-05-31' : String(good))
      for (const asked of [
        `${name}=zz`,
        `${name}=${value}&${name}=${value}`,
        `${name}[]=${value}`,
        `${name}[0]=${value}`,
        `${name}%5B%5D=${value}`,
      ]) {
        const answer = await ask(`${address}?${asked}`)
        const problem = (await answer.json().catch(() => ({}))) as {
          code?: string
          detail?: string
          errors?: object
        }
        const lacks = allowed.filter((each) => !problem.detail?.includes(each))
        const named =
          Object.keys(problem.errors ?? {}).join() === name && problem.detail?.includes(`"${name}"`)
        if (answer.status !== 400 || problem.code !== 'bad_query' || !named || lacks.length > 0)
          faults.push(`${path}?${asked}: ${answer.status} ${problem.code} ${problem.detail}`)
      }
    }
    expect(faults).toEqual([])
    expect(filters.length).toBeGreaterThan(100)
  })

  it.each(['/incidents', '/admin/assets', '/admin/audit'])(
    'that is wrong on the page %s is said in plain words, with a link to the list',
    async (path) => {
      for (const asked of ['limit=zz', 'before=2&before=2', 'before[]=2']) {
        const answer = await ask(`${path}?${asked}`, 'text/html')
        expect(answer.status).toBe(400)
        const page = await app.page('admin', `${path}?${asked}`)
        expect(page('main').text()).toContain('Choose the filters again')
        expect(page('main').text()).not.toMatch(/parameter|limit|before|brackets/)
        expect(page(`main a.button[href="${path}"]`).text()).toBe('Show the whole list')
      }
      expect((await ask(path, 'text/html')).status).toBe(200)
    },
  )
})
