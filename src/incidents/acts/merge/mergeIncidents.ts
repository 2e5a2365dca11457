import { type Change, change } from '../../../platform/db/change.js'
import { keepImpacts, lockAssets } from '../../../status/queries/impacts.js'
import { changesBetween } from '../../../vocabulary/audit.js'
import { Conflict } from '../../../vocabulary/conflict.js'
import { incidentFact } from '../../../vocabulary/events.js'
import { closedOut, refuseDismissed } from '../../../vocabulary/lifecycle.js'
import type { Actor } from '../../../vocabulary/people/actor.js'
import { isStaff } from '../../../vocabulary/people/permissions.js'
import { orNotFound, ValidationFailed } from '../../../vocabulary/validation.js'
import { Incident } from '../../model/incident.js'
import { addAutomaticEntry } from '../../model/timeline/writeEntry.js'
import { writeColumns } from '../../model/writeColumns.js'
import { joinedBy, Merge, storedState, survivorStateOf, writeSurvivor } from './survivorState.js'

/**
 * Another change merged a row between our read and our lock. All locks are released before the next
 * attempt.
 */
export class Moved extends Error {}
const attempts = 5

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
  return (await untilUnmoved(() => change(actor, merge))).survivor.id
}

/**
 * Repeats an act that locks several incidents while other changes merge them. Throws Conflict after
 * the last attempt.
 */
export async function untilUnmoved<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof Moved)) throw error
    }
  }
  throw new Conflict('changed_meanwhile')
}

/**
 * The incidents of a merge as they were before it. `brought`: the duplicates of the duplicate,
 * which move with it.
 */
type Family = { duplicate: Incident; survivor: Incident; brought: number[] }

/**
 * Merges within a change: to be committed, or tried and rolled back. Throws Moved; Conflict when a
 * rule forbids it.
 */
export async function mergeIn(
  c: Change,
  duplicateId: number,
  targetId: number,
  entry: string,
): Promise<Family & { becomesDowntime: boolean }> {
  if (duplicateId === targetId) throw new Conflict('merge_into_itself')
  const family = await lockFamily(c, duplicateId, targetId)
  const { duplicate, survivor, brought } = family
  await lockAssets(c, [duplicate.id, survivor.id])
  const { status, acknowledgedAt, resolvedAt, verifiedAt, slaBreached, slaBreachedAt } = duplicate
  const before = survivorStateOf(survivor)
  const isRunning = resolvedAt === null && survivor.resolvedAt === null
  const joining = {
    mergedAt: c.now,
    joined: isRunning && duplicate.isDowntime && duplicate.assetId === survivor.assetId,
    answered: isRunning,
  }
  const after = joinedBy(before, survivorStateOf(duplicate), joining)
  const updateId = await addAutomaticEntry(c, survivor.id, entry, duplicate.id)
  await Merge.query(c.trx).insert({
    duplicateId,
    survivorId: survivor.id,
    updateId,
    mergedBy: c.actor.id,
    brought,
    status,
    acknowledgedAt,
    resolvedAt,
    verifiedAt,
    slaBreachedAt,
    ...joining,
    ...storedState(before),
  })
  const stamps = closedOut(duplicate, c.now)
  const merged = { ...stamps, mergedIntoId: survivor.id }
  const breach = await writeColumns(c, duplicate.id, merged, true)
  await c.trx('incidents').whereIn('id', brought).update({ mergedIntoId: survivor.id })
  await copyFollowers(c, duplicate.id, survivor.id)
  const ofSurvivor = await writeSurvivor(c, survivor, after)
  await keepImpacts(c.query, [duplicate.id, survivor.id], c.now)
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
 * Locks the duplicate, its survivor and its own duplicates in id order, which prevents deadlocks.
 */
async function lockFamily(c: Change, duplicateId: number, targetId: number): Promise<Family> {
  const target = await Incident.query(c.trx).findById(targetId)
  if (!target) throw new ValidationFailed({ targetId: ['incident_unknown'] })
  const survivorId = target.mergedIntoId ?? target.id
  const brought = await mergedInto(c, duplicateId)
  const locked = await lockedInOrder(c, [duplicateId, survivorId, ...brought])
  const duplicate = orNotFound(locked.find(({ id }) => id === duplicateId))
  if (duplicate.mergedIntoId !== null)
    throw new Conflict('merge_already_merged', { mergedInto: duplicate.mergedIntoId })
  if (survivorId === duplicateId) throw new Conflict('merge_cycle')
  const survivor = locked.find(({ id }) => id === survivorId)
  const still = await mergedInto(c, duplicateId)
  if (survivor?.mergedIntoId !== null || still.length !== brought.length) throw new Moved()
  for (const one of [duplicate, survivor]) refuseDismissed(one)
  return { duplicate, survivor, brought }
}

/** Locks incidents in id order: two acts that lock several never wait for each other. */
export async function lockedInOrder(c: Change, ids: readonly number[]): Promise<Incident[]> {
  return Incident.query(c.trx)
    .findByIds([...ids])
    .orderBy('id')
    .forUpdate()
}

async function mergedInto(c: Change, id: number): Promise<number[]> {
  const rows = await Incident.query(c.trx).where({ mergedIntoId: id }).orderBy('id').select('id')
  return rows.map((row) => row.id)
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
