import { query } from '../../../src/platform/db/database.js'
import { changesBetween } from '../../../src/vocabulary/audit.js'
import type { Source, Status } from '../../../src/vocabulary/lifecycle.js'
import type { Severity } from '../../../src/vocabulary/severity.js'
import { scalar } from '../rows.js'
import { insertPhotos, type StoredPhoto } from './additions.js'
import { type Answer, anAnswer, aVerification } from './answers.js'
import { accountOf, auditEntry, insertRow, momentAfter, type Person } from './rows.js'

export type GivenIncident = Omit<Answer, 'by' | 'status' | 'body' | 'at'> & {
  title?: string
  description?: string
  severity?: Severity
  assetId?: number | null
  unitId?: number | null
  reporter?: Person
  /** A sender without an account; the source is `email` then. */
  reporterEmail?: string
  source?: Source
  isAnonymous?: boolean
  createdAt?: Date
  /**
   * Where the manager moved it, in one step; the reporter then confirmed what is
   * `verified`. Default: `open`.
   */
  status?: Status
  /** When it got there; default: now. */
  changedAt?: Date
  /** What the manager wrote with it. */
  body?: string
  /** Photos the reporter attached; their files are the caller's. */
  photos?: readonly StoredPhoto[]
}

/**
 * Stores an incident as the product would, with its follower, impact, timeline and audit
 * entries; nothing waits to be sent about it. Checked against the product in
 * builders.test.ts. Returns its id.
 */
export async function anIncident(given: GivenIncident = {}): Promise<number> {
  const isEmail = given.source === 'email' || given.reporterEmail !== undefined
  const { id, createdAt } = isEmail ? await reportByEmail(given) : await report(given)
  const { status = 'open', changedAt, body = 'Done', reporter = 'resident' } = given
  const isAnswered = answerFields.some((name) => given[name] !== undefined)
  if (status === 'open' && !isAnswered) return id
  const at = changedAt ?? (await momentAfter(createdAt))
  const moved = status === 'open' ? {} : { status: status === 'verified' ? ('resolved' as const) : status }
  const answer = Object.fromEntries(answerFields.map((name) => [name, given[name]]))
  await anAnswer(id, { ...answer, ...moved, body, at })
  if (status === 'verified') await aVerification(id, { by: reporter, fixed: true, at: later(at) })
  return id
}

const answerFields = [
  'assignee',
  'contactId',
  'dueOn',
  'expectedBackAt',
  'statusReason',
  'closingReason',
  'onStatusPage',
] as const

const later = (at: Date) => new Date(at.getTime() + 1)

type Made = { id: number; createdAt: Date }

async function report(given: GivenIncident): Promise<Made> {
  const { title = 'Something is broken', description = '', severity = 'medium' } = given
  const { unitId = null, isAnonymous = false, reporter: person = 'resident', photos = [] } = given
  const assetId = given.assetId ?? (unitId === null ? 7 : null)
  const reporter = await accountOf(person)
  const source = given.source ?? (reporter.isMobileReporter ? 'mobile' : 'web')
  const createdAt = given.createdAt ?? (await momentAfter())
  const isDowntime = assetId !== null && severity === 'critical'
  const { id } = await insertRow('incidents', {
    title,
    description,
    severity,
    source,
    asset_id: assetId,
    unit_id: unitId,
    reporter_id: reporter.id,
    is_anonymous: isAnonymous,
    is_downtime: isDowntime,
    created_at: createdAt,
  })
  await insertRow('followers', { incident_id: id, user_id: reporter.id, created_at: createdAt })
  if (assetId !== null && severity !== 'low')
    await insertRow('asset_impacts', {
      incident_id: id,
      asset_id: assetId,
      impact: isDowntime ? 'down' : 'degraded',
      started_at: createdAt,
    })
  const words = { title, description, severity, assetId, unitId, isAnonymous }
  await insertPhotos(id, null, createdAt, photos)
  const changes = changesBetween(null, {
    ...words,
    status: 'open',
    source,
    isDowntime,
    photos: photos.length,
  })
  await auditEntry({
    by: reporter,
    action: 'incident.created',
    entityId: id,
    at: createdAt,
    changes,
    requestId: given.requestId,
  })
  return { id, createdAt }
}

/**
 * An email opens an incident without a place, medium. Its sender is not proven, so an account with
 * the address follows it and is not its reporter; anyone else may press a button to follow.
 */
async function reportByEmail(given: GivenIncident): Promise<Made> {
  const { title = 'Something is broken', description = '' } = given
  const createdAt = given.createdAt ?? (await momentAfter())
  const account = given.reporterEmail ? null : await accountOf(given.reporter ?? 'resident')
  const address = given.reporterEmail ?? (await addressOf(account!.id))
  const { id } = await insertRow('incidents', {
    title,
    description,
    severity: 'medium',
    source: 'email',
    reporter_email: address,
    sender_proven: false,
    created_at: createdAt,
  })
  if (account) await insertRow('followers', { incident_id: id, user_id: account.id, created_at: createdAt })
  else
    await query(
      `insert into email_followers as m (address, locale, wrote_at, created_at) values ($1, 'en', $2, $2)
       on conflict (lower(address)) do update set wrote_at = coalesce(m.wrote_at, excluded.wrote_at)`,
      [address, createdAt],
    )
  const words = { title, description, reporterId: null, reporterEmail: address }
  const fixed = { severity: 'medium', status: 'open', source: 'email', photos: 0 }
  await auditEntry({
    by: null,
    action: 'incident.created',
    entityId: id,
    at: createdAt,
    changes: changesBetween(null, { ...words, ...fixed }),
  })
  return { id, createdAt }
}

async function addressOf(userId: number): Promise<string> {
  return scalar<string>('select email from users where id = $1', [userId])
}
