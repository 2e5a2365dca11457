import { query } from '../../platform/db/database.js'

/** A repair cost with the names of the users who entered and voided it. `incurredOn`: YYYY-MM-DD. */
export type RepairCost = {
  id: number
  incidentId: number
  amountCents: number
  vendor: string
  invoiceRef: string
  note: string
  incurredOn: string
  createdBy: number
  createdByName: string
  createdAt: Date
  voidedAt: Date | null
  voidedByName: string | null
}

/** Costs of an incident and its duplicates, voided ones included, newest first (decision 3.8). */
export async function costsOf(incidentId: number): Promise<RepairCost[]> {
  return query(costsSql, [incidentId])
}

const costsSql = `
  select c.id, c.incident_id as "incidentId", c.amount_cents as "amountCents", c.vendor,
    c.invoice_ref as "invoiceRef", c.note, c.incurred_on as "incurredOn",
    c.created_by as "createdBy", w.name as "createdByName", c.created_at as "createdAt",
    c.voided_at as "voidedAt", v.name as "voidedByName"
  from repair_costs c
  join users w on w.id = c.created_by
  left join users v on v.id = c.voided_by
  where c.incident_id in (select id from incidents where id = $1 or merged_into_id = $1)
  order by c.id desc`
