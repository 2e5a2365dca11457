import {
  dayColumn,
  idColumn,
  instantColumn,
  orNull,
  textColumn,
  wholeColumn,
} from '../../platform/db/columnKinds.js'
import { query } from '../../platform/db/database.js'
import { entity } from '../../platform/http/records/entity.js'
import type { RowOf } from '../../platform/http/records/entityTypes.js'

/**
 * A repair cost (decision 3.8), for staff, with who entered and voided it; void when `voidedAt` is
 * set.
 */
const costEntity = entity({
  name: 'repair_cost',
  json: { office: 'RepairCost' },
  from: 'repair_costs r join users w on w.id = r.created_by left join users v on v.id = r.voided_by',
  fields: {
    id: { column: idColumn },
    incidentId: { column: idColumn },
    amountCents: { column: wholeColumn },
    vendor: { column: textColumn },
    invoiceRef: { column: textColumn },
    note: { column: textColumn },
    incurredOn: { column: dayColumn },
    createdBy: { column: idColumn },
    createdByName: { column: textColumn, sql: 'w.name' },
    createdAt: { column: instantColumn },
    voidedAt: { column: orNull(instantColumn) },
    voidedByName: { column: orNull(textColumn), sql: 'v.name' },
  },
})

export const { json: CostJson, present: presentCost } = costEntity.records

type RepairCost = RowOf<typeof costEntity>

/** Costs of an incident and its duplicates, voided ones included, newest first (decision 3.8). */
export async function costsOf(incidentId: number): Promise<RepairCost[]> {
  const { columns, from } = costEntity.records.listing
  return query(
    `select ${columns} from ${from}
     where r.incident_id in (select id from incidents where id = $1 or merged_into_id = $1)
     order by r.id desc`,
    [incidentId],
  )
}

/** An incident's costs, and their sum in cents without void ones. */
export function presentCosts(costs: RepairCost[]) {
  const counted = costs.filter(({ voidedAt }) => voidedAt === null)
  return {
    costs: costs.map(presentCost),
    costSumCents: counted.reduce((sum, { amountCents }) => sum + amountCents, 0),
  }
}

/**
 * A repair cost as entered (decision 3.8). `incurredOn`: YYYY-MM-DD; null: today in the property's
 * zone.
 */
export type CostEntry = Pick<RepairCost, 'amountCents' | 'vendor' | 'invoiceRef' | 'note'> & {
  incurredOn: string | null
}
