import { z } from 'zod'
import { instantText, rowId, shape } from '../../platform/http/json.js'
import type { RepairCost } from './queries.js'

/** A repair cost (decision 3.8), for staff; void when `voidedAt` is set. */
export const CostJson = shape('RepairCost', {
  id: rowId,
  incidentId: rowId,
  amountCents: z.int(),
  vendor: z.string(),
  invoiceRef: z.string(),
  note: z.string(),
  incurredOn: z.iso.date(),
  createdBy: rowId,
  createdByName: z.string(),
  createdAt: instantText,
  voidedAt: instantText.nullable(),
  voidedByName: z.string().nullable(),
})

export function presentCost(cost: RepairCost): z.output<typeof CostJson> {
  const { id, incidentId, amountCents, vendor, invoiceRef, note, incurredOn, createdBy } = cost
  return {
    id,
    incidentId,
    amountCents,
    vendor,
    invoiceRef,
    note,
    incurredOn,
    createdBy,
    createdByName: cost.createdByName,
    createdAt: cost.createdAt.toISOString(),
    voidedAt: cost.voidedAt?.toISOString() ?? null,
    voidedByName: cost.voidedByName,
  }
}

/** An incident's costs, and their sum in cents without void ones. */
export function presentCosts(costs: RepairCost[]) {
  const counted = costs.filter(({ voidedAt }) => voidedAt === null)
  return {
    costs: costs.map(presentCost),
    costSumCents: counted.reduce((sum, { amountCents }) => sum + amountCents, 0),
  }
}
