import { type Change, change } from '../../change.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { changesBetween } from '../../domain/audit/audit.js'
import { refuseMerged } from '../../domain/incidents/lifecycle.js'
import type { Severity } from '../../domain/incidents/severity.js'
import { found, Invalid } from '../../domain/system/invalid.js'
import { Incident } from '../../models/incidents/incident.js'

/** What staff may put right (decision 2.1). A field that is not there stays as it is. */
export type Correction = {
  title?: string | undefined
  severity?: Severity | undefined
  assetId?: number | null | undefined
  unitId?: number | null | undefined
  isDowntime?: boolean | undefined
  /** null: back to the moment of the report. */
  downtimeStartedAt?: Date | null | undefined
  /** Public: by when it should work again, and what is being done; null: nothing is said. */
  expectedBackAt?: Date | null | undefined
  statusReason?: string | null | undefined
}

/**
 * Corrects an incident: its place (mail that nobody has sorted yet, too), severity, title, and whether and since when it
 * counts as downtime. Throws Invalid where the result would break a rule, Refused on a merged duplicate.
 */
export async function editIncident(actor: Actor, incidentId: number, given: Correction): Promise<void> {
  await change(actor, async (c) => {
    const incident = found(await Incident.locked(c.trx, incidentId))
    refuseMerged(incident)
    const before = editable(incident)
    const after = corrected(before, given)
    requireSense(after, incident, c.now)
    requireExpectable(before, after, incident, c.now)
    await requirePlace(c, before, after)
    const changes = changesBetween(before, after)
    if (Object.keys(changes).length === 0) return c.unchanged()
    await incident.$query(c.trx).patch(after)
    c.audit('incident.edited', incidentId, changes)
    c.touch(before.assetId)
    c.touch(after.assetId)
  })
}

/**
 * What the incident would be after a correction, with nothing stored: for whoever wants to see the consequence first.
 * Throws Invalid like the correction itself.
 */
export function correctionOf(incident: Incident, given: Correction): Editable {
  refuseMerged(incident)
  const after = corrected(editable(incident), given)
  requireSense(after, incident, new Date())
  requireExpectable(editable(incident), after, incident, new Date())
  return after
}

export type Editable = Pick<
  Incident,
  | 'title'
  | 'severity'
  | 'assetId'
  | 'unitId'
  | 'isDowntime'
  | 'downtimeStartedAt'
  | 'expectedBackAt'
  | 'statusReason'
>

function editable(incident: Incident): Editable {
  const { title, severity, assetId, unitId, isDowntime, downtimeStartedAt } = incident
  const { expectedBackAt, statusReason } = incident
  return { title, severity, assetId, unitId, isDowntime, downtimeStartedAt, expectedBackAt, statusReason }
}

/** Naming one place leaves the other; an incident in a flat is never downtime (decision 6.10). */
function corrected(before: Editable, given: Correction): Editable {
  const set = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<Editable>
  const after = { ...before, ...set }
  if (set.assetId && set.unitId === undefined) after.unitId = null
  if (set.unitId && set.assetId === undefined) after.assetId = null
  if (after.assetId === null && set.isDowntime === undefined) after.isDowntime = false
  if (!after.isDowntime) after.downtimeStartedAt = null
  return after
}

function requireSense(after: Editable, { source, resolvedAt }: Incident, now: Date): void {
  const places = Number(after.assetId !== null) + Number(after.unitId !== null)
  if (places !== 1 && !(source === 'email' && places === 0))
    throw new Invalid({ assetId: ['place_exactly_one'] })
  if (after.isDowntime && after.assetId === null) throw new Invalid({ isDowntime: ['downtime_needs_asset'] })
  const start = after.downtimeStartedAt
  if (start && start > now) throw new Invalid({ downtimeStartedAt: ['downtimeStart_future'] })
  if (start && resolvedAt && start > resolvedAt)
    throw new Invalid({ downtimeStartedAt: ['downtimeStart_after_end'] })
}

/** What is resolved is not expected back, and nothing newly said is in the past already. */
function requireExpectable(before: Editable, after: Editable, { resolvedAt }: Incident, now: Date): void {
  const { expectedBackAt: at, statusReason } = after
  if (resolvedAt && at) throw new Invalid({ expectedBackAt: ['expectedBack_resolved'] })
  if (resolvedAt && statusReason) throw new Invalid({ statusReason: ['expectedBack_resolved'] })
  if (at && at <= now && at.getTime() !== before.expectedBackAt?.getTime())
    throw new Invalid({ expectedBackAt: ['expectedBack_past'] })
}

/** A place it newly names must be there and in use; one it had may have been archived since. */
async function requirePlace(c: Change, before: Editable, after: Editable): Promise<void> {
  const places = [
    { field: 'assetId', table: 'assets', problem: 'asset_unknown' },
    { field: 'unitId', table: 'units', problem: 'unit_unknown' },
  ] as const
  for (const { field, table, problem } of places) {
    if (after[field] === null || after[field] === before[field]) continue
    const there = await c.query(`select 1 from ${table} where id = $1 and archived_at is null`, [
      after[field],
    ])
    if (there.length === 0) throw new Invalid({ [field]: [problem] })
  }
}
