import { dueAt, gatherIntoWaitingRow, gatheringLimit } from '../../../notifications/emails/gathering.js'
import { type Change, change } from '../../../platform/db/change.js'
import { statement } from '../../../platform/db/statement.js'
import { enqueueSql } from '../../../platform/outbox/outboxRow.js'
import { lockAssets, updateRunningImpacts } from '../../../status/impacts/storeImpacts.js'
import { changesBetween } from '../../../vocabulary/audit.js'
import { Conflict } from '../../../vocabulary/conflict.js'
import { incidentFact } from '../../../vocabulary/events.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import { orNotFound } from '../../../vocabulary/validation.js'
import type { Incident } from '../../model/incident.js'
import { Merge, minutesToUndo } from '../../model/merges.js'
import { addAutomaticEntry } from '../../model/timeline/writeEntry.js'
import { writeColumns } from '../../model/writeColumns.js'
import { FamilyChanged, lockedInOrder, retryWhileFamilyChanges } from './mergeFamily.js'
import { writeSurvivor } from './survivorState.js'
import { takeOutMerge } from './takeOutMerge.js'

/**
 * Undoes a merge within ten minutes (decision 2.5); what assets showed meanwhile stays. Returns the
 * survivor's id. Throws NotFound; Conflict when it is not merged, too late, or the survivor was
 * merged itself.
 */
export async function unmergeIncident(actor: Actor, duplicateId: number, entry: string): Promise<number> {
  return retryWhileFamilyChanges(() => change(actor, (c) => unmergeIn(c, duplicateId, entry)))
}

async function unmergeIn(c: Change, duplicateId: number, entry: string): Promise<number> {
  const { merge, duplicate, survivor } = await lockMerged(c, duplicateId)
  await lockAssets(c, [duplicate.id, survivor.id])
  const { brought, slaBreachedAt } = merge
  const before = {
    status: merge.status,
    acknowledgedAt: merge.acknowledgedAt,
    resolvedAt: merge.resolvedAt,
    verifiedAt: merge.verifiedAt,
    mergedIntoId: null,
  }
  const { status, acknowledgedAt, resolvedAt, verifiedAt, mergedIntoId } = duplicate
  await writeColumns(c, duplicateId, { ...before, slaBreachedAt, slaBreached: slaBreachedAt !== null })
  await c.trx('incidents').whereIn('id', brought).update({ mergedIntoId: duplicateId })
  const ofSurvivor = await writeSurvivor(c, survivor, await takeOutMerge(c, merge, survivor))
  await c.trx('merges').where({ duplicateId }).delete()
  await takeOutFollowers(c, survivor.id)
  await updateRunningImpacts(c.query, [duplicate.id, survivor.id], c.now)
  await addAutomaticEntry(c, survivor.id, entry, duplicate.id)
  c.audit('incident.unmerged', duplicate.id, {
    ...changesBetween({ status, acknowledgedAt, resolvedAt, verifiedAt, mergedIntoId }, before),
    ...ofSurvivor,
  })
  if (before.status !== status)
    c.emit({
      event: 'incident.status_changed',
      incident: { ...incidentFact(duplicate), status: before.status },
      // Followers hear of the undoing instead, if they heard of the merge.
      details: { from: status, to: before.status, quiet: true },
    })
  await notifyOfUnmerge(c, merge)
  c.recheckStatus(duplicate.assetId)
  c.recheckStatus(survivor.assetId)
  return survivor.id
}

/**
 * Locks the duplicate, its survivor and the duplicates it brought. Throws FamilyChanged when
 * another change has just merged one.
 */
async function lockMerged(
  c: Change,
  duplicateId: number,
): Promise<{ merge: Merge; duplicate: Incident; survivor: Incident }> {
  const merge = await Merge.query(c.trx).findById(duplicateId)
  const ids = merge ? [merge.survivorId, ...merge.brought] : []
  const locked = await lockedInOrder(c, [duplicateId, ...ids])
  const duplicate = orNotFound(locked.find(({ id }) => id === duplicateId))
  const mergedInto = duplicate.mergedIntoId
  if (mergedInto === null) throw new Conflict('unmerge_not_merged')
  const still = await Merge.query(c.trx).findById(duplicateId)
  if (still?.mergedAt.getTime() !== merge?.mergedAt.getTime()) throw new FamilyChanged()
  if (!merge || minutesToUndo(merge.mergedAt, c.now) === 0)
    throw new Conflict('unmerge_too_late', { mergedInto })
  if (mergedInto !== merge.survivorId) throw new Conflict('unmerge_survivor_merged', { mergedInto })
  return { merge, duplicate, survivor: locked.find(({ id }) => id === merge.survivorId)! }
}

/**
 * Removes the followers whom only this merge brought, unless another merge is a reason to follow.
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
 * Most minutes for which an email about several merges gathers them. Its row has the time of the
 * first merge.
 */
const gatherMinutes = 10

/**
 * One email to each who got one about the merge, gathered like those; an email that has not left
 * yet is not sent any more.
 */
async function notifyOfUnmerge(c: Change, { duplicateId, survivorId, mergedAt }: Merge): Promise<void> {
  const { text, values } = statement((bind) => {
    const duplicate = `${bind(duplicateId)}::integer`
    const merged = `${bind(mergedAt)}::timestamptz`
    const now = `${bind(c.now)}::timestamptz`
    const recipients = `from (
      select distinct o.recipient_id, o.email_follower_id from outbox o
      where o.created_at between ${merged} - interval '${gatherMinutes} minutes' and ${merged}
        and o.kind = 'mail' and o.event = 'incident.merged'
        and o.recipient_id is distinct from ${bind(c.actor.id)}::integer
        and (
          o.incident_id = ${duplicate}
          or o.payload -> 'more' @> jsonb_build_array(jsonb_build_object('incidentId', ${duplicate}))
        )
        and o.attempts > 0 and o.failed_at is null and (o.sent_at is null or o.last_error is null)
    ) recipient`
    const recipientKey = `coalesce(
      recipient.recipient_id::text, 'address ' || recipient.email_follower_id)`
    const row = {
      event: `'incident.unmerged'`,
      userId: 'recipient.recipient_id',
      emailFollowerId: 'recipient.email_follower_id',
      incidentId: duplicate,
      payload: `jsonb_build_object('survivorId', ${bind(survivorId)}::integer)`,
      createdAt: now,
      dueAt: dueAt(now, 'calm'),
      gatherKey: `'mail:incident.unmerged:' || ${recipientKey}`,
    }
    return `${enqueueSql(row, recipients)} ${gatherIntoWaitingRow(gatheringLimit('calm'))}`
  })
  await c.query(text, values)
}
