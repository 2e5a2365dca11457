import { User } from '../../accounts/people/user.js'
import { Asset, Unit } from '../../building/building.js'
import { type Knex, type Query, query, queryUnprepared } from '../../platform/db/database.js'
import { type PageOfRows, pageInBytes, pageOfRows } from '../../platform/db/listing.js'
import { rowOf } from '../../platform/db/row.js'
import type { ClosingReason, Status } from '../../vocabulary/lifecycle.js'
import { limits } from '../../vocabulary/limits.js'
import type { Via } from '../../vocabulary/people/actor.js'
import type { StaffRole } from '../../vocabulary/people/permissions.js'
import type { IncidentColumns, ListedIncident } from './entity.js'
import { IncidentUpdate } from './incidentUpdate.js'
import { filteredSql, hasIndex, type IncidentFilters, orderOf } from './search/filters.js'
import { replaceByIds } from './search/searchByIds.js'

export type { ListedIncident } from './entity.js'

/** A row of `incidents`. */
export class Incident extends rowOf<IncidentColumns>() {
  static override tableName = 'incidents'

  static override relationMappings = () => ({
    asset: {
      relation: Incident.BelongsToOneRelation,
      modelClass: Asset,
      join: { from: 'incidents.assetId', to: 'assets.id' },
    },
    unit: {
      relation: Incident.BelongsToOneRelation,
      modelClass: Unit,
      join: { from: 'incidents.unitId', to: 'units.id' },
    },
    assignee: {
      relation: Incident.BelongsToOneRelation,
      modelClass: User,
      join: { from: 'incidents.assigneeId', to: 'users.id' },
    },
  })

  /**
   * The row, locked until the transaction ends, so that writers of one incident run in sequence.
   * Null when there is none.
   */
  static async locked(trx: Knex, id: number): Promise<Incident | null> {
    return (await Incident.query(trx).findById(id).forUpdate()) ?? null
  }

  /**
   * Incidents with joined names, newest first unless asked otherwise (spec §4 filters, decision
   * 2.11).
   */
  static async list(filters: Paged): Promise<PageOfRows<ListedIncident>> {
    const { sql, values, run } = await selected(filters)
    return pageOfRows(await run<ListedIncident>(sql, values), filters.limit)
  }

  /**
   * One page of `list`, limited in bytes of JSON as well. `sortValue`: the value of an order that
   * is not by id.
   */
  static async page(filters: Paged, bytes: number): Promise<PageOfRows<SortedIncident>> {
    const { sql, values, order, run } = await selected(filters)
    return pageInBytes(sql, values, { limit: filters.limit, bytes }, { order, run })
  }

  /** One incident with its joined names; null when there is none. */
  static async find(id: number): Promise<ListedIncident | null> {
    return (await query<ListedIncident>('select * from listed_incidents where id = $1', [id]))[0] ?? null
  }

  /** These entries of an incident, oldest first. */
  static async entries(id: number, ids: readonly number[]): Promise<TimelineUpdate[]> {
    return query('select * from timeline_entries where incident_id = $1 and id = any ($2) order by id', [
      id,
      ids,
    ])
  }

  /**
   * The latest entry of each incident that is neither by staff nor by the service, if it has one.
   */
  static async lastWords(ids: readonly number[]): Promise<Map<number, TimelineUpdate>> {
    const rows = await query<TimelineUpdate>(
      `select last.*
       from unnest($1::integer[]) i (id)
       cross join lateral (
         select * from timeline_entries
         where incident_id = i.id and is_by_someone_else order by id desc limit 1
       ) last`,
      [ids],
    )
    return new Map(rows.map((update) => [update.incidentId, update]))
  }

  static async photos(id: number): Promise<IncidentPhoto[]> {
    return query(
      `select id, incident_id, path, width, height, created_at, update_id, hidden_at
       from photos where incident_id = $1 order by id`,
      [id],
    )
  }

  static async assignee(id: number): Promise<AssigneeNames> {
    const rows = await query<AssigneeNames>(
      `select s.name as assignee_name, k.name as contact_name
       from incidents i
       left join users s on s.id = i.assignee_id
       left join contacts k on k.id = i.contact_id
       where i.id = $1`,
      [id],
    )
    return rows[0]!
  }

