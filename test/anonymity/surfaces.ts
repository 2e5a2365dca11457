import { statuses } from '../../src/vocabulary/lifecycle.js'
import { severities } from '../../src/vocabulary/severity.js'
import { readEndpoints, writeEndpoints } from '../support/routes/endpoints.js'
import { perRun } from '../support/run/extent.js'
import { eachWithEach } from '../support/tables.js'
import { type Asked, jsonOf, neighbourEmail, type Stage, suspects } from './cast.js'

/** One question to the building. */
export type Question = { path: string; asked: Asked }

type Listed = { id: number }
/**
 * What the addresses of routes are filled with. Ids are the same in both worlds, and so
 * are the neighbour's links.
 */
type Known = {
  incidents: number[]
  inStory: readonly number[]
  assets: number[]
  units: number[]
  tokens: string[]
}

/** What there is to ask about, from a world in which the story has been told. */
export async function knownOf(stage: Stage): Promise<Known> {
  const all = jsonOf<Listed[]>(await stage.ask('guest', '/api/incidents?includeMerged=true&limit=500'))
  const { assets } = jsonOf<{ assets: Listed[] }>(await stage.ask('guest', '/api/status'))
  const units = jsonOf<Listed[]>(await stage.ask('guest', '/api/units'))
  const { asset: _asset, unit: _unit, ...named } = stage.noted
  const quick = ['smoke', 'survivor', 'duplicate', 'office', 'second', 'named'].map((name) => named[name]!)
  const inStory = perRun({ quick, whole: Object.values(named) })
  // The story's own, and some of those before it: what they say is the same question as
  // often as there are incidents.
  const others = perRun({ quick: [], whole: all.map(({ id }) => id).filter((_, i) => i % 6 === 0) })
  const links = stage.emails().filter(({ to }) => to === neighbourEmail)
  const tokens = links.flatMap(({ email }) => email.text.match(/(?<=\/unsubscribe\/)[\w.-]+/g) ?? [])
  return {
    incidents: [...new Set([...inStory, ...others]), ...perRun({ quick: [], whole: [2_000_000_000] })],
    inStory,
    assets: [...perRun({ quick: { every: 6 }, whole: assets }).map(({ id }) => id), 999_999],
    units: units.slice(0, 4).map(({ id }) => id),
    tokens: [...new Set(tokens)],
  }
}

/**
 * Every GET of the product at every address there is, as JSON, page and fragment,
 * with filters and searches.
 */
export function reads(known: Known): Question[] {
  const paths = readEndpoints.flatMap(({ path }) => addresses(path, known, known.incidents))
  const queries = perRun({
    quick: { everyValue: true },
    whole: eachWithEach(
      paths.filter((path) => !/\d|\./.test(path)),
      searches(),
    ),
  })
  const lists = perRun({
    quick: { everyValue: true },
    whole: eachWithEach(filtersOf(known), ['/incidents', '/api/incidents']),
  }).map(([query, path]) => [path, query])
  const searched = perRun({ quick: { every: 4 }, whole: [...queries, ...lists] })
  return [...paths.flatMap(asEachReader), ...searched.map((pair) => asUsual(pair.join('?')))]
}

/** Filters and searches change what is read, not how it is shown: once each. */
const asUsual = (path: string): Question => ({
  path,
  asked: { headers: path.startsWith('/api') ? {} : { accept: 'text/html' } },
})

/**
 * What only a page or only an API can be asked for is the same question twice:
 * cheap, and never forgotten.
 */
function asEachReader(path: string): readonly Question[] {
  const accepts: Record<string, string>[] = path.startsWith('/api')
    ? [{}]
    : [{ accept: 'text/html' }, { accept: 'text/html', 'hx-request': 'true' }, { accept: 'application/json' }]
  const all = accepts.map((headers) => ({ path, asked: { headers } }))
  return path.includes('/incidents/') ? all : perRun({ quick: all.slice(0, 1), whole: all })
}

/**
 * Nobody is found by what they are not seen to be: the ways a search could be spelled, with
 * all there is of a person.
 */
function searches(): string[] {
  return Object.values(suspects).flatMap(({ name, email }) =>
    [name, email].flatMap((word) => [
      `${new URLSearchParams({ q: word })}`,
      `${new URLSearchParams({ q: `smoke ${word}`, sort: 'activity' })}`,
      `${new URLSearchParams({ q: word.slice(0, 3), includeMerged: 'true', sort: 'oldest' })}`,
      `${new URLSearchParams({ reporter: word })}`,
      `${new URLSearchParams({ search: word, query: word, reporter: word, reporterName: word, author: word })}`,
    ]),
  )
}

function filtersOf({ assets, units }: Known): string[] {
  const single = [
    ...statuses.map((status) => `status=${status}`),
    ...severities.map((severity) => `severity=${severity}`),
    ...assets.map((id) => `assetId=${id}`),
    ...units.map((id) => `unitId=${id}`),
    'sort=activity',
    'sort=oldest',
    'sort=severity',
    'sort=due',
    'open=true',
    'towerId=1',
    'assignee=nobody',
    'q=smoke',
    'q=office',
    'q=the',
    'q=INC-1',
    'from=2020-01-01',
    'to=2020-01-01',
    'includeMerged=true',
    'includeMerged=false',
    'status=new',
    'before=10',
    'limit=1',
    'limit=0',
  ]
  const pages = Array.from({ length: 20 }, (_, i) => `includeMerged=true&limit=5&before=${1 + i * 5}`)
  return [...single, ...single.map((one) => `${one}&includeMerged=true&limit=3`), ...pages]
}

/**
 * Enough to be a valid body of any of our writes; those it does not fit are refused,
 * which is an answer, too.
 */
const anyBody = ({ noted }: Stage) => ({
  body: 'A neighbour’s words',
  fixed: true,
  targetId: noted.survivor,
  title: 'A neighbour’s title',
  severity: 'low',
  assetId: noted.asset,
  token: 'another-phone',
  platform: 'ios',
})

/**
 * Every write of the product, with an empty body and with a good one. Ends no
 * session: those are needed.
 */
export function writes(known: Known, stage: Stage): Question[] {
  return writeEndpoints
    .filter(({ permission }) => permission !== 'session.delete')
    .flatMap(({ method, path }) =>
      addresses(path, known, known.inStory).flatMap((address) =>
        [{}, anyBody(stage)].map((json) => ({ path: address, asked: { method, json } })),
      ),
    )
}

/** The addresses of a route: each of its kind; of kinds this test does not know, the first few. */
function addresses(path: string, { assets, tokens }: Known, incidents: readonly number[]): string[] {
  if (!path.includes(':')) return path.includes('{') ? [] : [path]
  const values = path.includes(':token')
    ? tokens
    : path.includes('/incidents/:')
      ? incidents
      : /(assets|\/r)\/:/.test(path)
        ? assets
        : [1, 2, ...incidents.slice(0, 3)]
  return values.map((value) => path.replace(/:\w+/, String(value)).replaceAll(/:\w+/g, '1'))
}

/**
 * The photos of the story's incidents, in order: originals and thumbnails. Their paths
 * are drawn in each world.
 */
export async function photoPaths(stage: Stage): Promise<string[]> {
  const most = perRun({ quick: 4, whole: 20 })
  const rows = await stage.sql<{ path: string }>(`select path from photos order by id desc limit ${most}`)
  return rows.flatMap(({ path }) => [`/api/photos/${path}`, `/api/photos/${path}.thumb.jpg`])
}
