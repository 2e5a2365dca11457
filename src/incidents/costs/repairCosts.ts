import { type Change, change } from '../../platform/db/change.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { dateIn } from '../../vocabulary/time/calendar.js'
import { orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { Incident } from '../incident.js'

/** A repair cost as entered (decision 3.8). `incurredOn`: YYYY-MM-DD; null means today in the property's time zone. */
export type CostEntry = {
  amountCents: number
  vendor: string
  invoiceRef: string
  note: string
  incurredOn: string | null
}

/** Adds a cost; returns its id. Throws NotFound, Conflict on a merged duplicate, ValidationFailed for a future day. */
export async function addCost(actor: Actor, incidentId: number, entry: CostEntry): Promise<number> {
  return change(actor, async (c) => {
    refuseMerged(orNotFound(await Incident.locked(c.trx, incidentId)))
    const today = await todayIn(c)
    const { amountCents, vendor, invoiceRef, note } = entry
    const incurredOn = entry.incurredOn ?? today
    if (incurredOn > today) throw new ValidationFailed({ incurredOn: ['incurredOn_future'] })
    const [made] = await c.query<{ id: number }>(
      `insert into repair_costs (incident_id, amount_cents, vendor, invoice_ref, note, incurred_on, created_by, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [incidentId, amountCents, vendor, invoiceRef, note, incurredOn, actor.id, c.now],
    )
    const cost = { costId: made!.id, amountCents, vendor, invoiceRef, note, incurredOn }
    c.audit('incident.cost_added', incidentId, changesBetween(null, cost))
    c.resultId(made!.id)
    return made!.id
  })
}

/**
 * Voids a cost of the incident or of its duplicates: it stays visible but is not counted. No effect when void
 * already. Throws NotFound, Conflict on a merged duplicate.
 */
export async function voidCost(actor: Actor, incidentId: number, costId: number): Promise<void> {
  await change(actor, async (c) => {
    refuseMerged(orNotFound(await Incident.locked(c.trx, incidentId)))
    const [row] = await c.query<CostEntry & { costId: number; voided: boolean }>(lockedSql, [
      costId,
      incidentId,
    ])
    const { voided, ...cost } = orNotFound(row)
    if (voided) return c.noop()
    await c.query('update repair_costs set voided_at = $2, voided_by = $3 where id = $1', [
      costId,
      c.now,
      actor.id,
    ])
    c.audit('incident.cost_voided', incidentId, changesBetween(cost, null))
  })
}

const lockedSql = `
  select id as "costId", amount_cents as "amountCents", vendor, invoice_ref as "invoiceRef", note,
    incurred_on as "incurredOn", voided_at is not null as voided
  from repair_costs
  where id = $1 and incident_id in (select id from incidents where id = $2 or merged_into_id = $2)
  for update`

async function todayIn(c: Change): Promise<string> {
  const [row] = await c.query<{ timezone: string }>('select timezone from properties')
  return dateIn(row!.timezone, c.now.getTime())
}
