import { describe, expect, it } from 'vitest'
import { routes } from '../../src/app/routes.js'
import { sourcesIn, withoutComments } from './sources.js'

describe('platform knows no feature', () => {
  it('reads the routes and the schema', () => {
    expect(featureAddresses.size).toBeGreaterThan(40)
    expect(featureTables.length).toBeGreaterThan(25)
    expect(featureColumns.size).toBeGreaterThan(60)
    const unknown = Object.keys(platformsTables).filter((table) => !columnsByTable.has(table))
    expect(unknown).toEqual([])
  })

  it('by an address', () => {
    // In a text, a template or a regular expression: a slash at its beginning, or after /api or
    // /admin.
    const address = /(?:['"`^(]|\/(?:api|admin))\\?\/([a-z][\w.-]*)/g
    const named = (text: string) =>
      [...text.matchAll(address)].filter(([, word]) => featureAddresses.has(word!)).map(([match]) => match)
    expect(found(named)).toEqual([])
  })

  it('by a table', () => {
    const table = new RegExp(
      `\\b(?:from|join|into|update|table|tableName =) '?(${featureTables.join('|')})\\b`,
      'gi',
    )
    expect(found((text) => [...text.matchAll(table)].map(([match]) => match))).toEqual([])
  })

  it('by a column', () => {
    const names = [...featureColumns].flatMap((name) => [name, camel(name)])
    const column = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g')
    expect(found((text) => [...text.matchAll(column)].map(([match]) => match))).toEqual([])
  })
})

describe('what the ground calls', () => {
  it('is registered in app/wiring.ts alone, or by another part of platform', () => {
    const registering = sourcesIn(['src', 'jobs'])
      .filter(({ text }) => /\b\w+\.register\(/.test(code(text)))
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('src/platform/'))
    expect(registering).toEqual(['src/app/wiring.ts'])
  })
})

/** What platform writes itself, with why it may know these tables. */
const platformsTables: Record<string, string> = {
  audit_entries: '`change` writes an entry for every act',
  building_identity: 'whose photo store it is',
  database_views: 'which views the release step has made',
  devices: 'a browser goes on getting pushes when its session runs out',
  email_links: 'links of every purpose are made and redeemed in one place',
  events: '`change` writes what happened, the outbox hands it on',
  feature_flags: 'flags are read by every part',
  idempotency_keys: '`change` stores the answer of a key',
  job_runs: 'which job ran when',
  known_devices: 'a browser that has signed in before has limits of its own',
  outbox: 'what is still to be sent',
  properties: 'whether sending is paused, and whether the second factor is demanded',
  second_factors: 'whether a session needs a code',
  sessions: 'who a request is from',
  throttles: 'limits of attempts',
  users: 'of a user, what a session needs',
}

const schema = sourcesIn(['migrations'], 'schema.sql')[0]!.text

/** Every table of the database with its columns. */
const columnsByTable = new Map(
  [...schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n([\s\S]*?)\n\);/gim)].map(([, table, body]) => [
    table!,
    [...body!.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name!).filter((name) => name !== 'constraint'),
  ]),
)

const featureTables = [...columnsByTable.keys()].filter((table) => !Object.hasOwn(platformsTables, table))

/** Words of platform that are columns of a feature as well. */
const ownWords = ['duration_ms', 'form_key', 'stopped_at']

/**
 * Columns that tables of features alone have, of two words or more: a single word, such as
 * `title`, is a word of the language as well. One that several have, such as `archived_at`, is a
 * word of records in general.
 */
const featureColumns = (() => {
  const platforms = new Set(Object.keys(platformsTables).flatMap((table) => columnsByTable.get(table) ?? []))
  const ofFeatures = featureTables.flatMap((table) => columnsByTable.get(table)!)
  const isOfOne = (name: string) => ofFeatures.filter((each) => each === name).length === 1
  const named = ofFeatures.filter((name) => name.includes('_') && !platforms.has(name) && isOfOne(name))
  return new Set(named.filter((name) => !ownWords.includes(name)))
})()

/** First words of addresses, without the ones that stand for all of them. */
const featureAddresses = new Set(
  routes
    .flatMap(({ paths }) => paths)
    .map((path) => path.replace(/^\/api(\/v\d+)?(?=\/|$)/, '').replace(/^\/admin(?=\/)/, ''))
    .flatMap((path) => /^\/([a-z][\w.-]*)/.exec(path)?.[1] ?? [])
    // The roots of the office and of the API are what records and routes stand below.
    .filter((word) => word !== 'admin' && word !== 'api'),
)

/** What names something of a feature, with why. */
const exempt: Record<string, string> = {
  'src/platform/process/config/variables.ts': 'the text of a setting says to an operator where it counts',
}

/** Code without comments and imports. */
const code = (text: string) =>
  withoutComments(text).replace(/\bfrom '[^']*'|\bimport\('[^']*'\)|\brequire\.resolve\('[^']*'\)/g, '')

const platform = [...sourcesIn(['src/platform']), ...sourcesIn(['views/records'], '.eta')]
  .filter(({ path }) => !Object.hasOwn(exempt, path))
  .map(({ path, text }) => ({ path, text: code(text) }))

const found = (matches: (text: string) => string[]) =>
  platform.flatMap(({ path, text }) => matches(text).map((match) => `${path}: ${match}`))

const camel = (name: string) => name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase())
