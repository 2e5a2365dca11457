import { Property } from '../../building/building.js'
import { type Change, change } from '../../platform/db/change.js'
import { insertRow } from '../../platform/db/insertRow.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import { undoMinutes } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { dateIn } from '../../vocabulary/time/calendar.js'
import { orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import type { CostEntry } from '../model/costs.js'
import { Incident } from '../model/incident.js'

/**
 * Adds a cost; returns its id. Throws NotFound, Conflict on a merged duplicate, ValidationFailed
 * for a future day.
 */
export async function addCost(actor: Actor, incidentId: number, entry: CostEntry): Promise<number> {
  return change(actor, async (c) => {
    refuseMerged(orNotFound(await Incident.locked(c.trx, incidentId)))
    const { timezone } = orNotFound(await Property.query(c.trx).first().select('timezone'))
    const today = dateIn(timezone, c.now.getTime())
    const { amountCents, vendor, invoiceRef, note } = entry
    const incurredOn = entry.incurredOn ?? today
    if (incurredOn > today) throw new ValidationFailed({ incurredOn: ['incurredOn_future'] })
    const row = {
      incidentId,
      amountCents,
      vendor,
      invoiceRef,
      note,
      incurredOn,
      createdBy: actor.id,
      createdAt: c.now,
    }
    const [made] = await insertRow<{ id: number }>(c, 'repair_costs', row, 'returning id')
    const cost = { costId: made!.id, amountCents, vendor, invoiceRef, note, incurredOn }
    c.audit('incident.cost_added', incidentId, changesBetween(null, cost))
    c.resultId(made!.id)
    return made!.id
  })
}

/**
 * Voids a cost of the incident or of its duplicates: it stays visible but is not counted. No effect
 * when void already. Throws NotFound, Conflict on a merged duplicate.
 */
export async function voidCost(actor: Actor, incidentId: number, costId: number): Promise<void> {
  await change(actor, async (c) => {
    const { voidedAt, ...cost } = await lockedCost(c, incidentId, costId)
    if (voidedAt) return c.noop()
    await c.trx('repair_costs').where({ id: costId }).update({ voidedAt: c.now, voidedBy: actor.id })
    c.audit('incident.cost_voided', incidentId, changesBetween(cost, null))
  })
}

/**
 * Counts a cost again that was voided in the last ten minutes; no effect when it counts. Throws
 * NotFound, Conflict on a merged duplicate or when it is too late.
 */
export async function restoreCost(actor: Actor, incidentId: number, costId: number): Promise<void> {
  await change(actor, async (c) => {
    const { voidedAt, ...cost } = await lockedCost(c, incidentId, costId)
    if (!voidedAt) return c.noop()
    if (c.now.getTime() - voidedAt.getTime() > undoMinutes * 60_000) throw new Conflict('undo_too_late')
    await c.trx('repair_costs').where({ id: costId }).update({ voidedAt: null, voidedBy: null })
    c.audit('incident.cost_restored', incidentId, changesBetween(null, cost))
  })
}

/**
 * Locks a cost of the incident or of its duplicates. Throws NotFound, Conflict on a merged
 * duplicate.
 */
async function lockedCost(c: Change, incidentId: number, costId: number) {
  refuseMerged(orNotFound(await Incident.locked(c.trx, incidentId)))
  const [row] = await c.query<CostEntry & { costId: number; voidedAt: Date | null }>(
    `select id as cost_id, amount_cents, vendor, invoice_ref, note,
       incurred_on, voided_at
     from repair_costs
     where id = $1 and incident_id in (select id from incidents where id = $2 or merged_into_id = $2)
     for update`,
    [costId, incidentId],
  )
  return orNotFound(row)
}
