import type { Actor } from '../../vocabulary/people/actor.js'
import type { Bind } from './statement.js'

/** The owner of an Idempotency-Key (decision 6.13). */
const keyOwner = (actor: Actor) => `${actor.type}:${actor.id ?? actor.via}`

/** SQL: whether a row of `idempotency_keys` is still valid (decision 2.14). */
export const keyStillCounts = `created_at > now() - interval '24 hours'`

/** SQL: deletes an expired row of this request's key, so that the key can be stored again. */
export const forgetOldKey = (bind: Bind, actor: Actor) => `
  delete from idempotency_keys where ${keyIs(bind, actor)} and not (${keyStillCounts})`

/**
 * SQL: stores the id made under the key; `rest` follows the selected values. Fails on the primary
 * key when a twin request was first.
 */
export const rememberKey = (bind: Bind, actor: Actor, id: string, rest = '') => `
  insert into idempotency_keys (caller, key, digest, made_id)
  select ${bind(keyOwner(actor))}, ${bind(actor.idempotency!.key)}, ${bind(actor.idempotency!.digest)}, ${id} ${rest}`

/** SQL: the row of this request's key. */
export const keyIs = (bind: Bind, actor: Actor) =>
  `caller = ${bind(keyOwner(actor))} and key = ${bind(actor.idempotency!.key)}`
