import { type Change, change } from '../../change.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { demand } from '../../domain/accounts/authority.js'
import { isStaff } from '../../domain/accounts/permissions.js'
import { type Changes, changesBetween } from '../../domain/audit/audit.js'
import { refuseMerged, type Stamps, type Status, transition } from '../../domain/incidents/lifecycle.js'
import type { SlaTargets } from '../../domain/incidents/severity.js'
import { Conflict } from '../../domain/system/conflict.js'
import { bounds } from '../../domain/system/limits.js'
import { orNotFound } from '../../domain/system/validation.js'
import { incidentFact } from '../../domain/webhooks/events.js'
import { authorHidden, Incident } from '../../models/incidents/incident.js'
import type { StagedPhoto } from '../../models/incidents/photo.js'
import { keepImpacts } from '../../models/status/impacts.js'
import { leaveExpectedNews } from '../mail/assetNews.js'
import { actorOf, followByActing, noteWord } from './heard.js'
import { claimStaged, insertPhotos, type StoredPhoto, withPhotos } from './photos.js'
import { storeTransition } from './storeTransition.js'

/** `onlyFrom`: throws Conflict when the incident has another status by now. `targets`: hours to acknowledge. */
export type Update = { body: string; newStatus: Status | null; onlyFrom?: 'open'; targets: SlaTargets }

/**
 * Adds a comment, with a status if staff set one (spec §4 rule 2), in one change. The current status makes a
 * plain comment (decision 2.2). Returns the update's id. Throws Forbidden.
 */
export async function updateIncident(
  actor: Actor,
  incidentId: number,
  update: Update,
  photos: { stored: readonly StoredPhoto[]; staged: readonly StagedPhoto[] } = { stored: [], staged: [] },
): Promise<number> {
  return withPhotos(photos.stored, () =>
    change(actor, async (c) => {
      if (update.newStatus !== null) demand(actor, 'incident.setStatus')
      const incident = orNotFound(await Incident.locked(c.trx, incidentId))
      refuseMerged(incident)
      if (!isStaff(actor.role ?? 'guest')) await refuseFull(c, incidentId)
      if (update.onlyFrom && update.onlyFrom !== incident.status) throw new Conflict('already_acknowledged')
      const stamps = update.newStatus === null ? null : transition(incident, update.newStatus, c.now)
      await claimStaged(c, photos.staged)
      const updateId = await addToTimeline(c, incidentId, update.body, stamps?.status ?? null)
      await insertPhotos(c, incidentId, updateId, [...photos.staged, ...photos.stored])
      await followByActing(c, incidentId, actorOf(c))
      await noteWord(c, incidentId, actorOf(c))
      if (stamps) await moveIncident(c, incident, stamps, { details: { updateId }, targets: update.targets })
      else tellComment(c, incidentId, updateId, { authorId: actor.id })
      c.resultId(updateId)
      return updateId
    }),
  )
}

/** Records a comment and tells the followers, but never its author, of it (decision 7.2). */
export function tellComment(
  c: Change,
  incidentId: number,
  updateId: number,
  author: { authorId: number | null } | { mailFollowerId: number | null },
  changes: Changes = {},
): void {
  c.audit('incident.commented', incidentId, { update: { before: null, after: updateId }, ...changes })
  c.emit({ event: 'incident.commented', incident: { id: incidentId }, details: { updateId, ...author } })
}

/** An incident's page shows its whole timeline: a flood of comments must not make it too large to open. */
async function refuseFull(c: Change, incidentId: number): Promise<void> {
  const [size] = await c.query<{ entries: number; bytes: number }>(
    `select count(*)::integer as entries, coalesce(sum(octet_length(body)), 0)::integer as bytes
     from incident_updates where incident_id = $1`,
    [incidentId],
  )
  const { entries, bytes } = size!
  if (entries >= bounds.timelineEntries || bytes >= bounds.timelineBytes) throw new Conflict('timeline_full')
}

/** A resolved incident has no expected end. */
const nothingSaid = { expectedBackAt: null, statusReason: null }

/**
 * Changes the status of a locked incident, with stamps, event and audit entry; every status change passes here. Says
 * that it was acknowledged late when it leaves open after its target (decision 7.1).
 */
export async function moveIncident(
  c: Change,
  incident: Incident,
  stamps: Stamps,
  {
    action = 'incident.status_changed',
    details,
    targets,
  }: { action?: string; details: Record<string, unknown>; targets: SlaTargets },
): Promise<void> {
  const { status, acknowledgedAt, resolvedAt, verifiedAt, expectedBackAt, statusReason, slaBreached } =
    incident
  const said = stamps.resolvedAt ? nothingSaid : { expectedBackAt, statusReason }
  const downtimeEndedAt = stamps.resolvedAt ? incident.downtimeEndedAt : null
  const breach = await storeTransition(c, incident.id, { ...stamps, ...said, downtimeEndedAt }, targets)
  await keepImpacts(c.query, [incident.id], c.now)
  const before = {
    status,
    acknowledgedAt,
    resolvedAt,
    verifiedAt,
    expectedBackAt,
    statusReason,
    slaBreached,
  }
  c.audit(action, incident.id, changesBetween(before, { ...stamps, ...said, ...breach }))
  c.emit({
    event: 'incident.status_changed',
    incident: { ...incidentFact(incident), status: stamps.status, ...breach },
    details: { from: status, to: stamps.status, ...details },
  })
  if (expectedBackAt && !said.expectedBackAt) await leaveExpectedNews(c, incident.assetId)
  c.recheckStatus(incident.assetId)
}

/** Adds a timeline entry by the change's actor; `newStatus` only when the status changed (spec §2). */
export async function addToTimeline(
  c: Change,
  incidentId: number,
  body: string,
  newStatus: Status | null,
): Promise<number> {
  return writeEntry(c, incidentId, { id: c.actor.id, label: c.actor.name }, { body }, newStatus)
}

/**
 * Author of an entry. `label`: shown when there is no user. `email`: a mail's sender, for staff. `hidden`: the name is
 * for staff only, whatever this author reported. `via`: how the words came, if not as the change did.
 */
export type Author = {
  id: number | null
  label: string
  email?: string | null
  hidden?: boolean
  via?: Actor['via']
}

/** SQL: of acts that waited for each other the later has the later entry, though it may have begun before. */
const entryTime = `greatest($6::timestamptz,
  (select created_at from incident_updates where incident_id = $1 order by id desc limit 1))`

/** Adds a timeline entry by any author. Returns its id. */
export async function writeEntry(
  c: Change,
  incidentId: number,
  author: Author,
  { body, bodyForStaff = null }: { body: string; bodyForStaff?: string | null },
  newStatus: Status | null = null,
): Promise<number> {
  const label = author.id === null ? author.label : null
  const [row] = await c.query<{ id: number }>(
    `insert into incident_updates (incident_id, author_id, author_label, body, new_status, created_at, is_anonymous,
       via, author_email, body_for_staff)
     values ($1::integer, $2::integer, $3, $4, $5, ${entryTime}, $7::boolean or ${authorHidden('$1::integer', '$2::integer')}, $8, $9, $10)
     returning id`,
    [
      ...[incidentId, author.id, label, body, newStatus, c.now],
      ...[author.hidden ?? false, author.via ?? c.actor.via, author.email ?? null, bodyForStaff],
    ],
  )
  return row!.id
}
