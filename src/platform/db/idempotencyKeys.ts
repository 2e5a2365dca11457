import type { Actor } from '../../vocabulary/people/actor.js'
import { KeyReused } from '../../vocabulary/validation.js'
import { query } from './database.js'
import { type Bind, statement } from './statement.js'

/** The owner of an Idempotency-Key (decision 6.13). */
const keyOwner = (actor: Actor) => `${actor.type}:${actor.id ?? actor.via}`

/** Whether a row of `idempotency_keys` is still valid (decision 2.14). */
const keyStillCounts = `created_at > now() - interval '24 hours'`

/** Whether a row of `idempotency_keys` still asks before the same form is stored again. */
const formStillCounts = `created_at > now() - interval '1 hour'`

/**
 * Steps of one SQL statement, by their names in it, which store the id made under this request's
 * key: an expired row of the key is deleted and what another key's form said an hour ago is cleared
 * before, so that both can be stored again. Steps run in any order; the last one counts the rows of
 * the others, so that it has to wait for them. It fails on the primary key when a twin request was
 * first.
 */
export const storeKeySteps = (bind: Bind, actor: Actor, madeId: number | null): Record<string, string> => ({
  expired_key_deleted: `
    delete from idempotency_keys where ${keyIs(bind, actor)} and not (${keyStillCounts}) returning 1`,
  expired_form_cleared: `
    update idempotency_keys set form = null
    where ${formIs(bind, actor)} and not (${keyIs(bind, actor)}) and not (${formStillCounts}) returning 1`,
  key_stored: `
    insert into idempotency_keys (caller, key, digest, form, made_id)
    select ${bind(keyOwner(actor))}, ${bind(actor.idempotency!.key)}, ${bind(actor.idempotency!.digest)},
      ${bind(actor.idempotency!.form ?? null)}::text, ${bind(madeId)}::integer
    from (select count(*) from expired_key_deleted) as keys,
      (select count(*) from expired_form_cleared) as forms`,
})

/** The row of this request's key. */
const keyIs = (bind: Bind, actor: Actor) =>
  `caller = ${bind(keyOwner(actor))} and key = ${bind(actor.idempotency!.key)}`

/** The row of the form that says the same. */
const formIs = (bind: Bind, actor: Actor) =>
  `caller = ${bind(keyOwner(actor))} and form = ${bind(actor.idempotency!.form ?? null)}::text`

/**
 * The id made under this request's key or, within the hour, by the same form, which `sentBefore` of
 * the actor's key then dates; null when there is none. Throws KeyReused for a key of another
 * request.
 */
export async function madeBefore(actor: Actor): Promise<number | null> {
  const { idempotency } = actor
  if (!idempotency) return null
  const { text, values } = statement(
    (bind) => `
     select digest, made_id, created_at as sent_at, key = ${bind(idempotency.key)} as is_own_key
     from idempotency_keys
     where ${keyIs(bind, actor)} and ${keyStillCounts} or ${formIs(bind, actor)} and ${formStillCounts}`,
  )
  const rows = await query<{ digest: string; madeId: number; sentAt: Date; isOwnKey: boolean }>(text, values)
  const own = rows.find(({ isOwnKey }) => isOwnKey)
  if (own && own.digest !== idempotency.digest) throw new KeyReused()
  if (own) return own.madeId
  const [same] = rows
  if (same) idempotency.sentBefore = same.sentAt
  return same?.madeId ?? null
}
