import type { AssetStatus } from '../../vocabulary/assetStatus.js'
import type { IncidentRow } from '../queries/status.js'

/** The unresolved incidents that make an asset down or degraded (decision 3.1); none in any other state. */
function causesOf(status: AssetStatus, open: readonly IncidentRow[]): IncidentRow[] {
  return open.filter(({ impact }) => impact === status)
}

/**
 * The main cause: the one expected to last longest, because the asset is not back before; else one with a
 * reason, else the oldest.
 */
export function causeOf(status: AssetStatus, open: readonly IncidentRow[]): IncidentRow | null {
  const causes = causesOf(status, open).toSorted(
    (a, b) =>
      (b.expectedBackAt ?? 0) - (a.expectedBackAt ?? 0) ||
      Number(b.statusReason !== null) - Number(a.statusReason !== null) ||
      a.id - b.id,
  )
  return causes[0] ?? null
}

const unusable = new Set(['high', 'critical'])

/**
 * The ids of reports that say that an asset cannot be used and that nobody of the office has seen (decision 7.17); none
 * where the office knows already that it is out of service.
 */
export function unconfirmed(status: AssetStatus, open: readonly IncidentRow[]): number[] {
  if (status === 'down' && causesOf(status, open).some(({ unseen }) => !unseen)) return []
  return open.filter(({ unseen, severity }) => unseen && unusable.has(severity)).map(({ id }) => id)
}

/** The next instant (epoch ms) when an expected end of an open incident is missed; Infinity without any. */
export function nextExpected(open: readonly IncidentRow[], now: number): number {
  return Math.min(
    ...open.map(({ expectedBackAt }) => expectedBackAt ?? Infinity).filter((at) => at > now),
    Infinity,
  )
}
