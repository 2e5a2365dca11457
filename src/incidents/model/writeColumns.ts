import type { Change } from '../../platform/db/change.js'
import { columnOf } from '../../platform/db/fieldNames.js'
import { type Bind, statement } from '../../platform/db/statement.js'
import { config } from '../../platform/process/config.js'
import { slaHours } from '../../vocabulary/severity.js'
import type { IncidentColumns } from './entity.js'

/**
 * Writes columns of a locked incident. `changesStatus`: leaving "open" for the first time after the
 * target is recorded as a breach (decision 7.1). Returns whether the incident
 * has breached its target, or nothing when there was nothing to write.
 */
export async function writeColumns(
  c: Change,
  incidentId: number,
  columns: Partial<IncidentColumns>,
  { changesStatus = false } = {},
): Promise<{ slaBreached?: boolean }> {
  if (Object.keys(columns).length === 0) return {}
  const { text, values } = statement((bind) => {
    const assignments = Object.entries(columns).map(([name, value]) => `${columnOf(name)} = ${bind(value)}`)
    if (changesStatus) assignments.push(lateAcknowledgementSql(bind, columns.acknowledgedAt))
    return `update incidents i set ${assignments.join(', ')} where i.id = ${bind(incidentId)}
      returning i.sla_breached`
  })
  const [stored] = await c.query<{ slaBreached: boolean }>(text, values)
  return stored!
}

/**
 * SQL: sets the columns of a breach, when the first status after "open" comes after the target
 * (decision 7.1).
 */
function lateAcknowledgementSql(bind: Bind, acknowledgedAt: Date | null | undefined): string {
  const hours = `${bind(slaHours(config.slaTargets))}::float8[]`
  const at = `${bind(acknowledgedAt)}::timestamptz`
  const isFirst = 'i.sla_breached_at is null and i.acknowledged_at is null'
  const breachedAt = `case
    when ${isFirst} and is_past_target(i.created_at, i.severity, ${hours}, ${at}) then ${at}
    else i.sla_breached_at end`
  return `sla_breached_at = ${breachedAt}, sla_breached = (${breachedAt}) is not null`
}
