/** Why an email or push does not get through; pages say each in words of their own. */
export const deliveryReasons = [
  'connection_refused',
  'name_not_found',
  'no_answer',
  'connection_lost',
  'certificate_not_trusted',
  'no_encryption',
  'sign_in_refused',
  'sender_refused',
  'refused_for_now',
  'refused',
  'folder',
  'not_confirmed',
  'stopping',
  'internal',
  'other',
] as const
export type DeliveryReason = (typeof deliveryReasons)[number]

/** The codes that the outbox keeps, by what they start with or contain. */
const codes: [RegExp, DeliveryReason][] = [
  [/not confirmed/, 'not_confirmed'],
  [/connection refused/, 'connection_refused'],
  [/name not found/, 'name_not_found'],
  [/no answer|timeout/, 'no_answer'],
  [/connection lost|unreachable/, 'connection_lost'],
  [/certificate not trusted/, 'certificate_not_trusted'],
  [/without TLS|encryption failed/, 'no_encryption'],
  [/sign-in|^push 40[13]/, 'sign_in_refused'],
  [/sender refused/, 'sender_refused'],
  [/^smtp 4|^push (4(08|29)|5)/, 'refused_for_now'],
  [/^(smtp|push) [45]/, 'refused'],
  [/^outbox folder/, 'folder'],
  // Of rows that version 1.0.0 wrote.
  [/stopped half-way/, 'stopping'],
  [/^(internal error|never finished)/, 'internal'],
]

/** The reason behind a code of the outbox. */
export function reasonOf(code: string): DeliveryReason {
  return codes.find(([pattern]) => pattern.test(code))?.[1] ?? 'other'
}

/** Seconds of failing attempts without one success until the office and monitors are told. */
export const failingAfter = 300

/** An email or push waiting in the outbox, claimed for one attempt. */
export type OutboxMessage = {
  id: number
  kind: 'mail' | 'push'
  event: string
  /** The account it is for. */
  recipientId: number | null
  /** The person without an account it is for, by email address. */
  emailFollowerId: number | null
  /** The contact of the office it is for. */
  contactId: number | null
  incidentId: number | null
  payload: Record<string, unknown>
  createdAt: Date
  /** The request that caused it, for logs. */
  requestId: string | null
  /** Including this one. */
  attempts: number
}

/** What was gathered in one message, each as if it were alone, in the order it happened. */
export function partsOf(message: OutboxMessage): OutboxMessage[] {
  const { more = [], ...payload } = message.payload as { more?: { incidentId: number }[] }
  const others = more.map((part) => ({ ...message, incidentId: part.incidentId, payload: part }))
  return [{ ...message, payload }, ...others]
}

/** One message of these parts; null of none. */
export function gatherMessages(parts: readonly OutboxMessage[]): OutboxMessage | null {
  const [first, ...others] = parts
  if (!first) return null
  const more = others.map(({ incidentId, payload }) => ({ ...payload, incidentId }))
  return { ...first, payload: { ...first.payload, ...(more.length > 0 ? { more } : {}) } }
}

/**
 * `unconfirmed`: handed over, and the other side never answered; it may have arrived, so it counts
 * as sent. `dropped`: no recipient is left. `failed`: for good, staff should know. `retry`: may
 * work later, not before `after` seconds. `heldBack`: by a limit of ours (decision 7.4), for
 * `seconds`. `why`: a code, no outside text. `answer`: what the other side said, for the log alone.
 */
export type DeliveryOutcome =
  | { as: 'sent' }
  | { as: 'unconfirmed'; why: string }
  // Not handed over, because this process stops: another may start at once.
  | { as: 'unsent' }
  | { as: 'dropped'; why: string }
  | { as: 'failed'; why: string; answer?: string | undefined }
  | { as: 'retry'; why: string; answer?: string | undefined; after?: number | undefined }
  | { as: 'heldBack'; why: string; seconds: number | 'dropped' }

/** The outcome of a message that need not be sent; it is no failure. */
export function dropped(why: string): DeliveryOutcome {
  return { as: 'dropped', why }
}

/**
 * Notes durably that a message is about to be handed over, and that the answer is waited for up to
 * `seconds`: a process that dies after it leaves the message unconfirmed, not to be sent again.
 * False when it must not be handed over: another process has it, or sending was paused.
 */
export type NoteHandOver = (seconds: number) => Promise<boolean>

/** `stop` cuts an attempt short. */
export type Attempt = { stop?: AbortSignal | undefined; noteHandOver?: NoteHandOver }

/** Makes one attempt. Throwing counts as `retry`. */
export type Deliver = (message: OutboxMessage, attempt?: Attempt) => Promise<DeliveryOutcome>

/** Seconds between attempts; the longest is 8 hours: an email server may be down overnight. */
const waits = [60, 300, 1_800, 7_200, 28_800]

/** The first attempt, and one after each wait. */
export const maxAttempts = waits.length + 1

/** Longest wait honoured when a receiver asks for one, in seconds. */
const longestRequested = 3_600

/**
 * Seconds to the next attempt, after `attempts`; `requested` can only lengthen them. Null: give up.
 */
export function nextAttempt(attempts: number, requested = 0): number | null {
  const wait = waits[attempts - 1]
  return wait === undefined ? null : Math.max(wait, Math.min(requested, longestRequested))
}

/**
 * A finished email to one person, who without an account has no name. Ids are in angle brackets;
 * `headers` are written as they stand.
 */
export type Email = {
  /** The building's name: who people see it is from. */
  fromName: string
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  messageId: string
  date: Date
  replyTo: string | null
  inReplyTo: string | null
  headers: Record<string, string>
  /** Paths of stored photos that go with it, reduced. */
  photos?: readonly string[]
}
