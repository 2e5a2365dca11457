import type { Change } from '../../../platform/db/change.js'
import type { Bind } from '../../../platform/db/statement.js'
import { insertRow } from '../../../platform/db/insertRow.js'
import type { ClosingReason, Status } from '../../../vocabulary/lifecycle.js'
import { type Author, isOffice, personOf } from '../person.js'
import { isAnonymous, publicLabel } from './anonymity.js'

/** What an entry says; `automatic`: the words are the service's own. */
export type Entry = {
  body: string
  /** What staff read instead. */
  bodyForStaff?: string | null
  newStatus?: Status | null
  onStatusPage?: boolean
  automatic?: boolean | undefined
  expectedBackAt?: Date | null
  statusReason?: string | null
  closingReason?: ClosingReason | null
}

/**
 * Adds a timeline entry in the service's own words about what the change's actor did.
 * `duplicateId`: the other incident that it is about, if that is not merged into this one while it
 * is written.
 */
export async function addAutomaticEntry(
  c: Change,
  incidentId: number,
  body: string,
  duplicateId: number | null = null,
): Promise<number> {
  const author = { id: c.actor.id, label: c.actor.name, isOffice: isOffice(personOf(c)), duplicateId }
  return writeEntry(c, incidentId, author, { body, automatic: true })
}

/**
 * SQL: the time of an entry, never before the latest one of the incident: an act that waited for
 * another's lock started earlier but comes after it.
 */
const entryTime = (bind: Bind, incidentId: number, now: Date) => `greatest(${bind(now)}::timestamptz,
  (select created_at from incident_updates where incident_id = ${bind(incidentId)} order by id desc limit 1))`

/** Adds a timeline entry by any author. Returns its id. */
export async function writeEntry(
  c: Change,
  incidentId: number,
  author: Author,
  entry: Entry,
): Promise<number> {
  const row = {
    incidentId,
    authorId: author.id,
    authorLabel: (bind: Bind) => publicLabel(bind, incidentId, author),
    isAnonymous: (bind: Bind) => isAnonymous(bind, incidentId, author),
    authorEmail: author.email ?? null,
    senderProven: author.isProven ?? null,
    via: author.via ?? c.actor.via,
    createdAt: (bind: Bind) => entryTime(bind, incidentId, c.now),
    body: entry.body,
    bodyForStaff: entry.bodyForStaff ?? null,
    newStatus: entry.newStatus ?? null,
    closingReason: entry.closingReason ?? null,
    statusReason: entry.statusReason ?? null,
    expectedBackAt: entry.expectedBackAt ?? null,
    onStatusPage: entry.onStatusPage ?? false,
    automatic: entry.automatic ?? false,
  }
  const [written] = await insertRow<{ id: number }>(c, 'incident_updates', row, 'returning id')
  return written!.id
}
