import { listIncidentPage } from '../../src/incidents/model/listedIncidents.js'
import { type IncidentFilters, placesInTower } from '../../src/incidents/model/search/filters.js'
import { parseSearch } from '../../src/incidents/model/search/searchWords.js'
import { limits } from '../../src/vocabulary/limits.js'
import { history, olderHistory, sized } from './size.js'
import { printTimes, verdict } from './verdict.js'
import {
  benchDatabase,
  copyDatabase,
  fill,
  fillBuilding,
  fillResidents,
  perSecond,
  timesAsLong,
  using,
} from './world.js'

const rounds = sized({ usual: 15, tiny: 1 })
const reads = sized({ usual: 20, tiny: 2 })
const size = 100
/** Incidents of the large building; BENCH_INCIDENTS makes it smaller, for a look. */
const large = Number(process.env.BENCH_INCIDENTS ?? history + olderHistory)
const small = history

const day = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * day)

/**
 * `half` is in every second incident, `percent` in every hundredth, `rare` in ten of them, `gone`
 * in the oldest half; each has one of 5,000 words, of which every fifth or so begins with `word1`.
 */
const searches: Record<string, () => Promise<IncidentFilters>> = {
  'a word of every second incident': async () => ({ search: await parseSearch('half', false) }),
  'the same, for staff': async () => ({ search: await parseSearch('half', true) }),
  'the beginning of it': async () => ({ search: await parseSearch('hal', false) }),
  'the beginning of a thousand words': async () => ({ search: await parseSearch('word1', false) }),
  'a word of every hundredth incident': async () => ({ search: await parseSearch('percent', false) }),
  'a word of ten incidents': async () => ({ search: await parseSearch('rare', false) }),
  'the same, for staff, with a frequent one': async () => ({ search: await parseSearch('half rare', true) }),
  'a number': async () => ({ search: await parseSearch('INC-77', false) }),
  'a word of nothing': async () => ({ search: await parseSearch('zebra', true) }),
  'what is open': async () => ({ open: true }),
  'a tower': async () => ({ places: await placesInTower(1) }),
  'a tower, by severity': async () => ({ places: await placesInTower(1), sort: 'severity' }),
  'a month long ago': async () => ({ from: ago(90), to: ago(60) }),
  'by last activity': async () => ({ sort: 'activity' }),
  'oldest first': async () => ({ sort: 'oldest' }),
  'by severity': async () => ({ sort: 'severity' }),
  'no one is assigned': async () => ({ assigneeId: null, contactId: null }),
}

/**
 * Searches that take longer in a larger building by their nature, printed without a goal: the
 * newest incident with the word is as far back as the building is large.
 */
const growing: Record<string, () => Promise<IncidentFilters>> = {
  'a word of the older half': async () => ({ search: await parseSearch('gone', false) }),
}

/**
 * The first page of any search at 1,000,000 incidents against 10,000: at most 1.2 times the time.
 */
export async function searching(): Promise<boolean> {
  const world = await benchDatabase()
  try {
    await fillBuilding(100)
    await fillResidents(305)
    const big = await copyDatabase(world.url, 'large')
    await using(world.url, () => fillReports(small))
    await using(big, () => fillReports(large))
    const met: boolean[] = []
    const timesOf = (filters: () => Promise<IncidentFilters>) =>
      timesAsLong(() => pagesPerSecond(filters), { small: world.url, large: big, rounds })
    for (const [name, filters] of Object.entries(searches))
      met.push(verdict(name, await timesOf(filters), { atMost: 1.2 }))
    for (const [name, filters] of Object.entries(growing)) printTimes(name, await timesOf(filters))
    return met.every(Boolean)
  } finally {
    await world.stop()
  }
}

/** So many incidents over two years, the newest of them open, as their triggers index them. */
async function fillReports(count: number): Promise<void> {
  for (let from = 0; from < count; from += 50_000)
    await fill(
      `insert into incidents (title, description, severity, status, source, asset_id, reporter_id, created_at,
         acknowledged_at, resolved_at, verified_at)
       select 'Report ' || n,
         concat_ws(' ', case when n % 2 = 0 then 'half' end, case when n % 100 = 0 then 'percent' end,
           case when n % ($3 / 10) = 7 then 'rare' end, case when n < $3 / 2 then 'gone' end,
           'word' || n * 7919::bigint % 5000, 'other' || n % 317),
         (array['low','medium','high','critical'])[1 + (n / 7) % 4],
         case when n > $3 - 50 then 'open' else 'verified' end, 'web',
         1 + n % 100, 2 + n % 300, at, done, done, done
       from (
         select n, at, case when n > $3 - 50 then null else at end as done
         from (select n, now() - (($3 - n)::float8 / $3) * interval '730 days' as at
           from generate_series($1::integer, $2::integer) n) timed
       ) given`,
      [from + 1, Math.min(count, from + 50_000), count],
    )
  await fill('vacuum analyze')
}

/** What a request asks for, the words included. */
async function pagesPerSecond(filters: () => Promise<IncidentFilters>): Promise<number> {
  return perSecond(
    async () => listIncidentPage({ ...(await filters()), limit: size }, limits.pageBytes),
    reads,
    5,
  )
}
