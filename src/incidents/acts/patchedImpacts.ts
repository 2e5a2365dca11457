import type { Change } from '../../platform/db/change.js'
import { announceBeforeCorrection } from '../../status/announceStatus.js'
import { assetsOf, impactsOf, pastChangesOf } from '../../status/impacts/readImpacts.js'
import { continueImpact, replaceImpacts, updateRunningImpacts } from '../../status/impacts/storeImpacts.js'
import { correctedImpacts } from '../../status/rules/correctedImpacts.js'
import { neverRepaired } from '../../vocabulary/assetStatus.js'
import type { Incident } from '../model/incident.js'
import type { AllowedPatch, IncidentPatch } from './allowedPatch.js'

/** Brings what the incident does to its assets up to date with a patch that is written. */
export async function updateImpacts(
  c: Change,
  incident: Incident,
  patch: IncidentPatch,
  { stamps, changes }: AllowedPatch,
): Promise<void> {
  if (!stamps && !changes.assetId && !changes.severity && !changes.isDowntime) return
  if (patch.move === 'notFixed') await continueIfNeverRepaired(c, incident)
  await updateRunningImpacts(c.query, [incident.id], c.now)
}

/**
 * An incident that is reopened within 72 hours was never repaired: the time since it was resolved
 * counts (decision 2.8).
 */
async function continueIfNeverRepaired(c: Change, { id, resolvedAt }: Incident): Promise<void> {
  if (!resolvedAt || !neverRepaired(resolvedAt, c.now)) return
  await announceBeforeCorrection(c, await assetsOf(c.query, id))
  await continueImpact(c.query, id, resolvedAt)
}

/**
 * Rewrites what an incident did to its assets, if the patch corrects its downtime or, for the past
 * as well, its severity (decision 2.8). Returns whether the past is different now.
 */
export async function correctPast(
  c: Change,
  incident: Incident,
  patch: IncidentPatch,
  { after, changes }: AllowedPatch,
): Promise<boolean> {
  const namesDowntime = (['isDowntime', 'downtimeStartedAt', 'downtimeEndedAt'] as const).some(
    (name) => patch[name] !== undefined && changes[name],
  )
  // An incident that leaves its asset ends its downtime then: that is no correction.
  const correctsDowntime = namesDowntime && after.assetId !== null
  const correctsSeverity = patch.retroactive === true && patch.severity !== undefined
  if (!correctsDowntime && !correctsSeverity) return false
  const stored = await impactsOf(c.query, incident.id)
  const thisChange = { at: c.now.getTime(), action: 'incident.edited', changes }
  const pastChanges = await pastChangesOf(c.query, incident.id)
  const milliseconds = (at: Date | null) => at?.getTime() ?? null
  const downtime = {
    isDowntime: after.isDowntime,
    startedAt: milliseconds(after.downtimeStartedAt),
    endedAt: milliseconds(after.downtimeEndedAt),
  }
  const corrected = correctedImpacts(
    stored,
    {
      createdAt: incident.createdAt.getTime(),
      resolvedAt: milliseconds(incident.resolvedAt),
      assetId: after.assetId,
      severity: after.severity,
    },
    [thisChange, ...pastChanges],
    { downtime: correctsDowntime ? downtime : null, severity: correctsSeverity },
  )
  const asText = (spans: typeof corrected) =>
    spans.map(({ assetId, impact, start, end }) => `${assetId} ${impact} ${start} ${end}`).join()
  if (asText(corrected) === asText(stored)) return false
  // Both lists, because the incident may be new on an asset or leave one without any span.
  const assetIds = [...stored, ...corrected].map((span) => span.assetId)
  await announceBeforeCorrection(c, assetIds)
  await replaceImpacts(c.query, incident.id, corrected)
  return true
}
