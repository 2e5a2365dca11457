import { AlreadyDone, keyIs, keyStillCounts, statement } from '../../change.js'
import { query } from '../../database.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { KeyReused, ValidationFailed } from '../../domain/system/validation.js'

/**
 * Runs a create at most once for the caller's Idempotency-Key (decisions 2.14, 6.13): a repetition within 24 hours
 * answers with what the first one made, whether it came before, after or at the same time. Throws KeyReused when the
 * key came with another request. `lookFirst` false is for an act that costs a repetition little: the key itself refuses
 * to be stored twice, so the first time, which nearly all are, saves a round trip.
 */
export async function idempotently<T>(
  actor: Actor,
  act: () => Promise<T>,
  again: (madeId: number) => Promise<T>,
  { lookFirst = true } = {},
): Promise<T> {
  const before = lookFirst ? await madeBefore(actor) : null
  if (before !== null) return again(before)
  try {
    return await act()
  } catch (error) {
    // Of two at once the later may also find what it needs used up: by its twin, whose answer is then its own.
    if (!(error instanceof AlreadyDone || error instanceof ValidationFailed)) throw error
    const winner = await madeBefore(actor)
    if (winner === null) throw error
    return again(winner)
  }
}

async function madeBefore(actor: Actor): Promise<number | null> {
  if (!actor.idempotency) return null
  const { text, values } = statement(
    (bind) =>
      `select digest, made_id as "madeId" from idempotency_keys where ${keyIs(bind, actor)} and ${keyStillCounts}`,
  )
  const [row] = await query<{ digest: string; madeId: number }>(text, values)
  if (row && row.digest !== actor.idempotency.digest) throw new KeyReused()
  return row?.madeId ?? null
}
