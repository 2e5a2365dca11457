import { dueAt, longestWait, takingIn } from '../../notifications/emails/gathering.js'
import { type Change, change } from '../../platform/db/change.js'
import { enqueueSql } from '../../platform/outbox/enqueueEmail.js'
import { keepImpacts, lockAssets } from '../../status/queries/impacts.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { incidentFact } from '../../vocabulary/events.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import type { Incident } from '../incident.js'
import { addToTimeline, writeColumns } from '../update/timeline.js'
import { type AnsweredState, type MergedDowntime, minutesToUndo, withoutMerge } from './joinedState.js'
import {
  answeredOf,
  downtimeOf,
  lockedInOrder,
  Moved,
  setAnswered,
  survivorChanges,
  untilUnmoved,
} from './mergeIncidents.js'
import { joinedTo, mergeOf, type StoredMerge } from './queries.js'

/**
 * Undoes a merge within ten minutes (decision 2.5); what assets showed meanwhile stays. Returns the
 * survivor's id. Throws NotFound; Conflict when it is not merged, too late, or the survivor was
 * merged itself.
 */
export async function unmergeIncident(actor: Actor, duplicateId: number, entry: string): Promise<number> {
  return untilUnmoved(() => change(actor, (c) => unmergeIn(c, duplicateId, entry)))
}

type Merged = { merge: StoredMerge; duplicate: Incident; survivor: Incident }

async function unmergeIn(c: Change, duplicateId: number, entry: string): Promise<number> {
  const { merge, duplicate, survivor } = await lockMerged(c, duplicateId)
  await lockAssets(c, [duplicate.id, survivor.id])
  await restoreDuplicate(c, merge)
  const restored = await restoreSurvivor(c, merge, survivor)
  await c.query('delete from merges where duplicate_id = $1', [duplicate.id])
  await takeOutFollowers(c, survivor.id)
  await keepImpacts(c.query, [duplicate.id, survivor.id], c.now)
  await addToTimeline(c, survivor.id, entry, null, { automatic: true })
  const { slaBreachedAt: _, ...before } = merge.before
  const { status, acknowledgedAt, resolvedAt, verifiedAt } = duplicate
  c.audit('incident.unmerged', duplicate.id, {
    ...changesBetween(
      { status, acknowledgedAt, resolvedAt, verifiedAt, mergedIntoId: survivor.id },
      { ...before, mergedIntoId: null },
    ),
    ...survivorChanges(survivor, restored),
  })
  if (before.status !== status)
    c.emit({
      event: 'incident.status_changed',
      incident: { ...incidentFact(duplicate), status: before.status },
      // Followers hear of the undoing instead, if they heard of the merge.
      details: { from: status, to: before.status, quiet: true },
    })
  await tellThoseTold(c, merge)
  c.recheckStatus(duplicate.assetId)
  c.recheckStatus(survivor.assetId)
  return survivor.id
}

/**
 * Locks the duplicate, its survivor and the duplicates it brought. Throws Moved when one was moved
 * meanwhile.
 */
async function lockMerged(c: Change, duplicateId: number): Promise<Merged> {
  const merge = await mergeOf(c.query, duplicateId)
  const ids = merge ? [merge.survivorId, ...merge.brought] : []
  const locked = await lockedInOrder(c, [duplicateId, ...ids])
  const duplicate = orNotFound(locked.find(({ id }) => id === duplicateId))
  const mergedInto = duplicate.mergedIntoId
  if (mergedInto === null) throw new Conflict('unmerge_not_merged')
  const still = await mergeOf(c.query, duplicateId)
  if (still?.mergedAt.getTime() !== merge?.mergedAt.getTime()) throw new Moved()
  if (!merge || minutesToUndo(merge.mergedAt, c.now) === 0)
    throw new Conflict('unmerge_too_late', { mergedInto })
  if (mergedInto !== merge.survivorId) throw new Conflict('unmerge_survivor_merged', { mergedInto })
  return { merge, duplicate, survivor: locked.find(({ id }) => id === merge.survivorId)! }
}

async function restoreDuplicate(c: Change, { duplicateId, brought, before }: StoredMerge): Promise<void> {
  const slaBreached = before.slaBreachedAt !== null
  await writeColumns(c, duplicateId, { ...before, slaBreached, mergedIntoId: null })
  await c.query('update incidents set merged_into_id = $2 where id = any ($1)', [brought, duplicateId])
}

