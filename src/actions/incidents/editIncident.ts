import { type Change, change } from '../../change.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { changesBetween } from '../../domain/audit/audit.js'
import { refuseMerged } from '../../domain/incidents/lifecycle.js'
import { orNotFound, ValidationFailed } from '../../domain/system/validation.js'
import { type Editable, editableNames } from '../../models/incidents/fields.js'
import { Incident } from '../../models/incidents/incident.js'
import { type AssetStanding, assetStanding } from '../../models/status/assetStanding.js'
import { assetsOf, keepImpacts } from '../../models/status/impacts.js'

/**
 * The fields of an incident that staff may correct (decision 2.1). Null times: downtime since the report; no
 * expected end.
 */
export type Correctable = Pick<Incident, Editable>
/** A correction; a missing field stays as it is. */
export type Correction = { [N in Editable]?: Correctable[N] | undefined }

/**
 * Corrects an incident: place (also of untriaged mail), severity, title, downtime and its start. Throws
 * ValidationFailed when the result would break a rule, Conflict on a merged duplicate.
 */
export async function editIncident(actor: Actor, incidentId: number, given: Correction): Promise<void> {
  await change(actor, async (c) => {
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    if (!(await correct(c, incident, given))) c.noop()
  })
}

/** What an asset shows without a change and with it. */
export type Consequence = { before: AssetStanding; after: AssetStanding }

/**
 * What a correction would do to the assets concerned: it is made, read and rolled back, so that the preview and the
 * saving cannot disagree. Throws as `editIncident` does.
 */
export async function previewCorrection(
  actor: Actor,
  incidentId: number,
  given: Correction,
): Promise<Consequence[]> {
  return change(actor, async (c) => {
    c.noop()
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    const assetIds = await assetsOf(c.query, incidentId, [incident.assetId, given.assetId])
    const before = await assetStanding(c.query, assetIds)
    await correct(c, incident, given)
    const after = await assetStanding(c.query, assetIds)
    return before.map((standing, i) => ({ before: standing, after: after[i]! }))
  })
}

/** Returns whether anything changed. */
async function correct(c: Change, incident: Incident, given: Correction): Promise<boolean> {
  refuseMerged(incident)
  const before = editable(incident)
  const after = corrected(before, given)
  requireSense(after, incident, c.now)
  requireExpectable(before, after, incident, c.now)
  await requirePlace(c, before, after)
  const changes = changesBetween(before, after)
  if (Object.keys(changes).length === 0) return false
  await incident.$query(c.trx).patch(after)
  await keepImpacts(c.query, [incident.id], c.now)
  c.audit('incident.edited', incident.id, changes)
  c.recheckStatus(before.assetId)
  c.recheckStatus(after.assetId)
  return true
}

function editable(incident: Incident): Correctable {
  return Object.fromEntries(editableNames.map((name) => [name, incident[name]])) as Correctable
}

/** Setting one place clears the other; an incident in a flat is never downtime (decision 6.10). */
function corrected(before: Correctable, given: Correction): Correctable {
  const set = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<Correctable>
  const after = { ...before, ...set }
  if (set.assetId && set.unitId === undefined) after.unitId = null
  if (set.unitId && set.assetId === undefined) after.assetId = null
  if (after.assetId === null && set.isDowntime === undefined) after.isDowntime = false
  if (!after.isDowntime) after.downtimeStartedAt = null
  return after
}

function requireSense(after: Correctable, { source, resolvedAt }: Incident, now: Date): void {
  const places = Number(after.assetId !== null) + Number(after.unitId !== null)
  if (places !== 1 && !(source === 'email' && places === 0))
    throw new ValidationFailed({ assetId: ['place_exactly_one'] })
  if (after.isDowntime && after.assetId === null)
    throw new ValidationFailed({ isDowntime: ['downtime_needs_asset'] })
  const start = after.downtimeStartedAt
  if (start && start > now) throw new ValidationFailed({ downtimeStartedAt: ['downtimeStart_future'] })
  if (start && resolvedAt && start > resolvedAt)
    throw new ValidationFailed({ downtimeStartedAt: ['downtimeStart_after_end'] })
}

/** A resolved incident has no expected end, and a newly set one must not be past. */
function requireExpectable(
  before: Correctable,
  after: Correctable,
  { resolvedAt }: Incident,
  now: Date,
): void {
  const { expectedBackAt: at, statusReason } = after
  if (resolvedAt && at) throw new ValidationFailed({ expectedBackAt: ['expectedBack_resolved'] })
  if (resolvedAt && statusReason) throw new ValidationFailed({ statusReason: ['expectedBack_resolved'] })
  if (at && at <= now && at.getTime() !== before.expectedBackAt?.getTime())
    throw new ValidationFailed({ expectedBackAt: ['expectedBack_past'] })
}

/** A newly set place must exist and be in use; an unchanged one may have been archived since. */
async function requirePlace(c: Change, before: Correctable, after: Correctable): Promise<void> {
  const places = [
    { field: 'assetId', table: 'assets', problem: 'asset_unknown' },
    { field: 'unitId', table: 'units', problem: 'unit_unknown' },
  ] as const
  for (const { field, table, problem } of places) {
    if (after[field] === null || after[field] === before[field]) continue
    const there = await c.query(`select 1 from ${table} where id = $1 and archived_at is null`, [
      after[field],
    ])
    if (there.length === 0) throw new ValidationFailed({ [field]: [problem] })
  }
}
