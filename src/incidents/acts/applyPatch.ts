import { enqueueExpectedNews } from '../../notifications/follow/enqueueAssetNews.js'
import type { Change } from '../../platform/db/change.js'
import { enqueueEmail } from '../../platform/outbox/enqueueEmail.js'
import { lockAssets } from '../../status/impacts/storeImpacts.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import type { IncidentColumns } from '../model/entity.js'
import type { Incident } from '../model/incident.js'
import { followByActing } from '../model/incidentFollowers.js'
import { isOffice, type Person, personOf } from '../model/person.js'
import { insertPhotos, type PostedPhotos } from '../model/photos/photos.js'
import { claimStaged } from '../model/photos/stagedPhotos.js'
import { reportingOf } from '../model/timeline/anonymity.js'
import { type NewEntry, writeEntry } from '../model/timeline/writeEntry.js'
import { writeColumns } from '../model/writeColumns.js'
import { type AllowedPatch, allowedPatch, type IncidentPatch, setsStaffFields } from './allowedPatch.js'
import { correctPast, updateImpacts } from './patchedImpacts.js'
import {
  type EntrySender,
  type PatchInProgress,
  recordComment,
  recordCorrection,
  recordMove,
} from './recordPatch.js'
import { refuseNaming } from './refuseNaming.js'
import { requireUsable } from './requireUsable.js'

/**
 * What a patch did. `changesPast`: it changed what the incident did to its assets (decision 2.8).
 */
type AppliedPatch = { updateId: number | null; isChanged: boolean; changesPast: boolean }

/**
 * Changes a locked incident, and writes its entry in the timeline, its audit entry and its event:
 * every change of status, words, severity, place, forecast, assignee and downtime passes here
 * (decision 8.3). A patch without words that changes nothing writes nothing. Throws Conflict and
 * ValidationFailed.
 */
export async function applyPatch(
  c: Change,
  incident: Incident,
  patch: IncidentPatch,
  { photos, sender = null }: { photos?: PostedPhotos | undefined; sender?: EntrySender | null } = {},
): Promise<AppliedPatch> {
  if (patch.newStatus || patch.move || setsStaffFields(patch))
    await lockAssets(c, [incident.id], [patch.assetId])
  const allowed = allowedPatch(incident, patch, c.now)
  await requireUsable(c, allowed)
  if (!sender && isStaff(c.actor.role ?? 'guest')) await refuseNaming(c, incident.id, patch, allowed)
  const person = sender ? sender.person : personOf(c)
  const actsAs = await capacityOf(c, incident.id, patch, allowed, person)
  const act: PatchInProgress = {
    incident,
    patch,
    allowed,
    actsAs,
    sender,
    photos,
    hasNews: hasNews(patch, allowed),
    isStaffUpdate: isStaffUpdate(c.actor, { patch, allowed, actsAs, sender }),
  }

  const breach = await writeColumns(c, incident.id, columnsOf(c, act), {
    changesStatus: allowed.stamps !== null,
  })
  await updateImpacts(c, incident, patch, allowed)
  const changesPast = await correctPast(c, incident, patch, allowed)
  const isChanged = Object.keys(allowed.changes).length > 0 || changesPast
  if (patch.body === undefined && !isChanged) return { updateId: null, isChanged, changesPast }

  const updateId = patch.body === undefined ? null : await addEntry(c, act)
  await followByActing(c, incident.id, actsAs)
  await emailNewContact(c, incident.id, allowed)
  if (updateId === null) recordCorrection(c, act)
  else if (allowed.stamps) recordMove(c, act, allowed.stamps, breach, updateId)
  else recordComment(c, act, updateId)
  if (allowed.changes.expectedBackAt) await enqueueExpectedNews(c, allowed.after.assetId)
  if (allowed.stamps || isChanged) {
    c.recheckStatus(allowed.before.assetId)
    c.recheckStatus(allowed.after.assetId)
  }
  return { updateId, isChanged, changesPast }
}

/**
 * Who a patch counts as. Staff who reported the incident anonymously count as its reporter, like a
 * resident, when they only write, answer whether it is fixed, or take that answer back (decision
 * 9.9). What only staff can do is an act of the office.
 */
async function capacityOf(
  c: Change,
  incidentId: number,
  patch: IncidentPatch,
  { stamps, changes }: AllowedPatch,
  person: Person,
): Promise<Person> {
  if (!person || !isOffice(person) || patch.byOffice || patch.body === undefined) return person
  const isAnswer = patch.move !== undefined
  const setsNothing = !patch.newStatus && !patch.onStatusPage && !stamps && Object.keys(changes).length === 0
  if (!isAnswer && !setsNothing) return person
  const reporting = await reportingOf(c.query, incidentId, person.id)
  return reporting === 'anonymous' ? { id: person.id } : person
}

