import { Property } from '../../building/building.js'
import { type Change, change } from '../../platform/db/change.js'
import {
  dayColumn,
  idColumn,
  instantColumn,
  orNull,
  textColumn,
  wholeColumn,
} from '../../platform/db/columnKinds.js'
import { query } from '../../platform/db/database.js'
import { insertRow } from '../../platform/db/insertRow.js'
import { entity, type RowOf } from '../../platform/http/records/entity.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import { undoMinutes } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { dateIn } from '../../vocabulary/time/calendar.js'
import { orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { Incident } from '../model/incident.js'

/** Why an amount typed by a person is refused; each has its text in the catalogue. */
type MoneyProblem = 'amount_unknown' | 'amount_ambiguous' | 'amount_zero' | 'amount_too_large'

/** Largest amount in cents (decision 3.8): just below what the database column holds. */
export const mostCents = 2_000_000_000

/**
 * Typed money in cents: `1250`, `1,250.00`, `1.250,00`, `1 250,00`, with or without the currency.
 * One mark before three digits groups thousands if the locale groups with it; else it is refused as
 * ambiguous.
 */
export function centsFrom(
  text: string,
  locale: string,
  currency: string,
): { cents: number } | { problem: MoneyProblem } {
  const plain = ungrouped(bare(text, locale, currency), partOf(locale, { useGrouping: true }, 'group'))
  if (plain === 'ambiguous') return { problem: 'amount_ambiguous' }
  if (plain === null || decimalsOf(plain) > placesOf(currency)) return { problem: 'amount_unknown' }
  const [whole = '', fraction = ''] = plain.split('.')
  const cents = Number(`${whole}${fraction.padEnd(2, '0')}`)
  if (cents === 0) return { problem: 'amount_zero' }
  return cents > mostCents ? { problem: 'amount_too_large' } : { cents }
}

/**
 * The number as digits, with a point before one or two decimals; null when the text is not a
 * number.
 */
function ungrouped(text: string, groupMark: string): string | 'ambiguous' | null {
  if (/^\d{1,12}$/.test(text)) return text
  const spaced = /^(\d{1,3}(?:[ '’]\d{3})+)(?:[.,](\d{1,2}))?$/.exec(text)
  if (spaced) return joined(spaced)
  const grouped =
    /^(\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/.exec(text) ??
    /^(\d{1,3}(?:\.\d{3})+),(\d{1,2})$/.exec(text) ??
    /^(\d{1,12})[.,](\d{1,2})$/.exec(text) ??
    /^(\d{1,3}(?:,\d{3}){2,}|\d{1,3}(?:\.\d{3}){2,})$/.exec(text)
  return grouped ? joined(grouped) : ofOneMark(text, groupMark)
}

/** A number with a single mark, before three digits. */
function ofOneMark(text: string, groupMark: string): string | 'ambiguous' | null {
  const [, whole, mark, rest] = /^([1-9]\d{0,2})([.,])(\d{3})$/.exec(text) ?? []
  if (whole === undefined) return null
  return mark === groupMark ? `${whole}${rest}` : 'ambiguous'
}

function joined([, whole = '', fraction]: RegExpExecArray): string {
  const digits = whole.replace(/\D/g, '')
  return fraction === undefined ? digits : `${digits}.${fraction}`
}

/** Strips the currency's sign or code, and makes every kind of space a plain one. */
function bare(text: string, locale: string, currency: string): string {
  const shown = (currencyDisplay: 'symbol' | 'narrowSymbol') =>
    partOf(locale, { style: 'currency', currency, currencyDisplay }, 'currency')
  const signs = [currency, shown('symbol'), shown('narrowSymbol')]
  return signs
    .reduce((left, sign) => left.replace(sign, ' '), text.replace(currency.toLowerCase(), currency))
    .replace(/\s/g, ' ')
    .trim()
}

function partOf(locale: string, options: Intl.NumberFormatOptions, type: string): string {
  const parts = new Intl.NumberFormat(locale, options).formatToParts(1_234_567.8)
  return parts.find((part) => part.type === type)?.value ?? ''
}

const decimalsOf = (plain: string) => plain.split('.')[1]?.length ?? 0

/** Decimals of this currency; at most two, because amounts are stored in cents. */
function placesOf(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return Math.min(2, maximumFractionDigits)
}

/**
 * A repair cost (decision 3.8), for staff, with who entered and voided it; void when `voidedAt` is
 * set.
 */
const costEntity = entity({
  name: 'repair_cost',
  json: { office: 'RepairCost' },
  from: 'repair_costs r join users w on w.id = r.created_by left join users v on v.id = r.voided_by',
  fields: {
    id: { kind: idColumn },
    incidentId: { kind: idColumn },
    amountCents: { kind: wholeColumn },
    vendor: { kind: textColumn },
    invoiceRef: { kind: textColumn },
    note: { kind: textColumn },
    incurredOn: { kind: dayColumn },
    createdBy: { kind: idColumn },
    createdByName: { kind: textColumn, sql: 'w.name' },
    createdAt: { kind: instantColumn },
    voidedAt: { kind: orNull(instantColumn) },
    voidedByName: { kind: orNull(textColumn), sql: 'v.name' },
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