/**
 * Takes the duplicate's downtime, answer and waiting words out of the survivor's, unless that
 * changed since.
 */
async function restoreSurvivor(
  c: Change,
  { duplicateId }: StoredMerge,
  survivor: Incident,
): Promise<MergedDowntime & AnsweredState> {
  const merges = await joinedTo(c.query, survivor.id)
  const [waiting] = await c.query<{ backAt: Date | null; unanswered: Date | null }>(
    'select came_back_at as "backAt", unanswered_since as unanswered from incidents where id = $1',
    [survivor.id],
  )
  const downtime = withoutMerge(merges.downtime, duplicateId, downtimeOf(survivor))
  const cameBack = withoutMerge(merges.cameBackAt, duplicateId, waiting!.backAt)
  const unanswered = withoutMerge(merges.unansweredSince, duplicateId, waiting!.unanswered)
  const answered = withoutMerge(merges.answered, duplicateId, answeredOf(survivor))
  await writeColumns(c, survivor.id, {
    ...downtime.survivor,
    cameBackAt: cameBack.survivor,
    unansweredSince: unanswered.survivor,
  })
  await setAnswered(c, survivor, answered.survivor)
  const pass = (set: string, id: number, values: unknown[]) =>
    c.query(`update merges set ${set} where duplicate_id = $1`, [id, ...values])
  for (const { duplicateId: id, before } of downtime.later)
    await pass('was_downtime = $2, was_down_since = $3', id, [before.isDowntime, before.downtimeStartedAt])
  for (const { duplicateId: id, before } of cameBack.later) await pass('was_back_at = $2', id, [before])
  for (const { duplicateId: id, before } of unanswered.later)
    await pass('was_unanswered_since = $2', id, [before])
  for (const { duplicateId: id, before } of answered.later)
    await pass(
      'was_assignee_id = $2, was_contact_id = $3, was_due_on = $4, was_expected_back_at = $5, was_status_reason = $6',
      id,
      Object.values(before),
    )
  return { ...downtime.survivor, ...answered.survivor }
}

/**
 * Followers that only this merge brought go with it; another merge may still be a reason to follow.
 */
async function takeOutFollowers(c: Change, survivorId: number): Promise<void> {
  await c.query(
    `delete from followers f
     where f.incident_id = $1 and f.by_merge and not f.by_choice
       and not exists (
         select from incidents d left join followers o on o.incident_id = d.id and o.user_id = f.user_id
         where d.merged_into_id = $1 and (d.reporter_id = f.user_id or o.user_id is not null)
       )
       and not exists (select from merges m where m.survivor_id = $1 and m.merged_by = f.user_id)`,
    [survivorId],
  )
}

/**
 * Longest time, in minutes, that an email about several merges gathers them; its row has the time
 * of the first.
 */
const gathers = 10

/**
 * One email to each who got one about the merge, gathered like those; an email that has not left
 * yet is not sent any more.
 */
async function tellThoseTold(c: Change, { duplicateId, survivorId, mergedAt }: StoredMerge): Promise<void> {
  const told = `from (
    select distinct o.recipient_id, o.mail_follower_id from outbox o
    where o.created_at between $3::timestamptz - interval '${gathers} minutes' and $3
      and o.kind = 'mail' and o.event = 'incident.merged' and o.recipient_id is distinct from $5::integer
      and (o.incident_id = $1 or o.payload -> 'more' @> jsonb_build_array(jsonb_build_object('incidentId', $1::integer)))
      and o.attempts > 0 and o.failed_at is null and (o.sent_at is null or o.last_error is null)
  ) told`
  const row = {
    event: `'incident.unmerged'`,
    userId: 'told.recipient_id',
    followerId: 'told.mail_follower_id',
    incidentId: '$1::integer',
    payload: `jsonb_build_object('survivorId', $2::integer)`,
    createdAt: '$4::timestamptz',
    dueAt: dueAt('$4::timestamptz', 'calm'),
    gatherKey: `'mail:incident.unmerged:' || coalesce(told.recipient_id::text, 'address ' || told.mail_follower_id)`,
  }
  await c.query(`${enqueueSql(row, told)} ${takingIn(longestWait('calm'))}`, [
    duplicateId,
    survivorId,
    mergedAt,
    c.now,
    c.actor.id,
  ])
}
