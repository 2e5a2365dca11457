import type { Actor } from '../domain/accounts/actor.js'
import type { Bind, EffectStatement } from './statement.js'

/** Who an Idempotency-Key belongs to (decision 6.13). */
export const keyOwner = (actor: Actor) => `${actor.type}:${actor.id ?? actor.via}`

/** SQL: whether a row of `idempotency_keys` still counts (decision 2.14). */
export const keyStillCounts = `created_at > now() - interval '24 hours'`

/** Forgets an older use of this request's key, which the next part takes the place of. */
export const forgetOldKey: EffectStatement = (bind, _subject, actor) => `
  delete from idempotency_keys where ${keyIs(bind, actor)} and not (${keyStillCounts})`

/** Remembers what the key made: one row, else the key would be there twice. Fails when somebody was quicker with it. */
export const rememberKey: EffectStatement = (bind, { from, id }, actor) => `
  insert into idempotency_keys (caller, key, digest, made_id)
  select ${bind(keyOwner(actor))}, ${bind(actor.idempotency!.key)}, ${bind(actor.idempotency!.digest)}, ${id} from ${from}`

/** SQL: the row of this request's key. */
export const keyIs = (bind: Bind, actor: Actor) =>
  `caller = ${bind(keyOwner(actor))} and key = ${bind(actor.idempotency!.key)}`
