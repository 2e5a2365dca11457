import { query } from '../../../src/platform/db/database.js'
import { texts } from '../../../src/text/index.js'
import { changesBetween } from '../../../src/vocabulary/audit.js'
import type { ClosingReason, Status } from '../../../src/vocabulary/lifecycle.js'
import { officeName } from '../../../src/vocabulary/people/personName.js'
import { defaultSlaTargets, type Severity } from '../../../src/vocabulary/severity.js'
import {
  type Account,
  accountOf,
  auditEntry,
  insertRow,
  isStaffAccount,
  momentAfter,
  type Person,
  updateRow,
  viaOf,
} from './rows.js'

/** The columns of an incident that answers read and write. */
export type StoredIncident = {
  id: number
  status: Status
  severity: Severity
  assetId: number | null
  reporterId: number | null
  isAnonymous: boolean
  isDowntime: boolean
  downtimeStartedAt: Date | null
  downtimeEndedAt: Date | null
  createdAt: Date
  acknowledgedAt: Date | null
  resolvedAt: Date | null
  verifiedAt: Date | null
  slaBreached: boolean
  slaBreachedAt: Date | null
  mergedIntoId: number | null
  assigneeId: number | null
  contactId: number | null
  dueOn: string | null
  expectedBackAt: Date | null
  statusReason: string | null
  closingReason: ClosingReason | null
  reopenedAt: Date | null
  unansweredSince: Date | null
}

/** The row of an incident. */
export async function storedIncident(id: number): Promise<StoredIncident> {
  const [row] = await query<StoredIncident>('select * from incidents where id = $1', [id])
  return row!
}

/** What the office says of an incident, and what it sets with it. */
export type Answer = {
  by?: Person
  status?: Status
  body?: string
  at?: Date
  assignee?: Person
  contactId?: number
  /** YYYY-MM-DD. */
  dueOn?: string
  expectedBackAt?: Date
  statusReason?: string
  closingReason?: ClosingReason
  onStatusPage?: boolean
  /** Of the request, in the audit log. */
  requestId?: string
}

/**
 * Stores an answer of the office (by default the manager): its entry, what it changes, and
 * who follows from then on.
 */
export async function anAnswer(incidentId: number, answer: Answer = {}): Promise<number> {
  const by = await accountOf(answer.by ?? 'manager')
  const { requestId } = answer
  const incident = await storedIncident(incidentId)
  const at = answer.at ?? (await momentAfter(incident.createdAt))
  const { body = 'We are on it', status } = answer
  const stamps = status === undefined ? null : stampsOf(incident, status, at)
  const before = settingsOf(incident)
  const after = await settingsAfter(incident, stamps?.resolvedAt ?? incident.resolvedAt, answer)
  const updateId = await entry(incident, by, at, {
    body,
    new_status: status ?? null,
    on_status_page: answer.onStatusPage ?? true,
    expected_back_at: differs(before, after, 'expectedBackAt') ? after.expectedBackAt : null,
    status_reason: differs(before, after, 'statusReason') ? after.statusReason : null,
    closing_reason: stamps?.resolvedAt ? after.closingReason : null,
  })
  await followByActing(incidentId, by, at)
  const breach = stamps ? breachOf(incident, stamps) : pick(incident, ['slaBreached', 'slaBreachedAt'])
  await updateRow('incidents', incidentId, {
    ...columnsOf({ ...stamps, ...after, ...breach }),
    reopened_at: null,
    unanswered_since: null,
    last_staff_update_at: at,
  })
  await keepImpacts(incidentId, at)
  if (stamps) {
    const { slaBreached } = breach
    const [was, is] = [movedOf(incident), { ...stamps, ...after, slaBreached }]
    await auditEntry({
      by,
      action: 'incident.status_changed',
      entityId: incidentId,
      at,
      changes: changesBetween(was, is),
      requestId,
    })
  } else
    await auditEntry({
      by,
      action: 'incident.commented',
      entityId: incidentId,
      at,
      changes: { update: { before: null, after: updateId }, ...changesBetween(before, after) },
      requestId,
    })
  return updateId
}

