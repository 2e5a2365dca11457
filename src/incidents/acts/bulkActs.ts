import { change } from '../../platform/db/change.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { NotFound, orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { Incident } from '../model/incident.js'
import type { BulkResult } from '../model/json/bulkResultJson.js'
import { markAnswered } from '../model/unanswered.js'
import { acknowledgeIncident } from './oneTapActs.js'

/**
 * Acknowledges each incident that is open: each a separate change with its own entry and event; a
 * person gets one email.
 */
export function acknowledgeIncidents(
  actor: Actor,
  ids: readonly number[],
  words: string,
): Promise<BulkResult> {
  const by: Actor = ids.length > 1 ? { ...actor, inBulk: true } : actor
  return inSequence(ids, (id) => acknowledgeIncident(by, id, words))
}

/**
 * The ids of the newest entry, and of the newest note of an assignee outside the building, that
 * someone has read; null: all there is.
 */
export type NewestRead = { upTo: number | null; upToNote: number | null }

/**
 * Marks words of residents and assignees and what came back as read, without an answer (decision
 * 7.2). An incident with later words stays, as `newer_word`.
 */
export function markRead(
  actor: Actor,
  ids: readonly number[],
  { upTo, upToNote }: NewestRead,
): Promise<BulkResult> {
  return inSequence(ids, (id) =>
    change(actor, async (c) => {
      const incident = orNotFound(await Incident.locked(c.trx, id))
      refuseMerged(incident)
      if (!incident.reopenedAt && !incident.unansweredSince) return c.noop()
      const newer = await c.query(
        `select from timeline_entries
         where incident_id = $1 and id > $2::integer and is_by_someone_else
         union all
         select from internal_notes
         where incident_id = $1 and id > $3::integer and author_id is null
         limit 1`,
        [id, upTo, upToNote],
      )
      if (newer.length > 0) throw new Conflict('newer_word')
      await markAnswered(c, id)
      c.audit('incident.seen', id)
    }),
  )
}

/** The notice of a page that did something to several records, and is not the desk. */
export function bulkNotice<All extends string>(
  { done, skipped }: BulkResult,
  all: All,
): All | 'someDone' | 'noneDone' {
  if (done.length === 0) return 'noneDone'
  return skipped.length > 0 ? 'someDone' : all
}

/**
 * Runs `act` on each id in sequence, which avoids deadlocks between two such requests. Skips ids
 * that a rule refuses; throws ValidationFailed only while nothing is done.
 */
export async function inSequence(
  ids: readonly number[],
  act: (id: number) => Promise<unknown>,
): Promise<BulkResult> {
  const result: BulkResult = { done: [], skipped: [] }
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