  static async isFollowed(id: number, userId: number): Promise<boolean> {
    const rows = await query('select from followers where incident_id = $1 and user_id = $2', [id, userId])
    return rows.length > 0
  }
}

type Paged = IncidentFilters & { limit: number }
type SortedIncident = ListedIncident & { sortValue?: string }

/**
 * `hidden`: written by the anonymous reporter. `signedAs`: whose name others than staff read
 * instead, on an anonymous report. `authorRole`: set only for entries by staff, never for emails.
 * Only for staff: `authorEmail` (an email's sender), `senderProven`,
 * `claimedName` (the account that an email not proven claims to come from), `bodyForStaff`
 * (replaces the body).
 */
export type TimelineUpdate = {
  id: number
  incidentId: number
  authorName: string
  authorRole: StaffRole | null
  authorEmail: string | null
  senderProven: boolean | null
  claimedName: string | null
  hidden: boolean
  signedAs: string | null
  via: Via
  body: string
  bodyForStaff: string | null
  newStatus: Status | null
  createdAt: Date
  /** What the entry said again beside its words; null for the rest. */
  expectedBackAt: Date | null
  statusReason: string | null
  closingReason: ClosingReason | null
  onStatusPage: boolean
  /** A resident said by it that the repair failed. */
  isReopening: boolean
  /** Its words are the service's own. */
  automatic: boolean
  /** Its words while they are hidden, for staff alone; `body` is empty then (decision 7.14). */
  hiddenBody: string | null
  hiddenReason: string | null
  /** Of the email that it came by, where that says more; for staff alone (decision 9.1). */
  wholeEmailId: number | null
}

export type IncidentPhoto = {
  id: number
  incidentId: number
  path: string
  width: number
  height: number
  createdAt: Date
  updateId: number | null
  /** Since when only staff see it (decision 7.14). */
  hiddenAt: Date | null
}

/** Why an entry of this incident closed it, if it did; null also for an id that is none. */
export async function closingReasonOf(incidentId: number, updateId: unknown): Promise<ClosingReason | null> {
  if (!Number.isSafeInteger(updateId)) return null
  const entry = await IncidentUpdate.query()
    .findOne({ id: updateId as number, incidentId })
    .select('closingReason')
  return entry?.closingReason ?? null
}

/** Whether the incident or one of its duplicates was reported anonymously. */
export async function hasHiddenReporter(query: Query, incidentId: number): Promise<boolean> {
  const rows = await query(
    'select from incidents i where (i.id = $1 or i.merged_into_id = $1) and i.is_anonymous limit 1',
    [incidentId],
  )
  return rows.length > 0
}

/** The names of who does an incident; null where it is not such a one. */
export type AssigneeNames = { assigneeName: string | null; contactName: string | null }

/** One row more than the limit, by which a page sees that there are more. */
async function selected(asked: Paged) {
  const values: unknown[] = []
  const filters = await replaceByIds(asked)
  const { ids, search, reporter, places, from, to } = filters
  const rows = filteredSql(filters, (value) => `$${values.push(value)}`)
  const { key, descending } = orderOf(filters)
  // Moments as text all have the same length, so that the length of a page does not tell them.
  const value = key?.type === 'timestamptz' ? `utc_text(${key.sql})` : `(${key?.sql})::text`
  const keys = key ? `, ${key.sql} as sort_key, ${value} as sort_value` : ''
  const direction = descending ? 'desc' : 'asc'
  const isUsualLength = asked.limit === limits.pageDefault || asked.limit === limits.incidentsOnPage
  const isUsual = isUsualLength && hasIndex(filters)
  // Written out, PostgreSQL knows how little is read, and keeps the plan.
  const limit = isUsual ? asked.limit + 1 : `$${values.push(asked.limit + 1)}`
  return {
    sql: `select i.*${keys} from listed_incidents i ${rows} limit ${limit}`,
    values,
    order: `${key ? `sort_key ${direction}, ` : ''}id ${direction}`,
    // Which index is right depends on how much of the building they stand for, and on the length.
    run:
      (ids ?? search ?? reporter ?? places ?? from ?? to) === undefined && isUsualLength
        ? query
        : queryUnprepared,
  }
}
