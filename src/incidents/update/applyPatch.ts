import { enqueueExpectedNews } from '../../maintenance/reminders.js'
import type { Change } from '../../platform/db/change.js'
import { requireContact } from '../../platform/http/records/archive.js'
import { isStaffSql } from '../../platform/http/session/user.js'
import { enqueueEmail } from '../../platform/outbox/enqueueEmail.js'
import { announceBeforeCorrection } from '../../status/announceStatus.js'
import {
  assetsOf,
  continueImpact,
  impactsOf,
  keepImpacts,
  lockAssets,
  pastChangesOf,
  replaceImpacts,
} from '../../status/queries/impacts.js'
import { correctedImpacts } from '../../status/rules/correctedImpacts.js'
import { neverRepaired } from '../../vocabulary/assetStatus.js'
import { type Changes, changesBetween } from '../../vocabulary/audit.js'
import { namesPerson } from '../../vocabulary/email/contactDetails.js'
import { incidentFact } from '../../vocabulary/events.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import type { IncidentColumns } from '../entity.js'
import type { Incident } from '../incident.js'
import { claimStaged, insertPhotos, type PostedPhotos } from '../photos/photos.js'
import { type AllowedPatch, allowedPatch, hasFields, type IncidentPatch } from './allowedPatch.js'
import {
  type Author,
  type Entry,
  followByActing,
  isHiddenReporter,
  isOffice,
  type Person,
  personOf,
  writeColumns,
  writeEntry,
} from './timeline.js'

/** Who wrote an entry that is not by the actor of the change: the sender of an email. */
type Writer = {
  author: Author
  /** Who follows and waits for an answer; null for a stranger. */
  person: Person
  commentedBy: { authorId: number | null } | { mailFollowerId: number | null }
}

/** What a patch did; `past`: whether it changed what was (decision 2.8). */
type AppliedPatch = { updateId: number | null; isChanged: boolean; past: boolean }

/**
 * Changes a locked incident, and writes its entry in the timeline, its audit entry and its event:
 * every change of status, words, severity, place, promise, assignee and downtime passes here
 * (decision 8.3). Throws Conflict and ValidationFailed. Without words, what changes nothing writes
 * nothing.
 */
export async function applyPatch(
  c: Change,
  incident: Incident,
  patch: IncidentPatch,
  { photos, writer = null }: { photos?: PostedPhotos | undefined; writer?: Writer | null } = {},
): Promise<AppliedPatch> {
  if (patch.newStatus || patch.move || hasFields(patch)) await lockAssets(c, [incident.id], [patch.assetId])
  const allowed = allowedPatch(incident, patch, c.now)
  const { stamps, before, after, changes } = allowed
  await requireUsable(c, allowed)
  if (!writer && isStaff(c.actor.role ?? 'guest')) await refuseNaming(c, incident.id, patch, allowed)

  const person = await capacityOf(c, incident.id, patch, {
    allowed,
    by: writer ? writer.person : personOf(c),
  })
  const hasPromise = Boolean(changes.expectedBackAt || changes.statusReason)
  const speaks = Boolean(patch.body || stamps || hasPromise)
  const isStaffUpdate = !writer && isOffice(person) && isStaffStatement(c, patch, allowed)
  const columns = {
    ...columnsOf(incident, allowed),
    ...waitingAfter(incident, patch, { person, speaks, now: c.now }),
    ...(isStaffUpdate && { spokenAt: c.now }),
  }
  const breach = await writeColumns(c, incident.id, columns, stamps !== null)
  if (stamps || changes.assetId || changes.severity || changes.isDowntime) {
    if (patch.move === 'notFixed') await continueIfNeverRepaired(c, incident)
    await keepImpacts(c.query, [incident.id], c.now)
  }
  const past = await correctPast(c, incident, patch, allowed)
  const isChanged = Object.keys(changes).length > 0 || past
  if (patch.body === undefined && !isChanged) return { updateId: null, isChanged, past }

  const updateId =
    patch.body === undefined
      ? null
      : await addEntry(c, incident.id, patch, { allowed, person, isStaffUpdate, photos, writer })
  await followByActing(c, incident.id, person)
  await emailNewContact(c, incident.id, allowed)
  if (updateId === null) {
    c.audit('incident.edited', incident.id, { ...changes, ...(patch.retroactive && retroactively(allowed)) })
  } else if (stamps) {
    recordMove(c, incident, patch, { allowed, breach, updateId })
  } else {
    const photoCount = photos ? photos.stored.length + photos.staged.length : 0
    const photosOfEmail = writer && { photos: { before: null, after: photoCount } }
    c.audit('incident.commented', incident.id, {
      update: { before: null, after: updateId },
      ...changes,
      ...photosOfEmail,
    })
    // An assignment without words is news to no one else (decision 7.2).
    if (speaks || photoCount > 0)
      c.emit({
        event: 'incident.commented',
        incident: { id: incident.id },
        details: { updateId, ...(writer ? writer.commentedBy : { authorId: c.actor.id }) },
      })
  }
  if (changes.expectedBackAt) await enqueueExpectedNews(c, after.assetId)
  if (stamps || isChanged) {
    c.recheckStatus(before.assetId)
    c.recheckStatus(after.assetId)
  }
  return { updateId, isChanged, past }
}

