import { type Change, change } from '../../../platform/db/change.js'
import { lockAssets, updateRunningImpacts } from '../../../status/impacts/storeImpacts.js'
import { changesBetween } from '../../../vocabulary/audit.js'
import { Conflict } from '../../../vocabulary/conflict.js'
import { incidentFact } from '../../../vocabulary/events.js'
import { closingStamps } from '../../../vocabulary/lifecycle.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import { isStaff } from '../../../vocabulary/people/permissions.js'
import { joiningColumns, Merge } from '../../model/merges.js'
import { addAutomaticEntry } from '../../model/timeline/writeEntry.js'
import { writeColumns } from '../../model/writeColumns.js'
import { lockFamily, type MergeFamily, retryWhileFamilyChanges } from './mergeFamily.js'
import { joinedBy, storedState, survivorStateOf, writeSurvivor } from './survivorState.js'

/**
 * Merges a duplicate into the survivor of `targetId`; returns the survivor's id (spec §3, decision
 * 2.5). Duplicates of the duplicate are moved too. Rows lock in id order, so A into B beside B into
 * A has one winner.
 */
export async function mergeIncidents(
  actor: Actor,
  duplicateId: number,
  targetId: number,
  entry: string,
): Promise<number> {
  const merge = (c: Change) => mergeIn(c, duplicateId, targetId, entry)
  return (await retryWhileFamilyChanges(() => change(actor, merge))).survivor.id
}

/**
 * Merges within a change: to be committed, or tried and rolled back. Throws FamilyChanged, and
 * Conflict when a rule forbids it.
 */
export async function mergeIn(
  c: Change,
  duplicateId: number,
  targetId: number,
  entry: string,
): Promise<MergeFamily & { becomesDowntime: boolean }> {
  if (duplicateId === targetId) throw new Conflict('merge_into_itself')
  const family = await lockFamily(c, duplicateId, targetId)
  const { duplicate, survivor, ownDuplicates } = family
  await lockAssets(c, [duplicate.id, survivor.id])
  const { status, acknowledgedAt, resolvedAt, verifiedAt, slaBreached, slaBreachedAt } = duplicate
  const before = survivorStateOf(survivor)
  const isRunning = resolvedAt === null && survivor.resolvedAt === null
  const joining = {
    mergedAt: c.now,
    continuesDowntime: isRunning && duplicate.isDowntime && duplicate.assetId === survivor.assetId,
    takesForecast: isRunning,
  }
  const after = joinedBy(before, survivorStateOf(duplicate), joining)
  const updateId = await addAutomaticEntry(c, survivor.id, entry, duplicate.id)
  await Merge.query(c.trx).insert({
    duplicateId,
    survivorId: survivor.id,
    updateId,
    mergedBy: c.actor.id,
    brought: ownDuplicates,
    status,
    acknowledgedAt,
    resolvedAt,
    verifiedAt,
    slaBreachedAt,
    ...joiningColumns(joining),
    ...storedState(before),
  })
  const stamps = closingStamps(duplicate, c.now)
  const merged = { ...stamps, mergedIntoId: survivor.id }
  const breach = await writeColumns(c, duplicate.id, merged, { changesStatus: true })
  await c.trx('incidents').whereIn('id', ownDuplicates).update({ mergedIntoId: survivor.id })
  await copyFollowers(c, duplicate.id, survivor.id)
  const ofSurvivor = await writeSurvivor(c, survivor, after)
  await updateRunningImpacts(c.query, [duplicate.id, survivor.id], c.now)
  c.audit('incident.merged', duplicate.id, {
    ...changesBetween(
      { status, resolvedAt, mergedIntoId: null, slaBreached },
      { status: stamps.status, resolvedAt: stamps.resolvedAt, mergedIntoId: survivor.id, ...breach },
    ),
    ...ofSurvivor,
  })
  c.emit({
    event: 'incident.merged',
    incident: { ...incidentFact(duplicate), status: stamps.status, ...breach },
    details: { targetId: survivor.id, updateId },
  })
  c.recheckStatus(duplicate.assetId)
  c.recheckStatus(survivor.assetId)
  return { ...family, becomesDowntime: after.isDowntime !== before.isDowntime }
}

/**
 * The duplicate's followers, its reporter and who merges it follow the survivor (spec §3); no one
 * who unfollowed that.
 */
async function copyFollowers(c: Change, from: number, to: number): Promise<void> {
  await c.query(
    `insert into followers (incident_id, user_id, created_at, by_merge)
     select $2::integer, p.user_id, $3::timestamptz, true from (
       select user_id from followers where incident_id = $1
       union select reporter_id from incidents where id = $1 and reporter_id is not null
     ) p where not exists (select from unfollows u where u.incident_id = $2 and u.user_id = p.user_id)
     on conflict do nothing`,
    [from, to, c.now],
  )
  if (!isStaff(c.actor.role ?? 'guest')) return
  await c.query(
    `insert into followers (incident_id, user_id, created_at, by_merge)
     select $1::integer, $2::integer, $3::timestamptz, true
     where not exists (select from unfollows where incident_id = $1 and user_id = $2)
     on conflict do nothing`,
    [to, c.actor.id, c.now],
  )
}