/**
 * Stores a comment of someone who is not staff: it waits for an answer.
 * Returns the id of its entry.
 */
export async function aComment(
  incidentId: number,
  given: { by?: Person; body?: string; at?: Date; requestId?: string } = {},
): Promise<number> {
  const by = await accountOf(given.by ?? 'resident')
  if (isStaffAccount(by)) return anAnswer(incidentId, given)
  const incident = await storedIncident(incidentId)
  const at = given.at ?? (await momentAfter(incident.createdAt))
  const updateId = await entry(incident, by, at, { body: given.body ?? 'It is still the same' })
  await updateRow('incidents', incidentId, { unanswered_since: incident.unansweredSince ?? at })
  const changes = { update: { before: null, after: updateId } }
  await auditEntry({
    by,
    action: 'incident.commented',
    entityId: incidentId,
    at,
    changes,
    requestId: given.requestId,
  })
  return updateId
}

/** Stores what someone says about the repair of a resolved incident: it is fixed, or it is not. */
export async function aVerification(
  incidentId: number,
  given: { by?: Person; fixed: boolean; body?: string; at?: Date; requestId?: string },
): Promise<void> {
  const { fixed, body = texts.en.incident.verdict[fixed ? 'fixed' : 'notFixed'] } = given
  const by = await accountOf(given.by ?? 'resident')
  const incident = await storedIncident(incidentId)
  const at = given.at ?? (await momentAfter(incident.resolvedAt ?? undefined))
  const stamps = stampsOf(incident, fixed ? 'verified' : 'in_progress', at)
  const closingReason = fixed ? ('fixed' as const) : null
  await entry(incident, by, at, { body, new_status: stamps.status, closing_reason: closingReason })
  await followByActing(incidentId, by, at)
  const isReturn = !fixed && !isStaffAccount(by)
  const hasImpact = !fixed && at.getTime() - incident.resolvedAt!.getTime() < 72 * 3_600_000
  if (hasImpact) await query(resumeImpact, [incidentId, incident.resolvedAt])
  const settings = { ...settingsOf(incident), closingReason }
  await updateRow('incidents', incidentId, {
    ...columnsOf({ ...stamps, ...settings }),
    downtime_ended_at: fixed ? incident.downtimeEndedAt : null,
    reopened_at: isReturn ? at : null,
    unanswered_since: isReturn ? incident.unansweredSince : null,
  })
  await keepImpacts(incidentId, at)
  const action = fixed ? 'incident.verified' : 'incident.reopened'
  const { slaBreached } = incident
  const changes = changesBetween(movedOf(incident), { ...stamps, ...settings, slaBreached })
  await auditEntry({ by, action, entityId: incidentId, at, changes, requestId: given.requestId })
}

/** A repair that failed within 72 hours never ended what the incident did to its asset. */
const resumeImpact = `
  update asset_impacts r set ended_at = null
  where r.incident_id = $1 and r.ended_at >= $2
    and r.ended_at = (select max(ended_at) from asset_impacts where incident_id = $1)`

/**
 * Writes an entry of the timeline; on an anonymous report the office signs, and its
 * reporter stays anonymous.
 */
async function entry(
  incident: StoredIncident,
  by: Account,
  at: Date,
  columns: Record<string, unknown>,
): Promise<number> {
  const { id } = await insertRow('incident_updates', {
    incident_id: incident.id,
    author_id: by.id,
    created_at: at,
    via: viaOf(by),
    is_anonymous: incident.isAnonymous && incident.reporterId === by.id,
    author_label:
      incident.isAnonymous && incident.reporterId !== by.id && isStaffAccount(by) ? officeName : null,
    ...columns,
  })
  return id
}

/** Staff who act follow from then on, unless they stopped following it before. */
async function followByActing(incidentId: number, by: Account, at: Date): Promise<void> {
  if (!isStaffAccount(by)) return
  await query(
    `insert into followers (incident_id, user_id, created_at)
     select $1::integer, $2::integer, $3::timestamptz
     where not exists (select from unfollows where incident_id = $1 and user_id = $2)
     on conflict (incident_id, user_id) do update set by_merge = false`,
    [incidentId, by.id, at],
  )
}

