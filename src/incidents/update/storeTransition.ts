import { type Change, statement } from '../../platform/db/change.js'
import { lateAcknowledgementSql, targetsSql } from '../../status/queries/incidentFacts.js'
import type { Stamps } from '../../vocabulary/lifecycle.js'
import type { SlaTargets } from '../../vocabulary/severity.js'
import { columnOf, type FieldName, type IncidentColumns } from '../entity.js'

/**
 * Stores a transition of a locked incident, and other columns with it. Leaving open for the first time after its
 * target is a breach (decision 7.1): returns what the incident then says of it.
 */
export async function storeTransition(
  c: Change,
  incidentId: number,
  given: Stamps & Partial<IncidentColumns>,
  targets: SlaTargets,
): Promise<{ slaBreached: boolean }> {
  const { text, values } = statement((bind) => {
    const columns = Object.entries(given).map(
      ([name, value]) => `${columnOf(name as FieldName)} = ${bind(value)}`,
    )
    const acknowledgedAt = `${bind(given.acknowledgedAt)}::timestamptz`
    const breach = lateAcknowledgementSql('i', targetsSql(targets, bind), acknowledgedAt)
    return `update incidents i set ${columns.join(', ')}, ${breach} where i.id = ${bind(incidentId)}
      returning i.sla_breached as "slaBreached"`
  })
  const [stored] = await c.query<{ slaBreached: boolean }>(text, values)
  return stored!
}
