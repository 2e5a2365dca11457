import { query } from '../../platform/db/database.js'
import { countedSql, placeJoins, placeNameSql } from '../../status/queries/incidentFacts.js'
import type { Status } from '../../vocabulary/lifecycle.js'
import type { ClosingReason } from '../../vocabulary/reasons.js'

/** An incident that another one may duplicate. */
export type DuplicateCandidate = {
  id: number
  title: string
  status: Status
  closingReason: ClosingReason | null
  createdAt: Date
  resolvedAt: Date | null
  placeName: string | null
}

/** Days around a report in which reports of the same place may mean the same fault. */
const daysAround = 30
const mostCompared = 200

const columns = `i.id, i.title, i.status, i.closing_reason as "closingReason", i.created_at as "createdAt", i.resolved_at as "resolvedAt",
  ${placeNameSql} as "placeName"`
const joins = placeJoins('i')

/** Unmerged incidents of the same place from around the same time, unresolved ones first, then newest first. */
export function candidatesFor(incident: {
  id: number
  assetId: number | null
  unitId: number | null
  createdAt: Date
}): Promise<DuplicateCandidate[]> {
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
 * Which incident should stay of several reports of one asset or unit: the oldest open one of that place, ticked or not.
 * Null when they are not all of one place, or nothing of it is open.
 */
export async function suggestedSurvivor(ids: readonly number[]): Promise<number | null> {
  const places = await query<{ assetId: number | null; unitId: number | null }>(
    'select distinct asset_id as "assetId", unit_id as "unitId" from incidents where id = any ($1)',
    [ids],
  )
  const [place] = places
  if (!place || places.length > 1 || (place.assetId ?? place.unitId) === null) return null
  const column = place.assetId === null ? 'unit_id' : 'asset_id'
  const [oldest] = await query<{ id: number }>(
    `select id from incidents where ${column} = $1 and resolved_at is null and merged_into_id is null
     order by created_at, id limit 1`,
    [place.assetId ?? place.unitId],
  )
  return oldest?.id ?? null
}
