import { schemas } from '../../../../src/platform/http/description/jsonSchema.js'
import type { Route } from '../../../../src/platform/http/route/route.js'
import type { House } from '../../house/house.js'
import { things } from '../../house/things.js'
import { readEndpoints } from '../endpoints.js'

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
export const filters = readEndpoints.flatMap(({ path, route }) => {
  const query = route?.query
  if (!query || path.includes(':token')) return []
  return Object.entries(whole(fields(query)).properties ?? {})
    .map(([name, schema]) => ({ path, name, schema, allowed: allowedBy(schema) }))
    .filter(({ name, allowed }) => allowed.length > 0 && !isForgiven(query, name))
})

type Problem = { code?: string; detail?: string; errors?: object }

/**
 * Where a filter that is unknown, repeated or in brackets is not refused by its name, with what it
 * may be.
 */
export async function filterFaults(house: House): Promise<string[]> {
  const faults: string[] = []
  const subscription = String(await things.subscription())
  for (const { path, name, schema, allowed } of filters) {
    const withDate = path.replace('days/:from', 'days/2026-05-31')
    const address = withDate.replace('webhooks/:id', `webhooks/${subscription}`).replaceAll(/:\w+/g, '1')
    const good = schema.enum?.[0] ?? schema.const ?? (schema.type === 'boolean' ? 'true' : '2')
    const value = encodeURIComponent(allowed[0] === '2026-05-31' ? '2026-05-31' : String(good))
    for (const asked of [
      `${name}=zz`,
      `${name}=${value}&${name}=${value}`,
      `${name}[]=${value}`,
      `${name}[0]=${value}`,
      `${name}%5B%5D=${value}`,
    ]) {
      const answer = await house.ask('admin', `${address}?${asked}`, {
        headers: { accept: 'application/json' },
      })
      const problem = (await answer.json().catch(() => ({}))) as Problem
      const lacks = allowed.filter((each) => !problem.detail?.includes(each))
      const isNamed =
        Object.keys(problem.errors ?? {}).join() === name && problem.detail?.includes(`"${name}"`)
      if (answer.status !== 400 || problem.code !== 'bad_query' || !isNamed || lacks.length > 0)
        faults.push(`${path}?${asked}: ${answer.status} ${problem.code} ${problem.detail}`)
    }
  }
  return faults
}
