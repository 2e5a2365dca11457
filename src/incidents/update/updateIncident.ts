import { createHash } from 'node:crypto'
import { enqueueExpectedNews } from '../../maintenance/reminders.js'
import { type Change, change } from '../../platform/db/change.js'
import { keepImpacts } from '../../status/queries/impacts.js'
import { type Changes, changesBetween } from '../../vocabulary/audit.js'
import { Conflict } from '../../vocabulary/conflict.js'
import type { LimitName } from '../../vocabulary/countedLimits.js'
import { incidentFact } from '../../vocabulary/events.js'
import { refuseMerged, type Stamps, type Status, transition } from '../../vocabulary/lifecycle.js'
import { bounds } from '../../vocabulary/limits.js'
import { type Actor, demand } from '../../vocabulary/people/actor.js'
import { networkOf } from '../../vocabulary/people/network.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import type { SlaTargets } from '../../vocabulary/severity.js'
import { orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { Incident } from '../incident.js'
import { claimStaged, insertPhotos, type StoredPhoto, withPhotos } from '../photos/photos.js'
import type { StagedPhoto } from '../photos/queries.js'
import { refuseHiddenName } from '../protection/hideWords.js'
import { followByActing, personOf, updateUnanswered } from './heard.js'
import {
  type AnswerFields,
  type AppliedPatch,
  appliedPatch,
  applyPatch,
  assign,
  hasFields,
  promiseFields,
  refuseStale,
} from './settle.js'
import { addToTimeline, storeTransition } from './timeline.js'

const day = 86_400_000

/**
 * Counts an entry by someone who is not staff; `writer`: whose share it is of, such as `user:7` or
 * an email's domain. Throws Conflict when the share or the incident is full (decision 1.6).
 */
async function requireRoom(c: Change, incidentId: number, writer: string, bytes: number): Promise<void> {
  const [size] = await c.query<{ entries: number; bytes: number }>(
    `select count(*)::integer as entries, coalesce(sum(octet_length(body)), 0)::integer as bytes
     from incident_updates where incident_id = $1`,
    [incidentId],
  )
  if (size!.entries >= bounds.timelineEntries || size!.bytes >= bounds.timelineBytes)
    throw new Conflict('timeline_full')
  const share = `${incidentId}:${createHash('sha256').update(writer).digest('base64url')}`
  const entries = await countUp(c, 'timeline-entries', share, 1)
  const text = await countUp(c, 'timeline-bytes', share, bytes)
  if (entries > bounds.writerEntries || text > bounds.writerBytes) throw new Conflict('timeline_full')
}

/** Whose share an actor's comments are of: a person's, or one of the network for all its phones. */
function writerOf({ id, via, client = '' }: Actor): string {
  return via === 'mobile' ? `network:${networkOf(client) ?? 'unknown'}` : `user:${id}`
}

/**
 * Adds to a counter in this transaction, so that what is refused counts for nothing. Returns the
 * sum.
 */
async function countUp(c: Change, limit: LimitName, who: string, points: number): Promise<number> {
  const [row] = await c.query<{ points: number }>(
    `insert into throttles as t (key, points, expire) values ($1, $2, $4)
     on conflict (key) do update set
       points = case when t.expire > $3::bigint then t.points + excluded.points else excluded.points end,
       expire = case when t.expire > $3::bigint then t.expire else excluded.expire end
     returning points`,
    [`${limit}:${who}`, points, c.now.getTime(), c.now.getTime() + bounds.writerDays * day],
  )
  return row!.points
}

/**
 * `onlyFrom`: throws Conflict when the incident has none of these statuses by now. `targets`: hours
 * to acknowledge. `automatic`: the words are the service's own.
 */
export type Update = AnswerFields & {
  body: string
  newStatus: Status | null
  onlyFrom?: readonly Status[]
  automatic?: boolean
  /** The same words, when it was said before that they name a hidden reporter (decision 7.13). */
  namedAnyway?: string | null | undefined
  targets: SlaTargets
}

/**
 * Adds a comment; staff may set more in the same entry (spec §4 rule 2), the current status none
 * (decision 2.2). Returns the update's id. Throws Forbidden; Conflict when the office has answered
 * meanwhile.
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
      if (hasFields(update)) demand(actor, 'incident.edit')
      const incident = orNotFound(await Incident.locked(c.trx, incidentId))
      refuseMerged(incident)
      const byStaff = isStaff(actor.role ?? 'guest')
      if (!byStaff) await requireRoom(c, incidentId, writerOf(actor), Buffer.byteLength(update.body))
      requireStatus(incident, update)
      if (byStaff) {
        await refuseStale(c, incidentId, update.version)
        const { body, statusReason, namedAnyway } = update
        await refuseHiddenName(c, incidentId, { body, statusReason }, namedAnyway)
      }
      const stamps = update.newStatus === null ? null : transition(incident, update.newStatus, c.now)
      const { before, after } = await applyPatch(c, incident, stamps, update)
      requireWords(update, stamps, changesBetween(before, after))
      await claimStaged(c, photos.staged)
      const said = entryOf(actor, update, promiseFields(before, after, stamps))
      const updateId = await addToTimeline(c, incidentId, update.body, stamps?.status ?? null, said)
      await insertPhotos(c, incidentId, updateId, [...photos.staged, ...photos.stored])
      await followByActing(c, incidentId, personOf(c))
      const { expectedBackAt, statusReason } = changesBetween(before, after)
      const speaks = Boolean(update.body || stamps || expectedBackAt || statusReason)
      if (!byStaff || speaks) await updateUnanswered(c, incidentId, personOf(c))
      await assign(c, incidentId, before, after)
      const { targets } = update
      if (stamps) await moveIncident(c, incident, stamps, { details: { updateId }, targets, settled: after })
      else {
        const told = speaks || photos.staged.length + photos.stored.length > 0
        await answerOnly(c, incident, updateId, { before, after, told })
      }
      if (said.isWord) await noteSpoken(c, incidentId)
      c.resultId(updateId)
      return updateId
    }),
  )
}

/**
 * How the timeline keeps an answer; `isStaffUpdate`: the office has said something of its own in
 * public.
 */
function entryOf(
  { role, via }: Actor,
  { body, automatic = false, onStatusPage }: Update,
  promise: ReturnType<typeof promiseFields>,
) {
  const bySession = isStaff(role ?? 'guest') && (via === 'web' || via === 'mobile')
  const isPromise = promise.expectedBackAt !== null || promise.statusReason !== null
  const isStaffUpdate = bySession && !automatic && (body !== '' || isPromise)
  return {
    ...promise,
    automatic,
    isWord: isStaffUpdate,
    onStatusPage: isStaffUpdate && onStatusPage !== false,
  }
}

function requireStatus({ status }: Incident, { onlyFrom, newStatus }: Update): void {
  if (!onlyFrom || onlyFrom.includes(status)) return
  if (status === 'verified') throw new Conflict('incident_verified')
  throw new Conflict(newStatus === 'acknowledged' ? 'already_acknowledged' : 'changed_meanwhile')
}

/**
 * An entry without words says something else. Closing something takes words, except with the tap
 * that says that it is fixed (decision 8.4).
 */
function requireWords(
  { body, automatic, closingReason }: Update,
  stamps: Stamps | null,
  changes: Changes,
): void {
  const closesSilently = automatic && (closingReason ?? 'fixed') === 'fixed'
  const needsWords = stamps?.resolvedAt ? !closesSilently : !stamps && Object.keys(changes).length === 0
  if (body === '' && needsWords) throw new ValidationFailed({ body: ['body_required'] })
}

/**
 * An answer that moves nothing: a comment, with what it sets; a mere hand-over is news to no one
 * else (decision 7.2).
 */
async function answerOnly(
  c: Change,
  incident: Incident,
  updateId: number,
  { before, after, told }: { before: AppliedPatch; after: AppliedPatch; told: boolean },
): Promise<void> {
  const changes = changesBetween(before, after)
  if (Object.keys(changes).length > 0) await incident.$query(c.trx).patch(after)
  if (told) tellComment(c, incident.id, updateId, { authorId: c.actor.id }, changes)
  else auditComment(c, incident.id, updateId, changes)
  if (changes.expectedBackAt) await enqueueExpectedNews(c, incident.assetId)
  if (changes.statusReason || changes.expectedBackAt) c.recheckStatus(incident.assetId)
}

async function noteSpoken(c: Change, incidentId: number): Promise<void> {
  await c.query('update incidents set spoken_at = $2 where id = $1', [incidentId, c.now])
}

/** Records a comment and tells the followers, but never its author, of it (decision 7.2). */
export function tellComment(
  c: Change,
  incidentId: number,
  updateId: number,
  author: { authorId: number | null } | { mailFollowerId: number | null },
  changes: Changes = {},
): void {
  auditComment(c, incidentId, updateId, changes)
  c.emit({ event: 'incident.commented', incident: { id: incidentId }, details: { updateId, ...author } })
}

function auditComment(c: Change, incidentId: number, updateId: number, changes: Changes): void {
  c.audit('incident.commented', incidentId, { update: { before: null, after: updateId }, ...changes })
}

/**
 * What a move that is no answer leaves: a closed incident has no expected end, one that is not
 * closed no reason for it.
 */
export function leftBy({ resolvedAt }: Stamps, before: AppliedPatch): AppliedPatch {
  return resolvedAt
    ? { ...before, expectedBackAt: null, statusReason: null }
    : { ...before, closingReason: null }
}

/**
 * Changes the status of a locked incident, with stamps, event and audit entry; every status change
 * passes here. Says that it was acknowledged late when it leaves open after its target (decision
 * 7.1).
 */
export async function moveIncident(
  c: Change,
  incident: Incident,
  stamps: Stamps,
  {
    action = 'incident.status_changed',
    details,
    targets,
    settled,
  }: { action?: string; details: Record<string, unknown>; targets: SlaTargets; settled?: AppliedPatch },
): Promise<void> {
  const { status, acknowledgedAt, resolvedAt, verifiedAt, slaBreached } = incident
  const said = settled ?? leftBy(stamps, appliedPatch(incident))
  const downtimeEndedAt = stamps.resolvedAt ? incident.downtimeEndedAt : null
  const breach = await storeTransition(c, incident.id, { ...stamps, ...said, downtimeEndedAt }, targets)
  await keepImpacts(c, [incident.id])
  const before = {
    status,
    acknowledgedAt,
    resolvedAt,
    verifiedAt,
    slaBreached,
    ...appliedPatch(incident),
  }
  c.audit(action, incident.id, changesBetween(before, { ...stamps, ...said, ...breach }))
  c.emit({
    event: 'incident.status_changed',
    incident: { ...incidentFact(incident), status: stamps.status, ...breach },
    details: { from: status, to: stamps.status, ...details },
  })
  if (incident.expectedBackAt?.getTime() !== said.expectedBackAt?.getTime())
    await enqueueExpectedNews(c, incident.assetId)
  c.recheckStatus(incident.assetId)
}