/**
 * Someone as what they do it: staff who reported it anonymously are its reporter, like a resident,
 * where they only write, answer whether it is fixed, or take that answer back (decision 9.9). What
 * staff alone can do is an act of the office.
 */
async function capacityOf(
  c: Change,
  incidentId: number,
  { body, move, byOffice, newStatus, onStatusPage }: IncidentPatch,
  { allowed, by }: { allowed: AllowedPatch; by: Person },
): Promise<Person> {
  if (!by || !isOffice(by) || byOffice || body === undefined) return by
  const isAnswer = move !== undefined
  const isOnlyWords =
    !move && !newStatus && !onStatusPage && !allowed.stamps && Object.keys(allowed.changes).length === 0
  if (!isAnswer && !isOnlyWords) return by
  return (await isHiddenReporter(c, incidentId, by)) ? { id: by.id } : by
}

/** What a new value of a column must be found by, and the problem of one that is not. */
const usable = [
  ['assetId', 'asset_unknown', 'select from assets where id = $1 and archived_at is null'],
  ['unitId', 'unit_unknown', 'select from units where id = $1 and archived_at is null'],
  [
    'assigneeId',
    'assignee_unknown',
    `select from users u where u.id = $1 and u.active and ${isStaffSql('u')} for share`,
  ],
] as const

/**
 * Throws ValidationFailed for a new place that does not exist or is not in use, and for a new
 * assignee who is no active member of staff and no contact; present ones may have gone since.
 */
async function requireUsable(c: Change, { changes, after }: AllowedPatch): Promise<void> {
  for (const [field, problem, sql] of usable) {
    if (!changes[field] || after[field] === null) continue
    if ((await c.query(sql, [after[field]])).length === 0) throw new ValidationFailed({ [field]: [problem] })
  }
  if (changes.contactId && after.contactId !== null) await requireContact(c, after.contactId)
}

/**
 * Refuses a public text that names who reported the incident, or one of its duplicates, anonymously
 * (decision 7.13), until it is sent with itself as `namedAnyway`. Throws ValidationFailed for the
 * field.
 */
async function refuseNaming(
  c: Change,
  incidentId: number,
  { body, automatic, namedAnyway }: IncidentPatch,
  { changes, after }: AllowedPatch,
): Promise<void> {
  const texts = {
    body: automatic ? null : body,
    title: changes.title && after.title,
    statusReason: changes.statusReason && after.statusReason,
  }
  // Browsers do not agree on the line ends of a field that is not typed into.
  const unified = (text: string) => text.replace(/\r\n?/g, '\n').trim()
  const seen = unified(namedAnyway ?? '')
  const given = Object.entries(texts).filter(([, text]) => text && unified(text) !== seen)
  if (given.length === 0) return
  const hidden = await c.query<{ name: string; email: string }>(
    `select distinct r.name, r.email from incidents i join users r on r.id = i.reporter_id
     where (i.id = $1 or i.merged_into_id = $1) and i.is_anonymous and not r.is_mobile_reporter and r.erased_at is null`,
    [incidentId],
  )
  for (const [field, text] of given)
    if (hidden.some((person) => namesPerson(text!, person)))
      throw new ValidationFailed({ [field]: ['names_hidden_reporter'] })
}

