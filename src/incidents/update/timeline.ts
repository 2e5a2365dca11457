import { type Change, statement } from '../../platform/db/change.js'
import { lateAcknowledgementSql, targetsSql } from '../../status/queries/incidentFacts.js'
import type { Status } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import type { ClosingReason } from '../../vocabulary/reasons.js'
import type { SlaTargets } from '../../vocabulary/severity.js'
import { columnOf, type FieldName, type IncidentColumns } from '../entity.js'
import { authorHidden } from '../incident.js'

/** What an entry says beside its words; `automatic`: the words are the service's own. */
export type EntryFields = {
  onStatusPage?: boolean
  automatic?: boolean | undefined
  expectedBackAt?: Date | null
  statusReason?: string | null
  closingReason?: ClosingReason | null
}

/**
 * Adds a timeline entry by the change's actor; `newStatus` only when the status changed (spec §2).
 */
export async function addToTimeline(
  c: Change,
  incidentId: number,
  body: string,
  newStatus: Status | null,
  said: EntryFields = {},
): Promise<number> {
  return writeEntry(c, incidentId, { id: c.actor.id, label: c.actor.name }, { body }, newStatus, said)
}

/**
 * Author of an entry. `label`: shown when there is no user. `email`: an email's sender, for staff;
 * `isProven`: whether that is proven. `via`: how the words came, if not as the change did.
 */
export type Author = {
  id: number | null
  label: string
  email?: string | null
  isProven?: boolean | null
  via?: Actor['via']
}

/**
 * SQL: of acts that waited for each other the later has the later entry, though it may have started
 * before.
 */
const entryTime = `greatest($6::timestamptz,
  (select created_at from incident_updates where incident_id = $1 order by id desc limit 1))`

/** Adds a timeline entry by any author. Returns its id. */
export async function writeEntry(
  c: Change,
  incidentId: number,
  author: Author,
  { body, bodyForStaff = null }: { body: string; bodyForStaff?: string | null },
  newStatus: Status | null = null,
  said: EntryFields = {},
): Promise<number> {
  const label = author.id === null ? author.label : null
  const [row] = await c.query<{ id: number }>(
    `insert into incident_updates (incident_id, author_id, author_label, body, new_status, created_at, is_anonymous,
       via, author_email, body_for_staff, on_status_page, automatic, expected_back_at, status_reason, closing_reason, sender_proven)
     values ($1::integer, $2::integer, $3, $4, $5, ${entryTime}, ${authorHidden('$1::integer', '$2::integer')}, $7, $8, $9,
       $10, $11, $12, $13, $14, $15)
     returning id`,
    [
      ...[incidentId, author.id, label, body, newStatus, c.now],
      ...[author.via ?? c.actor.via, author.email ?? null, bodyForStaff],
      ...[said.onStatusPage ?? false, said.automatic ?? false, said.expectedBackAt ?? null],
      ...[said.statusReason ?? null, said.closingReason ?? null, author.isProven ?? null],
    ],
  )
  return row!.id
}

/**
 * Writes columns of a locked incident. `targets`: hours to acknowledge, for a move: leaving open for
 * the first time after its target is a breach (decision 7.1). Returns what the incident then says of
 * it.
 */
export async function writeColumns(
  c: Change,
  incidentId: number,
  given: Partial<IncidentColumns>,
  targets: SlaTargets | null = null,
): Promise<{ slaBreached?: boolean }> {
  if (Object.keys(given).length === 0) return {}
  const { text, values } = statement((bind) => {
    const set = Object.entries(given).map(
      ([name, value]) => `${columnOf(name as FieldName)} = ${bind(value)}`,
    )
    if (targets) {
      const acknowledgedAt = `${bind(given.acknowledgedAt)}::timestamptz`
      set.push(lateAcknowledgementSql('i', targetsSql(targets, bind), acknowledgedAt))
    }
    return `update incidents i set ${set.join(', ')} where i.id = ${bind(incidentId)}
      returning i.sla_breached as "slaBreached"`
  })
  const [stored] = await c.query<{ slaBreached: boolean }>(text, values)
  return stored!
}
