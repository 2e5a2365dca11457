/** Why a mail or push does not get through; pages say each in words of their own. */
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
  'stopping',
  'internal',
  'other',
] as const
export type DeliveryReason = (typeof deliveryReasons)[number]

/** The codes that the outbox keeps, by what they begin with or contain. */
const codes: [RegExp, DeliveryReason][] = [
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
  [/stopped half-way/, 'stopping'],
  [/^(internal error|never finished)/, 'internal'],
]

/** The reason behind a code of the outbox. */
export function reasonOf(code: string): DeliveryReason {
  return codes.find(([pattern]) => pattern.test(code))?.[1] ?? 'other'
}

/** Seconds of failing attempts without one success until the office and monitors are told. */
export const failingAfter = 300
