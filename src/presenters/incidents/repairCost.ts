import type { RepairCost } from '../../models/incidents/repairCost.js'

/** A repair cost (decision 3.8), for staff. It is void when `voidedAt` is set. */
export function presentCost(cost: RepairCost) {
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

/** An incident's costs, and their sum in cents without the void ones. */
export function presentCosts(costs: RepairCost[]) {
  const counted = costs.filter(({ voidedAt }) => voidedAt === null)
  return {
    costs: costs.map(presentCost),
    costSumCents: counted.reduce((sum, { amountCents }) => sum + amountCents, 0),
  }
}