/** Whether the office says something of its own in public by it: words, or a promise. */
function isStaffStatement(
  { actor: { role, via } }: Change,
  { body, move, automatic = false }: IncidentPatch,
  allowed: AllowedPatch,
): boolean {
  const bySession = isStaff(role ?? 'guest') && (via === 'web' || via === 'mobile')
  const { expectedBackAt, statusReason } = newPromise(allowed)
  const speaks = body !== '' || expectedBackAt !== null || statusReason !== null
  return bySession && body !== undefined && !move && !automatic && speaks
}

/** What is promised that was not promised before. */
function newPromise({ before, after }: AllowedPatch): Pick<Entry, 'expectedBackAt' | 'statusReason'> {
  const { expectedBackAt: at, statusReason: reason } = after
  return {
    expectedBackAt: at && at.getTime() !== before.expectedBackAt?.getTime() ? at : null,
    statusReason: reason !== before.statusReason ? reason : null,
  }
}

/** The columns that differ. An incident that is opened has no corrected end of its downtime. */
function columnsOf(
  { downtimeEndedAt }: Incident,
  { stamps, after, changes }: AllowedPatch,
): Partial<IncidentColumns> {
  const changed = Object.fromEntries(Object.entries(after).filter(([name]) => changes[name]))
  if (!stamps) return changed
  return {
    ...changed,
    ...stamps,
    closingReason: after.closingReason,
    downtimeEndedAt: stamps.resolvedAt ? downtimeEndedAt : null,
  }
}

/**
 * What waits for the office afterwards (decision 7.2): it answers by speaking, and a confirmed
 * repair needs no answer; "not fixed" by a resident is first on the desk; other words wait.
 */
function waitingAfter(
  { cameBackAt, unansweredSince }: Incident,
  { body, move }: IncidentPatch,
  { person, speaks, now }: { person: Person; speaks: boolean; now: Date },
): Partial<Pick<IncidentColumns, 'cameBackAt' | 'unansweredSince'>> {
  const byOffice = isOffice(person)
  if (move === 'undo') return {}
  if (move === 'notFixed' && !byOffice) return { cameBackAt: now }
  if (move === 'fixed' || (byOffice && speaks))
    return cameBackAt || unansweredSince ? { cameBackAt: null, unansweredSince: null } : {}
  return byOffice || body === undefined || unansweredSince ? {} : { unansweredSince: now }
}

/** Within 72 hours "not fixed" means that it never was: the time in between counts (decision 2.8). */
async function continueIfNeverRepaired(c: Change, { id, resolvedAt }: Incident): Promise<void> {
  if (!resolvedAt || !neverRepaired(resolvedAt, c.now)) return
  await announceBeforeCorrection(c, await assetsOf(c.query, id))
  await continueImpact(c.query, id, resolvedAt)
}

/**
 * Rewrites what an incident did to its assets, if the patch corrects its downtime or, for the past
 * as well, its severity (decision 2.8). Returns whether the past is different now.
 */
async function correctPast(
  c: Change,
  incident: Incident,
  patch: IncidentPatch,
  { after, changes }: AllowedPatch,
): Promise<boolean> {
  const { id, createdAt, resolvedAt } = incident
  const { assetId, severity, isDowntime, downtimeStartedAt, downtimeEndedAt } = after
  const downtime = (['isDowntime', 'downtimeStartedAt', 'downtimeEndedAt'] as const).some(
    (name) => patch[name] !== undefined && changes[name],
  )
  // An incident that leaves its asset ends its downtime then: that is no correction.
  const correctsDowntime = downtime && assetId !== null
  const correctsSeverity = patch.retroactive === true && patch.severity !== undefined
  if (!correctsDowntime && !correctsSeverity) return false
  const stored = await impactsOf(c.query, id)
  const now = { at: c.now.getTime(), action: 'incident.edited', changes }
  const ms = (at: Date | null) => at?.getTime() ?? null
  const corrected = correctedImpacts(
    stored,
    { createdAt: createdAt.getTime(), resolvedAt: ms(resolvedAt), assetId, severity },
    [now, ...(await pastChangesOf(c.query, id))],
    {
      downtime: correctsDowntime
        ? { isDowntime, startedAt: ms(downtimeStartedAt), endedAt: ms(downtimeEndedAt) }
        : null,
      severity: correctsSeverity,
    },
  )
  const text = (spans: typeof corrected) =>
    spans.map(({ assetId, impact, start, end }) => `${assetId} ${impact} ${start} ${end}`).join()
  if (text(corrected) === text(stored)) return false
  // Also assets where the incident did nothing before, and none of its rows is.
  await announceBeforeCorrection(
    c,
    [...stored, ...corrected].map((span) => span.assetId),
  )
  await replaceImpacts(c.query, id, corrected)
  return true
}

