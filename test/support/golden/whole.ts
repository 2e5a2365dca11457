import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { decideAccess } from '../../../src/vocabulary/people/permissions.js'
import { refusedForms, type State } from '../../browser/states.js'
import type { Who } from '../house/asking.js'
import type { House } from '../house/house.js'
import { type Examples, readers } from '../pages.js'
import { readEndpoints } from '../routes/endpoints.js'
import { readableJson } from './json.js'
import { steady } from './steady.js'

/** Measurements, pictures, and what depends on the moment of the start. */
const skipped = ['/metrics', '/api/photos/{*path}', '/readyz']

/**
 * Writes the whole answer of every address that can be read, as every role, to be compared file by
 * file.
 */
export async function writeWhole(house: House, examples: Examples, folder: string): Promise<void> {
  for (const { path: route, permission } of readEndpoints) {
    if (skipped.includes(route)) continue
    const isApi = route.startsWith('/api/')
    // Pages say in words who may not see them; the API does in a status, which its own tests know.
    const people: readonly Who[] = isApi ? [...readers, 'mobile'] : readers
    for (const who of people.filter((each) => !isApi || decideAccess(each, permission) === 'allowed'))
      for (const [i, address] of addressesOf(route, examples).entries()) {
        const headers = { accept: isApi ? 'application/json' : 'text/html', 'sec-fetch-site': 'same-origin' }
        const answer = await house.ask(who, address, { headers })
        const [name, text] = [`${nameOf(route)}.${i + 1}`, await answer.text()]
        const type = /json|html|xml|csv|calendar/.exec(answer.headers.get('content-type') ?? '')?.[0] ?? 'txt'
        const content = type === 'json' ? readableJson(JSON.parse(text)) : text
        write(folder, `${isApi ? 'api' : 'pages'}/${who}/${name}.${answer.status}.${type}`, content)
      }
  }
}

/** Writes the pages that a plain address does not show, those with refused forms included. */
export async function writeStates(
  house: House,
  examples: Examples,
  states: Map<string, State[]>,
  folder: string,
) {
  const all = new Map([...states, ['refused', await refusedForms(house, examples)]])
  for (const [group, pages] of all)
    for (const [i, { name, html }] of pages.entries())
      write(folder, `states/${group}/${i + 1}${nameOf(steady(name))}.html`, html)
}

/** Writes texts of emails, pushes and webhooks, and the HTML of emails. */
export function writeMessages(folder: string, messages: Record<string, Map<string, string>>): void {
  for (const [kind, texts] of Object.entries(messages))
    for (const [name, text] of texts) write(folder, `${kind}/${nameOf(name)}`, text)
}

function write(folder: string, name: string, text: string): void {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, steady(text))
}

const nameOf = (text: string) => text.replaceAll(/[^\w.]+/g, '-')

/**
 * Addresses of a route: those of the page of the same name, or of the page that its own address
 * begins with.
 */
function addressesOf(route: string, examples: Examples): string[] {
  const [prefix] = /^(\/api(\/auth)?)?/.exec(route)!
  const page = route.slice(prefix.length)
  const twin = examples[page] ?? examples[`/admin${page}`]?.map((each) => each.replace('/admin', ''))
  if (twin) return twin.map((each) => prefix + each)
  if (!route.includes(':')) return [route]
  const parent = Object.keys(examples).find((each) => each.endsWith(':id') && page.startsWith(`${each}/`))
  if (parent) return examples[parent]!.map((each) => prefix + each.split('?')[0] + page.slice(parent.length))
  return [route.replaceAll(/:\w+/g, '1')]
}
