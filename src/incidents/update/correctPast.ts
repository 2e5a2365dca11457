import type { Change } from '../../platform/db/change.js'
import { announceBeforeCorrection } from '../../status/announceStatus.js'
import { impactsOf, pastChangesOf, replaceImpacts } from '../../status/queries/impacts.js'
import { correctedImpacts } from '../../status/rules/correctedImpacts.js'
import type { Changes } from '../../vocabulary/audit.js'
import type { Incident } from '../incident.js'

/**
 * Rewrites what a corrected incident did (decision 2.8), after its fields and running impact are as the correction
 * says. `changes`: those of this correction; `told`: what it speaks of. Returns whether the past is different now.
 */
export async function correctPast(
  c: Change,
  incident: Incident,
  changes: Changes,
  told: { downtime: boolean; severity: boolean },
): Promise<boolean> {
  const { id, createdAt, resolvedAt, assetId, severity, isDowntime } = incident
  const stored = await impactsOf(c.query, id)
  const now = { at: c.now.getTime(), action: 'incident.edited', changes }
  const ms = (at: Date | null) => at?.getTime() ?? null
  const corrected = correctedImpacts(
    stored,
    { createdAt: createdAt.getTime(), resolvedAt: ms(resolvedAt), assetId, severity },
    [now, ...(await pastChangesOf(c.query, id))],
    {
      downtime: told.downtime
        ? { isDowntime, startedAt: ms(incident.downtimeStartedAt), endedAt: ms(incident.downtimeEndedAt) }
        : null,
      severity: told.severity,
    },
  )
  const text = (spans: typeof corrected) =>
    spans.map(({ assetId, impact, start, end }) => `${assetId} ${impact} ${start} ${end}`).join()
  if (text(corrected) === text(stored)) return false
  // Also assets where the incident did nothing before, and none of its rows is.
  await announceBeforeCorrection(
    c,
    [...stored, ...corrected].map((span) => span.assetId),
  )
  await replaceImpacts(c.query, id, corrected)
  return true
}
