import type { Change } from '../../../platform/db/change.js'
import { Conflict } from '../../../vocabulary/conflict.js'
import { refuseDismissed } from '../../../vocabulary/lifecycle.js'
import { orNotFound, ValidationFailed } from '../../../vocabulary/validation.js'
import { Incident } from '../../model/incident.js'

/**
 * The incidents of a merge as they were before it. `ownDuplicates`: those of the duplicate,
 * which move with it.
 */
export type MergeFamily = { duplicate: Incident; survivor: Incident; ownDuplicates: number[] }

/**
 * Another change merged a row between our read and our lock. All locks are released before the next
 * attempt.
 */
export class FamilyChanged extends Error {}
const attempts = 5

/**
 * Repeats an act that locks several incidents while other changes merge them. Throws Conflict after
 * the last attempt.
 */
export async function retryWhileFamilyChanges<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof FamilyChanged)) throw error
    }
  }
  throw new Conflict('changed_meanwhile')
}

/**
 * Locks the duplicate, its survivor and its own duplicates in id order, which prevents deadlocks.
 */
export async function lockFamily(c: Change, duplicateId: number, targetId: number): Promise<MergeFamily> {
  const target = await Incident.query(c.trx).findById(targetId)
  if (!target) throw new ValidationFailed({ targetId: ['incident_unknown'] })
  const survivorId = target.mergedIntoId ?? target.id
  const ownDuplicates = await mergedInto(c, duplicateId)
  const locked = await lockedInOrder(c, [duplicateId, survivorId, ...ownDuplicates])
  const duplicate = orNotFound(locked.find(({ id }) => id === duplicateId))
  if (duplicate.mergedIntoId !== null)
    throw new Conflict('merge_already_merged', { mergedInto: duplicate.mergedIntoId })
  if (survivorId === duplicateId) throw new Conflict('merge_cycle')
  const survivor = locked.find(({ id }) => id === survivorId)
  const still = await mergedInto(c, duplicateId)
  if (survivor?.mergedIntoId !== null || still.length !== ownDuplicates.length) throw new FamilyChanged()
  for (const one of [duplicate, survivor]) refuseDismissed(one)
  return { duplicate, survivor, ownDuplicates }
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
