import type { AssetStatus } from '../../vocabulary/assetStatus.js'
import type { Severity } from '../../vocabulary/severity.js'
import type { OverdueIncidents } from './overdueIncidents.js'

/** Hours, or a number of incidents, in the week of the digest and in the week before it. */
export type TwoWeeks = { thisWeek: number; weekBefore: number }

/** Contents of the weekly digest (spec §4 rule 6). Instants are ISO 8601 in UTC. */
export type Digest = {
  from: string
  to: string
  /**
   * Downtime in hours, counted as for uptime; `status` is the live one, `back` what is expected. In
   * display order.
   */
  towers: {
    name: string
    hours: TwoWeeks
    assets: { id: number; name: string; status: AssetStatus; back?: string; hours: TwoWeeks }[]
  }[]
  counts: { created: TwoWeeks; resolved: TwoWeeks; verified: TwoWeeks }
  /**
   * How many incidents wait, and those that have waited longest.
   */
  unacknowledged: {
    total: number
    oldest: { id: number; title: string; severity: Severity; createdAt: string; where: string }[]
  }
  /**
   * What was to be back or done by now and is not, longest first. Missing in digests of version
   * 1.0.0 that wait in the outbox.
   */
  passed?: OverdueIncidents
  /** Planned work ahead, soonest first. */
  maintenance: { title: string; assetName: string; towerName: string; startsAt: string; endsAt: string }[]
}
