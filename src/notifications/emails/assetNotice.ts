import type { AssetStatus } from '../../vocabulary/assetStatus.js'
import type { Recurrence } from '../../vocabulary/time/recurrence.js'

/**
 * What happened to planned work: `skipped`: one date of a series; `ahead` the day before an
 * occurrence, `done` after it.
 */
const workNews = ['new', 'moved', 'skipped', 'cancelled', 'ahead', 'done'] as const
export type WorkNews = (typeof workNews)[number]

/**
 * One occurrence of planned work, as its followers read of it; times in ISO 8601. `date`: for news
 * of this occurrence alone.
 */
export type PlannedWork = {
  windowId: number
  date?: string
  title: string
  recurrence: Recurrence
  startsAt: string
  endsAt: string
}

/**
 * What followers of an asset read of it. `down`: whether it went out of service, or came
 * back; null when neither. `expected`: when it is to be back, `expectedChanged` whether that is
 * news.
 */
export type AssetNotice = {
  assetId: number
  name: string
  tower: string
  status: AssetStatus
  down: boolean | null
  expected: string | null
  expectedChanged: boolean
  reason: string | null
  work: (PlannedWork & { what: WorkNews })[] | null
}

/** The payload of `asset.news`; `followed` is what its reader follows, joined by commas. */
export type AssetNews = { followed: string; notices: AssetNotice[] }
