import path from 'node:path'
import { type StoredPhoto, storePhotos } from '../incidents/photos/photos.js'
import { rootDir } from '../platform/ops/config.js'
import type { Status, StatusReason } from '../vocabulary/lifecycle.js'
import type { Severity } from '../vocabulary/severity.js'
import type { AssetCode, PersonKey, UnitKey } from './directory.js'

/** Who reports or writes; `mobile` is the mobile app's key, whose user is the Mobile Reporter. */
export type Teller = PersonKey | 'mobile'

/** When a story begins: at a time on a local day, or some hours before now. */
export type Moment = { daysAgo: number; clock: `${number}:${number}` } | { hoursAgo: number }

/**
 * An incident of the demo. `key` is unique and permanent: a restart finds a half-told story by it.
 */
export type Story = {
  key: string
  opened: Moment
  by: Teller
  severity: Severity
  title: string
  description: string
  anonymous?: true
  photos?: readonly Picture[]
  /** In order; none while the incident is unanswered. */
  turns?: readonly Turn[]
} & ({ asset: AssetCode } | { unit: UnitKey })

/** A timeline entry or an invoice; `after` in hours since the previous turn. */
export type Turn = { after: number; by: Teller } & (
  | { body: string; newStatus: Status | null; photos: readonly Picture[] }
  | { cost: Cost }
  | { expected: Expected }
)

/** What is being done, and its expected end in hours from now, whenever the story began. */
export type Expected = { reason: StatusReason; hoursAhead: number }

/** A repair's invoice, in pence (decision 3.8). */
export type Cost = { amountCents: number; vendor: string; invoiceRef: string; note: string }

/** On a local day, `daysAgo` before today, at a 24-hour time such as `07:42`. */
export const onDay = (daysAgo: number, clock: `${number}:${number}`): Moment => ({ daysAgo, clock })

/** Hours before now, for stories that may happen at any time of day. */
export const hoursAgo = (hours: number): Moment => ({ hoursAgo: hours })

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

/** Steps of the building manager, who does all but the verification. */
export const acknowledged = moved('acknowledged')
export const started = moved('in_progress')
export const resolved = moved('resolved')

/** `by` confirms that it works again. */
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

/** The demo's photos: each shows one moment of one story. */
export const demoPictures = [
  'liftOutOfOrder',
  'liftDoorsAjar',
  'pipeLeak',
  'ceilingLeak',
  'pumpRoom',
  'boilerGauge',
  'doorCloserBroken',
  'doorCloserFitted',
  'doorPanel',
  'gateHalfOpen',
  'flickeringLamp',
  'binsOverflowing',
  'washerLeaking',
] as const

type Picture = (typeof demoPictures)[number]

/** The folder of their JPEG files, also for the compiled program. */
export const pictureFolder = path.join(rootDir, 'src', 'demo', 'photos')

/** Stores photos of the demo through the pipeline of every upload (decision 2.12). */
export function takePhotos(names: readonly Picture[]): Promise<StoredPhoto[]> {
  return storePhotos(names.map((name) => ({ content: path.join(pictureFolder, `${name}.jpg`), name })))
}