/** The status of an incident with its moments. */
export type Stamps = Pick<StoredIncident, 'status' | 'acknowledgedAt' | 'resolvedAt' | 'verifiedAt'>

export function stampsOf(incident: StoredIncident, status: Status, at: Date): Stamps {
  const isClosed = status === 'resolved' || status === 'verified'
  return {
    status,
    acknowledgedAt: incident.acknowledgedAt ?? (status === 'open' ? null : at),
    resolvedAt: isClosed ? (incident.resolvedAt ?? at) : null,
    verifiedAt: status === 'verified' ? (incident.verifiedAt ?? at) : null,
  }
}

/** Leaving `open` for the first time after its target is a breach. */
export function breachOf(incident: StoredIncident, { acknowledgedAt }: Stamps) {
  const target = incident.createdAt.getTime() + defaultSlaTargets[incident.severity] * 3_600_000
  const isFirst = !incident.slaBreached && incident.acknowledgedAt === null
  const isLate = isFirst && acknowledgedAt !== null && acknowledgedAt.getTime() > target
  return isLate
    ? { slaBreached: true, slaBreachedAt: acknowledgedAt }
    : pick(incident, ['slaBreached', 'slaBreachedAt'])
}

const settingNames = [
  'assigneeId',
  'contactId',
  'dueOn',
  'expectedBackAt',
  'statusReason',
  'closingReason',
] as const
type Settings = Pick<StoredIncident, (typeof settingNames)[number]>

const settingsOf = (incident: StoredIncident): Settings => pick(incident, settingNames)

const movedOf = (incident: StoredIncident) => ({
  ...pick(incident, ['status', 'acknowledgedAt', 'resolvedAt', 'verifiedAt', 'slaBreached']),
  ...settingsOf(incident),
})

/** What is closed promises nothing, and is fixed unless the answer says something else. */
async function settingsAfter(
  incident: StoredIncident,
  resolvedAt: Date | null,
  answer: Answer,
): Promise<Settings> {
  const assigneeId = answer.assignee ? (await accountOf(answer.assignee)).id : null
  const isClosed = resolvedAt !== null
  return {
    assigneeId: assigneeId ?? (answer.contactId ? null : incident.assigneeId),
    contactId: answer.contactId ?? (assigneeId ? null : incident.contactId),
    dueOn: answer.dueOn ?? incident.dueOn,
    expectedBackAt: isClosed ? null : (answer.expectedBackAt ?? incident.expectedBackAt),
    statusReason: isClosed ? null : (answer.statusReason ?? incident.statusReason),
    closingReason: isClosed ? (answer.closingReason ?? incident.closingReason ?? 'fixed') : null,
  }
}

const differs = (before: Settings, after: Settings, name: keyof Settings) =>
  JSON.stringify(before[name]) !== JSON.stringify(after[name])

/** Makes the running impact what the fields of the incident say, from `at` on. */
export async function keepImpacts(incidentId: number, at: Date): Promise<void> {
  const { assetId, severity, isDowntime, resolvedAt, mergedIntoId } = await storedIncident(incidentId)
  const isOver = assetId === null || resolvedAt !== null || mergedIntoId !== null
  const impact = isOver ? null : isDowntime ? 'down' : severity === 'low' ? null : 'degraded'
  const [running] = await query<{ impact: string }>(
    'select impact from asset_impacts where incident_id = $1 and ended_at is null',
    [incidentId],
  )
  if ((running?.impact ?? null) === impact) return
  await query('update asset_impacts set ended_at = $2 where incident_id = $1 and ended_at is null', [
    incidentId,
    at,
  ])
  if (impact)
    await insertRow('asset_impacts', { incident_id: incidentId, asset_id: assetId, impact, started_at: at })
}

/** Fields by the names of their columns. */
export function columnsOf(fields: Partial<StoredIncident>): Record<string, unknown> {
  const column = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [column(name), value]))
}

function pick<T, Name extends keyof T>(from: T, names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, Name>
}
