import { query } from '../../platform/db/database.js'
import { DAY } from '../../vocabulary/time/calendar.js'
import type { ListedIncident } from './entity.js'
import { Incident } from './incident.js'

/** Characters of the shortest word that counts, and of the beginning that words are compared by. */
const shortestWord = 3
const stemLength = 4

function stemsOf(text: string): Set<string> {
  const words = text.toLocaleLowerCase('en').match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.filter((word) => word.length >= shortestWord).map((word) => word.slice(0, stemLength)))
}

/** Similarity of two titles, 0 to 1: shared word beginnings over all word beginnings. */
export function similarity(a: string, b: string): number {
  const [first, second] = [stemsOf(a), stemsOf(b)]
  const common = [...first].filter((word) => second.has(word)).length
  const all = first.size + second.size - common
  return all === 0 ? 0 : common / all
}

/**
 * An incident with its reporter's own title, which staff read. What others read while it is hidden
 * is the same for every report, so that any two of them would look alike.
 */
export function withOwnTitle<T extends Pick<ListedIncident, 'title' | 'hiddenTitle'>>(incident: T): T {
  return { ...incident, title: incident.hiddenTitle ?? incident.title }
}

type Dated = { title: string; createdAt: Date }

/** Titles this similar are taken for the same report unless somebody says otherwise. */
export const likelySimilarity = 0.5

/** What a report of the same moment gains; of a day later, half of it, and so on. */
const closenessInTime = 0.5

/** The least sum of similarity and closeness that is worth showing. */
const leastLikeness = 0.2

/**
 * The likeliest duplicates, by title and by closeness in time. A report of the same place within a
 * day is worth showing even without a common word.
 */
export function mostAlike<T extends Dated>(incident: Dated, candidates: readonly T[], most: number): T[] {
  const likeness = ({ title, createdAt }: Dated) => {
    const daysApart = Math.abs(incident.createdAt.getTime() - createdAt.getTime()) / DAY
    return similarity(incident.title, title) + closenessInTime / (1 + daysApart)
  }
  return candidates
    .map((candidate) => ({ candidate, score: likeness(candidate) }))
    .filter(({ score }) => score >= leastLikeness)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

/** An incident that another one may duplicate, with the title that staff read. */
export type DuplicateCandidate = Pick<
  ListedIncident,
  'id' | 'title' | 'status' | 'closingReason' | 'createdAt' | 'resolvedAt'
> & { placeName: string | null }

/**
 * Unmerged incidents of the same place within 30 days, in which reports of it may mean the same
 * fault: unresolved ones first, then newest first, 200 at most.
 */
export function candidatesFor(
  incident: Pick<ListedIncident, 'id' | 'assetId' | 'unitId' | 'createdAt'>,
): Promise<DuplicateCandidate[]> {
  return query(
    `select i.id, coalesce(i.hidden_title, i.title) as title, i.status, i.closing_reason,
       i.created_at, i.resolved_at, coalesce(a.name, u.name) as place_name
     from incidents i
     left join assets a on a.id = i.asset_id
     left join named_units u on u.id = i.unit_id
     where is_counted(i) and i.id <> $1
       and (i.asset_id = $2 or i.unit_id = $3)
       and i.created_at between $4::timestamptz - interval '30 days' and $4::timestamptz + interval '30 days'
     order by i.resolved_at is not null, i.created_at desc limit 200`,
    [incident.id, incident.assetId, incident.unitId, incident.createdAt],
  )
}

/**
 * Unmerged incidents whose title holds all these words, or with this number, newest first, of the
 * newest 5,000.
 */
export function searchDuplicates(
  words: readonly string[],
  exceptId: number,
  most: number,
): Promise<DuplicateCandidate[]> {
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
  return query(
    `select i.id, coalesce(i.hidden_title, i.title) as title, i.status, i.closing_reason,
       i.created_at, i.resolved_at, coalesce(a.name, u.name) as place_name
     from (
       select c.* from incidents c where is_counted(c) order by c.id desc limit 5000
     ) i
     left join assets a on a.id = i.asset_id
     left join named_units u on u.id = i.unit_id
     where i.id <> $1 and (coalesce(i.hidden_title, i.title) ilike all ($2::text[]) or i.id::text = any ($3::text[]))
     order by i.id desc limit $4`,
    [exceptId, patterns, words.map((word) => word.replace(/^(INC-|#)/i, '')), most],
  )
}

/** A report as `likelySurvivors` compares it. */
type Comparable = Pick<
  ListedIncident,
  'id' | 'title' | 'hiddenTitle' | 'assetId' | 'unitId' | 'createdAt' | 'resolvedAt' | 'isDowntime'
>

/**
 * The older open report of the same place that this one most likely repeats; null when there is
 * none.
 */
export async function likelySurvivorOf(id: number): Promise<number | null> {
  const incident = await Incident.query().findById(id)
  return incident ? ((await likelySurvivors([incident])).get(id) ?? null) : null
}

/**
 * For each of these reports the older open one of the same place that it most likely repeats, by
 * its id: its title is alike, or both say that the same thing is out of service. Reports without
 * such a one are missing.
 */
export async function likelySurvivors(rows: readonly Comparable[]): Promise<Map<number, number>> {
  const open = rows.filter(({ assetId, unitId, resolvedAt }) => (assetId ?? unitId) !== null && !resolvedAt)
  if (open.length === 0) return new Map()
  const ofTheirPlaces = await query<Comparable>(
    `select c.*
     from (select distinct a, u from unnest($1::integer[], $2::integer[]) p (a, u)) p
     cross join lateral (
       select i.id, i.title, i.hidden_title, i.asset_id, i.unit_id, i.is_downtime, i.created_at, i.resolved_at
       from incidents i
       where (i.asset_id = p.a or i.unit_id = p.u) and i.resolved_at is null and is_counted(i)
       order by i.id limit 200
     ) c`,
    [open.map(({ assetId }) => assetId), open.map(({ unitId }) => unitId)],
  )
  return new Map(
    open.flatMap((row) => {
      const older = ofTheirPlaces.filter(
        ({ id, assetId, unitId }) => id < row.id && assetId === row.assetId && unitId === row.unitId,
      )
      const survivor = mostLikely(withOwnTitle(row), older.map(withOwnTitle))
      return survivor ? [[row.id, survivor.id]] : []
    }),
  )
}

/** The most alike of these older reports, else one that is about an outage like this one. */
function mostLikely(incident: Comparable, older: readonly Comparable[]): Comparable | undefined {
  const alike = older.filter(({ title }) => similarity(incident.title, title) >= likelySimilarity)
  const [best] = mostAlike(incident, alike, 1)
  return best ?? (incident.isDowntime ? older.find(({ isDowntime }) => isDowntime) : undefined)
}
