import { type Change, change } from '../../change.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { changesBetween } from '../../domain/audit/audit.js'
import { closedOut } from '../../domain/incidents/lifecycle.js'
import { impactOf } from '../../domain/status/impact.js'
import { Conflict } from '../../domain/system/conflict.js'
import { orNotFound, ValidationFailed } from '../../domain/system/validation.js'
import { incidentFact } from '../../domain/webhooks/events.js'
import { Incident } from '../../models/incidents/incident.js'
import { keepImpacts } from '../../models/status/impacts.js'
import { actorOf, carryWaiting, followByActing } from './heard.js'
import { addToTimeline } from './updateIncident.js'

/** A row was merged between the read and the lock: all locks are released before the next attempt. */
class Moved extends Error {}
const attempts = 5

/**
 * Merges a duplicate into the survivor of `targetId`; returns the survivor's id (spec §3, decision 2.5).
 * Duplicates of the duplicate are moved too. Rows lock in id order, so A into B beside B into A has one winner.
 */
export async function mergeIncidents(
  actor: Actor,
  duplicateId: number,
  targetId: number,
  entry: string,
): Promise<number> {
  if (duplicateId === targetId) throw new Conflict('merge_into_itself')
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await mergeOnce(actor, duplicateId, targetId, entry)
    } catch (error) {
      if (!(error instanceof Moved)) throw error
    }
  }
  throw new Conflict('changed_meanwhile')
}

function mergeOnce(actor: Actor, duplicateId: number, targetId: number, entry: string): Promise<number> {
  return change(actor, async (c) => {
    const { duplicate, survivor, followed } = await lockFamily(c, duplicateId, targetId)
    const stamps = closedOut(duplicate, c.now)
    await c.query(
      `update incidents set status = $2, acknowledged_at = $3, resolved_at = $4, verified_at = $5, merged_into_id = $6 where id = $1`,
      [duplicate.id, stamps.status, stamps.acknowledgedAt, stamps.resolvedAt, stamps.verifiedAt, survivor.id],
    )
    await c.query('update incidents set merged_into_id = $2 where id = any ($1)', [followed, survivor.id])
    await copyFollowers(c, duplicate.id, survivor.id)
    await followByActing(c, survivor.id, actorOf(c))
    await carryWaiting(c, duplicate.id, survivor.id)
    await handOnDowntime(c, duplicate, survivor)
    await keepImpacts(c.query, [duplicate.id, survivor.id], c.now)
    const updateId = await addToTimeline(c, survivor.id, entry, null)
    const { status, resolvedAt } = duplicate
    c.audit(
      'incident.merged',
      duplicate.id,
      changesBetween(
        { status, resolvedAt, mergedIntoId: null },
        { status: stamps.status, resolvedAt: stamps.resolvedAt, mergedIntoId: survivor.id },
      ),
    )
    c.emit({
      event: 'incident.merged',
      incident: { ...incidentFact(duplicate), status: stamps.status },
      details: { targetId: survivor.id, updateId },
    })
    c.recheckStatus(duplicate.assetId)
    c.recheckStatus(survivor.assetId)
    return survivor.id
  })
}

type Family = { duplicate: Incident; survivor: Incident; followed: number[] }

/** Locks the duplicate, its survivor and its own duplicates in id order, which prevents deadlocks. */
async function lockFamily(c: Change, duplicateId: number, targetId: number): Promise<Family> {
  const target = await Incident.query(c.trx).findById(targetId)
  if (!target) throw new ValidationFailed({ targetId: ['incident_unknown'] })
  const survivorId = target.mergedIntoId ?? target.id
  const followed = await mergedInto(c, duplicateId)
  const locked = await Incident.query(c.trx)
    .findByIds([duplicateId, survivorId, ...followed])
    .orderBy('id')
    .forUpdate()
  const duplicate = orNotFound(locked.find(({ id }) => id === duplicateId))
  if (duplicate.mergedIntoId !== null)
    throw new Conflict('merge_already_merged', { mergedInto: duplicate.mergedIntoId })
  if (survivorId === duplicateId) throw new Conflict('merge_cycle')
  const survivor = locked.find(({ id }) => id === survivorId)
  const still = await mergedInto(c, duplicateId)
  if (survivor?.mergedIntoId !== null || still.length !== followed.length) throw new Moved()
  return { duplicate, survivor, followed }
}

async function mergedInto(c: Change, id: number): Promise<number[]> {
  const rows = await c.query<{ id: number }>(
    'select id from incidents where merged_into_id = $1 order by id',
    [id],
  )
  return rows.map((row) => row.id)
}

/** Also its reporter, but nobody who unfollowed one of the two (decision 7.2). */
async function copyFollowers(c: Change, from: number, to: number): Promise<void> {
  await c.query(
    `insert into followers (incident_id, user_id, created_at)
     select $2::integer, p.user_id, $3::timestamptz from (
       select user_id from followers where incident_id = $1
       union select reporter_id from incidents where id = $1 and reporter_id is not null
     ) p where not exists (select from unfollows u where u.incident_id in ($1, $2) and u.user_id = p.user_id)
     on conflict do nothing`,
    [from, to, c.now],
  )
}

/**
 * Unresolved downtime merged into an unresolved incident of the same asset makes that one downtime from the merge
 * on (decision 2.5): the asset is still down, and no earlier second changes.
 */
async function handOnDowntime(c: Change, duplicate: Incident, survivor: Incident): Promise<void> {
  if (impactOf(duplicate) !== 'down' || impactOf(survivor) === 'down') return
  if (survivor.resolvedAt !== null || duplicate.assetId !== survivor.assetId) return
  const { isDowntime, downtimeStartedAt } = survivor
  const after = { isDowntime: true, downtimeStartedAt: c.now }
  await survivor.$query(c.trx).patch(after)
  c.audit('incident.edited', survivor.id, changesBetween({ isDowntime, downtimeStartedAt }, after))
}