function hasNews(patch: IncidentPatch, { stamps, changes }: AllowedPatch): boolean {
  return Boolean(patch.body || stamps || changes.expectedBackAt || changes.statusReason)
}

function isStaffUpdate(
  actor: Actor,
  { patch, allowed, actsAs, sender }: Pick<PatchInProgress, 'patch' | 'allowed' | 'actsAs' | 'sender'>,
): boolean {
  if (sender || !isOffice(actsAs)) return false
  if (patch.body === undefined || patch.move || patch.automatic) return false
  const bySession = isStaff(actor.role ?? 'guest') && (actor.via === 'web' || actor.via === 'mobile')
  const { expectedBackAt, statusReason } = changedForecast(allowed)
  return bySession && (patch.body !== '' || expectedBackAt !== null || statusReason !== null)
}

/** What is new of the forecast: a time, a reason, both or neither. */
function changedForecast({ before, after }: AllowedPatch): Pick<NewEntry, 'expectedBackAt' | 'statusReason'> {
  const { expectedBackAt, statusReason } = after
  const isSameTime = expectedBackAt?.getTime() === before.expectedBackAt?.getTime()
  return {
    expectedBackAt: isSameTime ? null : expectedBackAt,
    statusReason: statusReason === before.statusReason ? null : statusReason,
  }
}

/** The columns that the patch writes. */
function columnsOf(c: Change, act: PatchInProgress): Partial<IncidentColumns> {
  const columns = { ...changedColumns(act), ...unansweredColumns(act, c.now) }
  return act.isStaffUpdate ? { ...columns, lastStaffUpdateAt: c.now } : columns
}

/** The fields and stamps that differ. */
function changedColumns({
  incident,
  allowed: { stamps, after, changes },
}: PatchInProgress): Partial<IncidentColumns> {
  const changed: Partial<IncidentColumns> = Object.fromEntries(
    Object.entries(after).filter(([name]) => changes[name]),
  )
  // While only the description is hidden, the stored title is the public one, and stays so.
  if (changes.title && incident.hiddenTitle === incident.title) changed.hiddenTitle = after.title
  if (!stamps) return changed
  return { ...changed, ...stamps, closingReason: after.closingReason }
}

/**
 * The marks of what waits for the office (decision 7.2). News from the office and a confirmed
 * repair clear them; "not fixed" by a resident puts the incident first on the desk; other words of
 * a resident make it wait for an answer.
 */
function unansweredColumns(
  act: PatchInProgress,
  now: Date,
): Partial<Pick<IncidentColumns, 'reopenedAt' | 'unansweredSince'>> {
  const { reopenedAt, unansweredSince } = act.incident
  const { body, move } = act.patch
  const byOffice = isOffice(act.actsAs)
  if (move === 'undo') return {}
  if (move === 'notFixed' && !byOffice) return { reopenedAt: now }
  if (move === 'fixed' || (byOffice && act.hasNews))
    return reopenedAt || unansweredSince ? { reopenedAt: null, unansweredSince: null } : {}
  return byOffice || body === undefined || unansweredSince ? {} : { unansweredSince: now }
}

/** Writes the entry in the timeline, with its photos. Returns its id. */
async function addEntry(c: Change, act: PatchInProgress): Promise<number> {
  const { incident, patch, allowed, actsAs, sender, photos } = act
  const { stamps, after, changes } = allowed
  const showsReason = patch.move !== 'undo' && (stamps?.resolvedAt || changes.closingReason)
  const entry = {
    body: patch.body ?? '',
    bodyForStaff: patch.bodyForStaff ?? null,
    newStatus: stamps?.status ?? null,
    ...changedForecast(allowed),
    closingReason: showsReason ? after.closingReason : null,
    automatic: patch.automatic,
    onStatusPage: act.isStaffUpdate && patch.onStatusPage !== false,
  }
  if (photos) await claimStaged(c, photos.staged)
  const author = sender?.author ?? { id: c.actor.id, label: c.actor.name, isOffice: isOffice(actsAs) }
  const updateId = await writeEntry(c, incident.id, author, entry)
  if (photos) await insertPhotos(c, incident.id, updateId, [...photos.staged, ...photos.stored])
  return updateId
}

/** A contact that is given an incident gets an email about it, if we know an address. */
async function emailNewContact(
  c: Change,
  incidentId: number,
  { after, changes }: AllowedPatch,
): Promise<void> {
  if (after.contactId === null || !changes.contactId || c.actor.past) return
  const contact = await c.trx('contacts').where({ id: after.contactId }).first('email')
  if (contact?.email)
    await enqueueEmail(c, 'incident.handed_over', { contact: after.contactId }, { incidentId })
}
