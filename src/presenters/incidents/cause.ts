import type { AssetStatus } from '../../domain/status/assetStatus.js'
import type { IncidentRow } from '../../models/status/status.js'

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

/** The next instant (epoch ms) when an expected end of an open incident is missed; Infinity without any. */
export function nextExpected(open: readonly IncidentRow[], now: number): number {
  return Math.min(
    ...open.map(({ expectedBackAt }) => expectedBackAt ?? Infinity).filter((at) => at > now),
    Infinity,
  )
}
