import type { Status } from '../domain/incidents/lifecycle.js'
import type { Severity } from '../domain/incidents/severity.js'
import type { StatusReason } from '../domain/incidents/statusReason.js'
import type { PersonKey, UnitKey } from './people.js'
import type { Picture } from './pictures.js'
import type { AssetCode } from './places.js'

/** Who reports or writes; `mobile` is the mobile app's key, whose acts are the Mobile Reporter's. */
export type Teller = PersonKey | 'mobile'

/** When a story begins: at a time of a local day, or so many hours before now. */
export type Moment = { daysAgo: number; clock: `${number}:${number}` } | { hoursAgo: number }

/** One incident of the demo, from its report on. `key` is unique and lasting: a story half told is found again by it. */
export type Story = {
  key: string
  opened: Moment
  by: Teller
  severity: Severity
  title: string
  description: string
  anonymous?: true
  photos?: readonly Picture[]
  /** In order; nothing when nobody has answered yet. */
  turns?: readonly Turn[]
} & ({ asset: AssetCode } | { unit: UnitKey })

/** A timeline entry, or the entry of an invoice; `after` in hours since the turn before. */
export type Turn = { after: number; by: Teller } & (
  | { body: string; newStatus: Status | null; photos: readonly Picture[] }
  | { cost: Cost }
  | { expected: Expected }
)

/** What is being done, and when it should be over: so many hours after now, whenever the story began. */
export type Expected = { reason: StatusReason; hoursAhead: number }

/** A repair's invoice, in pence (decision 3.8). */
export type Cost = { amountCents: number; vendor: string; invoiceRef: string; note: string }

/** A local day so many days before today, at a time of 24 hours such as `07:42`. */
export const onDay = (daysAgo: number, clock: `${number}:${number}`): Moment => ({ daysAgo, clock })

/** So many hours before now, whatever the time of day: for what may happen at any. */
export const hoursAgo = (hours: number): Moment => ({ hoursAgo: hours })

/** A comment. */
export const said = (by: Teller, after: number, body: string): Turn => ({
  after,
  by,
  body,
  newStatus: null,
  photos: [],
})

const moved =
  (newStatus: Status) =>
  (after: number, body: string, photos: readonly Picture[] = []): Turn => ({
    after,
    by: 'tomasz',
    body,
    newStatus,
    photos,
  })

/** The building manager's steps; all but the verification are his. */
export const acknowledged = moved('acknowledged')
export const started = moved('in_progress')
export const resolved = moved('resolved')

/** Somebody who uses the thing says that it works again. */
export const verified = (by: Teller, after: number, body: string): Turn => ({
  after,
  by,
  body,
  newStatus: 'verified',
  photos: [],
})

/** The manager enters an invoice. */
export const invoiced = (
  after: number,
  amountCents: number,
  vendor: string,
  invoiceRef: string,
  note: string,
): Turn => ({
  after,
  by: 'tomasz',
  cost: { amountCents, vendor, invoiceRef, note },
})

/** The manager says what is being done and when it should work again. */
export const expected = (after: number, reason: StatusReason, hoursAhead: number): Turn => ({
  after,
  by: 'tomasz',
  expected: { reason, hoursAhead },
})