/**
 * The severity stands in the audit entry although it may be the present one: from this entry on it
 * counts for the past.
 */
function retroactively({ before, after }: AllowedPatch): Changes {
  return {
    severity: { before: before.severity, after: after.severity },
    retroactive: { before: null, after: true },
  }
}

/** Writes the entry in the timeline, with its photos. Returns its id. */
async function addEntry(
  c: Change,
  incidentId: number,
  { body = '', bodyForStaff = null, automatic, onStatusPage, move }: IncidentPatch,
  more: {
    allowed: AllowedPatch
    person: Person
    isStaffUpdate: boolean
    photos: PostedPhotos | undefined
    writer: Writer | null
  },
): Promise<number> {
  const { allowed, person, isStaffUpdate, photos, writer } = more
  const { stamps, after, changes } = allowed
  const saysReason = move !== 'undo' && (stamps?.resolvedAt || changes.closingReason)
  const entry = {
    body,
    bodyForStaff,
    newStatus: stamps?.status ?? null,
    ...newPromise(allowed),
    closingReason: saysReason ? after.closingReason : null,
    automatic,
    onStatusPage: isStaffUpdate && onStatusPage !== false,
  }
  if (photos) await claimStaged(c, photos.staged)
  const author = writer?.author ?? { id: c.actor.id, label: c.actor.name, isOffice: isOffice(person) }
  const updateId = await writeEntry(c, incidentId, author, entry)
  if (photos) await insertPhotos(c, incidentId, updateId, [...photos.staged, ...photos.stored])
  return updateId
}

/** A contact that is given an incident gets an email about it, if we know an address. */
async function emailNewContact(
  c: Change,
  incidentId: number,
  { after, changes }: AllowedPatch,
): Promise<void> {
  if (after.contactId === null || !changes.contactId || c.actor.past) return
  const [contact] = await c.query(`select from contacts where id = $1 and email <> ''`, [after.contactId])
  if (contact) await enqueueEmail(c, 'incident.handed_over', { contact: after.contactId }, { incidentId })
}

const actionOf = {
  fixed: 'incident.verified',
  notFixed: 'incident.reopened',
  undo: 'incident.confirmation_undone',
} as const

/** The audit entry and the events of a status change. */
function recordMove(
  c: Change,
  incident: Incident,
  { move }: IncidentPatch,
  more: { allowed: AllowedPatch; breach: { slaBreached?: boolean }; updateId: number },
): void {
  const { allowed, breach, updateId } = more
  const { before, after } = allowed
  const stamps = allowed.stamps!
  const { id, status, acknowledgedAt, resolvedAt, verifiedAt, slaBreached } = incident
  const isAnswer = move !== undefined
  const details = { from: status, to: stamps.status, updateId, ...(isAnswer && { verification: true }) }
  if (move === 'notFixed') c.emit({ event: 'incident.reopened', incident: { id }, details })
  c.audit(
    move ? actionOf[move] : 'incident.status_changed',
    id,
    changesBetween(
      { status, acknowledgedAt, resolvedAt, verifiedAt, slaBreached, ...before },
      { slaBreached, ...stamps, ...after, ...breach },
    ),
  )
  c.emit({
    event: 'incident.status_changed',
    incident: { ...incidentFact(incident), status: stamps.status, ...breach },
    details,
  })
}
