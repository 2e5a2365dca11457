import type { Actor } from '../../domain/accounts/actor.js'
import { Conflict } from '../../domain/system/conflict.js'
import { NotFound, ValidationFailed } from '../../domain/system/validation.js'
import { editIncident } from './editIncident.js'
import { updateIncident } from './updateIncident.js'

/** What became of each: `skipped` says why, as a code of the catalogue's problems. */
export type ManyResult = { done: number[]; skipped: { id: number; code: string }[] }

/** At most so many at once: what a person can have looked at. */
export const mostAtOnce = 100

/** Acknowledges each that is still open; each is a change of its own, with its own entry, event and mails. */
export function acknowledgeIncidents(
  actor: Actor,
  ids: readonly number[],
  words: string,
): Promise<ManyResult> {
  return each(ids, (id) =>
    updateIncident(actor, id, { body: words, newStatus: 'acknowledged', onlyFrom: 'open' }),
  )
}

/** Gives each the same place; throws Invalid, and nothing is stored, when the place is none. */
export async function assignIncidents(
  actor: Actor,
  ids: readonly number[],
  place: { assetId: number } | { unitId: number },
): Promise<ManyResult> {
  return each(ids, (id) => editIncident(actor, id, place))
}

/**
 * Does it to each, one after the other: two who do the same at once meet at each row, not in a deadlock. What a rule
 * refuses is skipped; Invalid is thrown while nothing is done yet.
 */
export async function each(
  ids: readonly number[],
  act: (id: number) => Promise<unknown>,
): Promise<ManyResult> {
  const result: ManyResult = { done: [], skipped: [] }
  for (const id of ids) {
    try {
      await act(id)
      result.done.push(id)
    } catch (error) {
      if (error instanceof Conflict) result.skipped.push({ id, code: error.code })
      else if (error instanceof NotFound) result.skipped.push({ id, code: 'not_found' })
      else if (error instanceof ValidationFailed && result.done.length > 0)
        result.skipped.push({ id, code: 'invalid' })
      else throw error
    }
  }
  return result
}
