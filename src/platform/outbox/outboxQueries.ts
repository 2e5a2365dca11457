import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import { query } from '../db/database.js'
import { type Bind, statement } from '../db/statement.js'

/*
 * A message is a row of the outbox. Until it leaves, `sent_at` and `failed_at` are empty, and
 * `next_attempt_at` says when it can be claimed: it is due (a past time), claimed or begun (the end
 * of its lease), or waits to be tried again or for a limit (a later time, and why in `last_error`).
 * A claim counts an attempt.
 */

/*
 * Afterwards `sent_at` is set. It is handed over while `confirm_by` is to come, not confirmed when
 * that has passed, and sent without it; or it was dropped, with the reason in `last_error`. Given
 * up, it has `failed_at`.
 */

/**
 * Claims due rows, oldest first, and counts an attempt. The claim is a lease: it expires after
 * `lease` seconds, and the row is due again. Two processes never claim the same row; while sending
 * is paused, none is claimed.
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
 * Sent, or dropped because no one wants it (`note`). Also valid after the lease expired, and for a
 * sent row whose answer is waited for or never came.
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

/** Gives a row up, which staff see, unless a later attempt has started after the lease expired. */
export async function failMessage(message: OutboxMessage, why: string): Promise<void> {
  await updateClaimed([message], (bind) => `${clearSent}, failed_at = now(), last_error = ${bind(why)}`)
}

/** Makes the row due again in `seconds`, unless a later attempt has started. */
export async function postponeMessage(message: OutboxMessage, seconds: number, why: string): Promise<void> {
  await updateClaimed(
    [message],
    (bind) => `${clearSent}, ${dueIn(bind(seconds))}, last_error = ${bind(why)},
       failing_since = coalesce(o.failing_since, now())`,
  )
}

/**
 * Starts a claimed row, whose lease then lasts `seconds` from now. False when it may not be begun:
 * sending was paused since, or the lease has run out.
 */
export function beginMessage(message: OutboxMessage, seconds: number): Promise<boolean> {
  return updateClaimed([message], (bind) => dueIn(bind(seconds)), mayLeave)
}

/**
 * Notes that a claimed row is about to be handed over, and that the answer is waited for up to
 * `seconds`. From now on it counts as sent, so that nothing has to be recovered should this process
 * die: no process claims it again, not even one of an older release. False when it must not be
 * handed over: the lease has run out, or sending was paused.
 */
export function noteHandOver(message: OutboxMessage, seconds: number): Promise<boolean> {
  return updateClaimed(
    [message],
    (bind) =>
      `sent_at = now(), last_error = null, confirm_by = now() + make_interval(secs => ${bind(seconds)})`,
    mayLeave,
  )
}

/** The row was handed over and no answer is waited for any more: staff see it as not confirmed. */
export async function leaveUnconfirmed(message: OutboxMessage): Promise<void> {
  await updateClaimed(
    [message],
    () => 'sent_at = coalesce(o.sent_at, now()), last_error = null, confirm_by = now()',
  )
}

/** Lengthens the lease of rows that this process has to `seconds` from now. */
export async function renewMessages(messages: readonly OutboxMessage[], seconds: number): Promise<void> {
  await updateClaimed(messages, (bind) => dueIn(bind(seconds)), 'o.next_attempt_at > now()')
}

/**
 * Gives claimed rows back untried: any process may send them at once. Without their keys: other
 * rows may be gathering under them by now.
 */
export async function releaseMessages(messages: readonly OutboxMessage[]): Promise<void> {
  await updateClaimed(
    messages,
    () => `${clearSent}, attempts = o.attempts - 1, next_attempt_at = now(), gather_key = null`,
  )
}

/**
 * Keeps the row for `seconds`, or drops it, because of a limit: it counts as no attempt. It goes on
 * gathering, unless another row has started to.
 */
export async function holdBackMessage(
  message: OutboxMessage,
  seconds: number | 'dropped',
  why: string,
): Promise<void> {
  const isDropped = seconds === 'dropped'
  await updateClaimed(
    [message],
    (bind) => `held_back_at = coalesce(o.held_back_at, now()), attempts = o.attempts - 1,
       last_error = ${bind(why)}, sent_at = ${isDropped ? 'now()' : 'null'},
       ${dueIn(bind(isDropped ? 0 : seconds))},
       gather_key = case when not exists (
         select from outbox n where n.gather_key = o.gather_key and n.attempts = 0 and n.sent_at is null
           and n.failed_at is null
       ) then o.gather_key end`,
  )
}
