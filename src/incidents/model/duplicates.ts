import { query } from '../../platform/db/database.js'
import { countedSql, placeJoins, placeNameSql } from '../../status/queries/incidentFacts.js'
import { DAY } from '../../vocabulary/time/calendar.js'
import type { ListedIncident } from './entity.js'

/** Characters: shorter words are ignored, longer ones compared by their first `stem`. */
const shortest = 3
const stem = 4

function stemsOf(text: string): Set<string> {
  const words = text.toLocaleLowerCase('en').match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.filter((word) => word.length >= shortest).map((word) => word.slice(0, stem)))
}

/** Similarity of two titles, 0 to 1: shared word beginnings over all word beginnings. */
export function similarity(a: string, b: string): number {
  const [first, second] = [stemsOf(a), stemsOf(b)]
  const common = [...first].filter((word) => second.has(word)).length
  const all = first.size + second.size - common
  return all === 0 ? 0 : common / all
}

type Dated = { title: string; createdAt: Date }

/** Titles this similar are taken for the same report unless somebody says otherwise. */
export const likely = 0.5

/**
 * The likeliest duplicates, by title and by closeness in time. A report of the same place within a
 * day is worth showing even without a common word.
 */
export function mostAlike<T extends Dated>(incident: Dated, candidates: readonly T[], most: number): T[] {
  const likeness = ({ title, createdAt }: Dated) => {
    const daysApart = Math.abs(incident.createdAt.getTime() - createdAt.getTime()) / DAY
    return similarity(incident.title, title) + 0.5 / (1 + daysApart)
  }
  return candidates
    .map((candidate) => ({ candidate, score: likeness(candidate) }))
    .filter(({ score }) => score >= 0.2)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

/**
 * The older report that this one most likely repeats, of those of its place: the most alike, else
 * one that says, too, that the same thing is out of service. Undefined when none is likely.
 */
function likelySurvivor(incident: Comparable, others: readonly Comparable[]): Comparable | undefined {
  const older = others.filter(({ id }) => id < incident.id)
  const alike = older.filter(({ title }) => similarity(incident.title, title) >= likely)
  const [best] = mostAlike(incident, alike, 1)
  return best ?? (incident.isDowntime ? older.find(({ isDowntime }) => isDowntime) : undefined)
}

/** An incident that another one may duplicate. */
export type DuplicateCandidate = Pick<
  ListedIncident,
  'id' | 'title' | 'status' | 'closingReason' | 'createdAt' | 'resolvedAt'
> & { placeName: string | null }

/** Days around a report in which reports of the same place may mean the same fault. */
const daysAround = 30
const mostCompared = 200

const columns = `i.id, i.title, i.status, i.closing_reason as "closingReason", i.created_at as "createdAt", i.resolved_at as "resolvedAt",
  ${placeNameSql} as "placeName"`
const joins = placeJoins('i')

/**
 * Unmerged incidents of the same place and about the same time, unresolved ones first, then newest
 * first.
 */
export function candidatesFor(
  incident: Pick<ListedIncident, 'id' | 'assetId' | 'unitId' | 'createdAt'>,
): Promise<DuplicateCandidate[]> {
  return query(
    `select ${columns} from incidents i ${joins}
     where ${countedSql('i')} and i.id <> $1
       and (i.asset_id = $2 or i.unit_id = $3)
       and i.created_at between $4::timestamptz - make_interval(days => ${daysAround})
         and $4::timestamptz + make_interval(days => ${daysAround})
     order by i.resolved_at is not null, i.created_at desc limit ${mostCompared}`,
    [incident.id, incident.assetId, incident.unitId, incident.createdAt],
  )
}

/** Incidents, newest first, that a search for the survivor looks at. */
const searchedBack = 5_000

/** Unmerged incidents whose title holds all these words, or with this number, newest first. */
export function searchedFor(
  words: readonly string[],
  exceptId: number,
  most: number,
): Promise<DuplicateCandidate[]> {
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
  return query(
    `select ${columns} from (
       select c.* from incidents c where ${countedSql('c')} order by c.id desc limit ${searchedBack}
     ) i ${joins}
     where i.id <> $1 and (i.title ilike all ($2::text[]) or i.id::text = any ($3::text[]))
     order by i.id desc limit $4`,
    [exceptId, patterns, words.map((word) => word.replace(/^(INC-|#)/i, '')), most],
  )
}

/**
 * The older open report of the same place that this one most likely repeats; null when there is
 * none.
 */
export async function likelySurvivorOf(id: number): Promise<number | null> {
  const rows = await query<Comparable>(`select ${comparable} from incidents i where i.id = $1`, [id])
  return (await likelySurvivors(rows)).get(id) ?? null
}

/** An open report as `likelySurvivors` compares it. */
type Comparable = Pick<
  ListedIncident,
  'id' | 'title' | 'assetId' | 'unitId' | 'createdAt' | 'resolvedAt' | 'isDowntime'
>

const comparable = `i.id, i.title, i.asset_id as "assetId", i.unit_id as "unitId", i.is_downtime as "isDowntime",
  i.created_at as "createdAt", i.resolved_at as "resolvedAt"`

/**
 * For each of these reports the older open one of the same place that it most likely repeats, by
 * its id: its title is alike, or both say that the same thing is out of service. Reports without
 * such a one are missing.
 */
export async function likelySurvivors(rows: readonly Comparable[]): Promise<Map<number, number>> {
  const open = rows.filter(({ assetId, unitId, resolvedAt }) => (assetId ?? unitId) !== null && !resolvedAt)
  if (open.length === 0) return new Map()
  const older = await query<Comparable>(
    `select c.* from (select distinct a, u from unnest($1::integer[], $2::integer[]) p (a, u)) p
     cross join lateral (
       select ${comparable} from incidents i where (i.asset_id = p.a or i.unit_id = p.u) and i.resolved_at is null and ${countedSql('i')}
       order by i.id limit ${mostCompared}
     ) c`,
    [open.map(({ assetId }) => assetId), open.map(({ unitId }) => unitId)],
  )
  return new Map(
    open.flatMap((row) => {
      const survivor = likelySurvivor(
        row,
        older.filter(({ assetId, unitId }) => assetId === row.assetId && unitId === row.unitId),
      )
      return survivor ? [[row.id, survivor.id]] : []
    }),
  )
}
