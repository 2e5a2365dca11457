import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import { query } from '../db/database.js'
import { type Bind, statement } from '../db/statement.js'

/*
 * A message is a row of the outbox, in one of eight states. Until it leaves, `sent_at`, `failed_at`
 * and `confirm_by` are null:
 *
 * | state     | next_attempt_at  | last_error                            |
 * |-----------|------------------|---------------------------------------|
 * | due       | past             | null, or why the last attempt failed  |
 * | claimed   | end of its lease | the same; the claim counts an attempt |
 * | postponed | to come          | why: a failure, or a limit            |
 */

/*
 * | state afterwards | sent_at | failed_at | confirm_by | last_error |
 * |------------------|---------|-----------|------------|------------|
 * | handed over      | set     | null      | to come    | null       |
 * | not confirmed    | set     | null      | past       | null       |
 * | sent             | set     | null      | null       | null       |
 * | dropped          | set     | null      | null       | why        |
 * | given up         | null    | set       | null       | why        |
 */

/**
 * Due → claimed, for `lease` seconds, after which it is due again: oldest first, and counts an
 * attempt. Two processes never claim the same row; while sending is paused, none is claimed.
 */
export async function claimMessages(
  kind: OutboxMessage['kind'],
  { most, lease }: { most: number; lease: number },
): Promise<OutboxMessage[]> {
  const rows = await query<OutboxMessage>(
    `update outbox set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $3)
     where id in (
       select id from outbox
       where sent_at is null and failed_at is null and next_attempt_at <= now() and kind = $1
         and sending_is_on()
       order by next_attempt_at, id limit $2
       for update skip locked
     )
     returning id, kind, event, recipient_id, email_follower_id, contact_id, incident_id, payload, created_at,
       attempts, request_id`,
    [kind, most, lease],
  )
  return rows.sort((a, b) => a.id - b.id)
}

/**
 * Any state before the end → sent, or dropped because no one wants it (`note`). Also valid after
 * the lease expired, for a row that was handed over or not confirmed, and for one given up
 * meanwhile.
 */
export async function finishMessage(id: number, note: string | null): Promise<void> {
  await query(
    `update outbox o set sent_at = now(), confirm_by = null, failed_at = null, last_error = $2
     where id = $1 and (sent_at is null or confirm_by is not null)`,
    [id, note],
  )
}

/**
 * Changes claimed rows `o`, but none that is done or of which a later attempt has started, nor any
 * that does not meet the condition. Whether any was changed.
 */
async function updateClaimed(
  messages: readonly OutboxMessage[],
  changes: (bind: Bind) => string,
  condition = 'true',
): Promise<boolean> {
  const { text, values } = statement((bind) => {
    const ids = messages.map(({ id }) => id)
    const attempts = messages.map(({ attempts }) => attempts)
    return `update outbox o set ${changes(bind)}
     from unnest(${bind(ids)}::bigint[], ${bind(attempts)}::integer[]) as r (id, attempts)
     where o.id = r.id and o.attempts = r.attempts and (o.sent_at is null or o.confirm_by is not null)
       and o.failed_at is null and ${condition}
     returning o.id`
  })
  return (await query(text, values)).length > 0
}

/** Of a row with a lease, read in the statement that starts or hands it over: it may leave now. */
const mayLeave = `o.next_attempt_at > now()
  and sending_is_on()`
/** Of a row that may have been noted as handed over. */
const clearSent = 'sent_at = null, confirm_by = null'
const dueIn = (seconds: string) => `next_attempt_at = now() + make_interval(secs => ${seconds})`

/**
 * Claimed, handed over → given up, which staff see, unless a later attempt has started after the
 * lease expired.
 */
export async function failMessage(message: OutboxMessage, why: string): Promise<void> {
  await updateClaimed([message], (bind) => `${clearSent}, failed_at = now(), last_error = ${bind(why)}`)
}

/** Claimed, handed over → postponed for `seconds`, unless a later attempt has started. */
export async function postponeMessage(message: OutboxMessage, seconds: number, why: string): Promise<void> {
  await updateClaimed(
    [message],
    (bind) => `${clearSent}, ${dueIn(bind(seconds))}, last_error = ${bind(why)},
       failing_since = coalesce(o.failing_since, now())`,
  )
}

/**
 * Claimed → begun: still claimed, and the lease lasts `seconds` from now. False when it may not be
 * begun: sending was paused since, or the lease has run out.
 */
export function beginMessage(message: OutboxMessage, seconds: number): Promise<boolean> {
  return updateClaimed([message], (bind) => dueIn(bind(seconds)), mayLeave)
}

/**
 * Claimed → handed over: notes that this is about to happen, and that the answer is waited for up
 * to `seconds`. From now on it counts as sent, so that nothing has to be recovered should this
 * process die: no process claims it again, not even one of an older release. False when it must not
 * be handed over: the lease has run out, or sending was paused.
 */
export function noteHandOver(message: OutboxMessage, seconds: number): Promise<boolean> {
  return updateClaimed(
    [message],
    (bind) =>
      `sent_at = now(), last_error = null, confirm_by = now() + make_interval(secs => ${bind(seconds)})`,
    mayLeave,
  )
}

/** Claimed, handed over → not confirmed, which staff see: no answer is waited for any more. */
export async function leaveUnconfirmed(message: OutboxMessage): Promise<void> {
  await updateClaimed(
    [message],
    () => 'sent_at = coalesce(o.sent_at, now()), last_error = null, confirm_by = now()',
  )
}

/** Claimed → claimed: lengthens the lease of rows that this process has to `seconds` from now. */
export async function renewMessages(messages: readonly OutboxMessage[], seconds: number): Promise<void> {
  await updateClaimed(messages, (bind) => dueIn(bind(seconds)), 'o.next_attempt_at > now()')
}

/**
 * Claimed, handed over → due: gives rows back untried, any process may send them at once. Without
 * their keys: other rows may be gathering under them by now.
 */
export async function releaseMessages(messages: readonly OutboxMessage[]): Promise<void> {
  await updateClaimed(
    messages,
    () => `${clearSent}, attempts = o.attempts - 1, next_attempt_at = now(), gather_key = null`,
  )
}

/** Changes of a row that a limit of ours kept back: the attempt does not count. */
const heldBack = (why: string) =>
  `held_back_at = coalesce(o.held_back_at, now()), attempts = o.attempts - 1, last_error = ${why}`

/**
 * Claimed → postponed for `seconds`, because of a limit. It goes on gathering, unless another row
 * has started to.
 */
export async function holdBackMessage(message: OutboxMessage, seconds: number, why: string): Promise<void> {
  await updateClaimed(
    [message],
    (bind) => `${heldBack(bind(why))}, sent_at = null, ${dueIn(bind(seconds))},
       gather_key = case when not exists (
         select from outbox n where n.gather_key = o.gather_key and n.attempts = 0 and n.sent_at is null
           and n.failed_at is null
       ) then o.gather_key end`,
  )
}

/** Claimed → dropped, because of a limit that would hold it back for too long. */
export async function dropHeldBackMessage(message: OutboxMessage, why: string): Promise<void> {
  await updateClaimed([message], (bind) => `${heldBack(bind(why))}, sent_at = now()`)
}
