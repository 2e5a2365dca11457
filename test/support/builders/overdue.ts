import { changesBetween } from '../../../src/vocabulary/audit.js'
import { defaultSlaTargets, nextSeverity } from '../../../src/vocabulary/severity.js'
import { anIncident, type GivenIncident } from './incident.js'
import { insertRow, momentAfter, updateRow } from './rows.js'

/**
 * An open incident nobody acknowledged within its target: flagged and raised by one
 * level, as the sweep leaves it.
 */
export async function anOverdue(given: Omit<GivenIncident, 'status' | 'createdAt'> = {}): Promise<number> {
  const { severity = 'medium' } = given
  const at = await momentAfter()
  const createdAt = new Date(at.getTime() - (defaultSlaTargets[severity] + 1) * 3_600_000)
  const id = await anIncident({ ...given, severity, createdAt })
  await updateRow('incidents', id, {
    severity: nextSeverity(severity),
    sla_breached: true,
    sla_breached_at: at,
  })
  const assetId = given.assetId ?? (given.unitId ? null : 7)
  if (severity === 'low' && assetId !== null)
    await insertRow('asset_impacts', {
      incident_id: id,
      asset_id: assetId,
      impact: 'degraded',
      started_at: at,
    })
  await insertRow('audit_entries', {
    at,
    actor_type: 'system',
    actor_name: 'System',
    action: 'incident.sla_breached',
    entity: 'incident',
    entity_id: id,
    changes: JSON.stringify(
      changesBetween(
        { slaBreached: false, severity },
        { slaBreached: true, severity: nextSeverity(severity) },
      ),
    ),
    via: 'cron',
    affects_status: true,
  })
  return id
}
