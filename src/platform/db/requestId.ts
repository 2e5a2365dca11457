import type { Actor } from '../../vocabulary/people/actor.js'
import type { Bind } from './statement.js'

/**
 * Rows of the outbox get the id of the request behind them by a default of their column, which
 * reads this setting of the transaction. As a further command of the text that begins it; ids of
 * ours only, so that nothing is to be quoted.
 */
export function namingRequest({ requestId = '' }: Actor): string {
  return /^[\w-]{1,64}$/.test(requestId) ? `; set local caretaker.request_id = '${requestId}'` : ''
}

/**
 * The same within one statement, as a relation of one row: joined, it is set before the first
 * joined row is written.
 */
export function requestNamed(bind: Bind, { requestId = '' }: Actor): string {
  return `select set_config('caretaker.request_id', ${bind(requestId)}, true)`
}
