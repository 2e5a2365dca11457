import { Conflict } from '../../vocabulary/conflict.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { AlreadyDone } from './change.js'
import { madeBefore } from './idempotencyKeys.js'

/**
 * Runs a create at most once per Idempotency-Key (decisions 2.14, 6.13); repetitions within 24
 * hours get the first result: the id of what was made or, with `again`, what that makes of the id.
 * Throws KeyReused for another request. `lookFirst: false` saves the lookup on the first attempt.
 * What the same person sent in the same form within the hour is not stored again either: its result
 * is returned, and `sentBefore` of the actor's key says since when (decision 9.12).
 */
export function idempotently(actor: Actor, act: () => Promise<number>): Promise<number>
export function idempotently<T>(
  actor: Actor,
  act: () => Promise<T>,
  again: (madeId: number) => Promise<T>,
  options?: { lookFirst?: boolean },
): Promise<T>
export async function idempotently<T>(
  actor: Actor,
  act: () => Promise<T | number>,
  again = async (madeId: number): Promise<T | number> => madeId,
  { lookFirst = true } = {},
): Promise<T | number> {
  const before = lookFirst ? await madeBefore(actor) : null
  if (before !== null) return again(before)
  try {
    return await act()
  } catch (error) {
    // Its twin may have made it fail: by using up the staged photos, or by answering first.
    if (![AlreadyDone, ValidationFailed, Conflict].some((kind) => error instanceof kind)) throw error
    const winner = await madeBefore(actor)
    if (winner === null) throw error
    return again(winner)
  }
}
