import { enqueueExpectedNews } from '../../maintenance/reminders.js'
import { type Change, change } from '../../platform/db/change.js'
import { announceBeforeCorrection } from '../../status/announceStatus.js'
import { assetStanding, type StandingChange } from '../../status/queries/assetStanding.js'
import {
  assetsOf,
  impactsOf,
  keepImpacts,
  pastChangesOf,
  replaceImpacts,
} from '../../status/queries/impacts.js'
import { correctedImpacts } from '../../status/rules/correctedImpacts.js'
import { type Changes, changesBetween } from '../../vocabulary/audit.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { refuseDismissed, refuseMerged } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { type Editable, editableNames } from '../entity.js'
import { Incident } from '../incident.js'
import { refuseHiddenName } from '../protection/hideWords.js'
import { followByActing, markAnswered, personOf } from './heard.js'
import { assign, currentAssignee, newDoer, requireDoer } from './settle.js'

/**
 * Rewrites what a corrected incident did (decision 2.8), after its fields and running impact are as
 * the correction says. `changes`: those of this correction; `told`: what it speaks of. Returns
 * whether the past is different now.
 */
async function correctPast(
  c: Change,
  incident: Incident,
  changes: Changes,
  told: { downtime: boolean; severity: boolean },
): Promise<boolean> {
  const { id, createdAt, resolvedAt, assetId, severity, isDowntime } = incident
  const stored = await impactsOf(c.query, id)
  const now = { at: c.now.getTime(), action: 'incident.edited', changes }
  const ms = (at: Date | null) => at?.getTime() ?? null
  const corrected = correctedImpacts(
    stored,
    { createdAt: createdAt.getTime(), resolvedAt: ms(resolvedAt), assetId, severity },
    [now, ...(await pastChangesOf(c.query, id))],
    {
      downtime: told.downtime
        ? { isDowntime, startedAt: ms(incident.downtimeStartedAt), endedAt: ms(incident.downtimeEndedAt) }
        : null,
      severity: told.severity,
    },
  )
  const text = (spans: typeof corrected) =>
    spans.map(({ assetId, impact, start, end }) => `${assetId} ${impact} ${start} ${end}`).join()
  if (text(corrected) === text(stored)) return false
  // Also assets where the incident did nothing before, and none of its rows is.
  await announceBeforeCorrection(
    c,
    [...stored, ...corrected].map((span) => span.assetId),
  )
  await replaceImpacts(c.query, id, corrected)
  return true
}

/**
 * The fields of an incident that staff may correct (decision 2.1). Null times: downtime since the
 * report; no expected end.
 */
export type Correctable = Pick<Incident, Editable>
/** A correction; a missing field stays as it is. */
export type Correction = { [N in Editable]?: Correctable[N] | undefined } & {
  /** The severity counts for the past, too (decision 2.8). */
  retroactive?: boolean | undefined
  /**
   * The same title or reason, when it was said before that it names a hidden reporter (decision
   * 7.13).
   */
  namedAnyway?: string | null | undefined
}

/**
 * Corrects an incident: place (also of untriaged email), severity, title, downtime and its start.
 * Throws ValidationFailed when the result would break a rule, Conflict on a merged duplicate;
 * `onlyOpen`: on a closed one, too.
 */
export async function editIncident(
  actor: Actor,
  incidentId: number,
  given: Correction,
  { onlyOpen = false } = {},
): Promise<void> {
  await change(actor, async (c) => {
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    refuseMerged(incident)
    if (onlyOpen && incident.resolvedAt !== null) throw new Conflict('incident_closed')
    const { changed } = await correct(c, incident, given)
    if (!changed) c.noop()
  })
}

/**
 * What a correction would do to the assets concerned: it is made, read and rolled back, so that the
 * preview and the saving cannot disagree. `past`: whether it changes what was. Throws as
 * `editIncident` does.
 */
export async function previewCorrection(
  actor: Actor,
  incidentId: number,
  given: Correction,
): Promise<{ past: boolean; consequences: StandingChange[] }> {
  return change(actor, async (c) => {
    c.noop()
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    const assetIds = await assetsOf(c.query, incidentId, [incident.assetId, given.assetId])
    const before = await assetStanding(c.query, assetIds)
    const { past } = await correct(c, incident, given)
    const after = await assetStanding(c.query, assetIds)
    return { past, consequences: before.map((standing, i) => ({ before: standing, after: after[i]! })) }
  })
}

/** Makes a correction. `changed`: whether anything is different; `past`: whether the past is. */
async function correct(
  c: Change,
  incident: Incident,
  { retroactive = false, namedAnyway, ...given }: Correction,
): Promise<{ changed: boolean; past: boolean }> {
  refuseMerged(incident)
  refuseDismissed(incident)
  const before = editable(incident)
  const after = corrected(before, given)
  requireSense(before, after, incident, c.now)
  requireExpectable(before, after, incident, c.now)
  await requirePlace(c, before, after)
  await requireDoer(c, before, after)
  const changes = changesBetween(before, after)
  const changed = Object.keys(changes).length > 0
  const texts = {
    title: changes.title && after.title,
    statusReason: changes.statusReason && after.statusReason,
  }
  await refuseHiddenName(c, incident.id, texts, namedAnyway)
  if (changed) {
    await incident.$query(c.trx).patch(after)
    await keepImpacts(c, [incident.id])
  }
  const downtime = speaksOfDowntime(before, after, given)
  const severity = retroactive && given.severity !== undefined
  const past = (downtime || severity) && (await correctPast(c, incident, changes, { downtime, severity }))
  if (!changed && !past) return { changed, past }
  await followByActing(c, incident.id, personOf(c))
  // A promise to residents answers them; another correction may leave a question open.
  if ('expectedBackAt' in changes || 'statusReason' in changes) await markAnswered(c, incident.id)
  await assign(c, incident.id, before, after)
  c.audit('incident.edited', incident.id, { ...changes, ...(severity && retroactively(before, after)) })
  if (changes.expectedBackAt) await enqueueExpectedNews(c, after.assetId)
  c.recheckStatus(before.assetId)
  c.recheckStatus(after.assetId)
  return { changed: true, past }
}

/**
 * The severity stands in the entry although it may be the present one: from this entry on it counts
 * for the past.
 */
function retroactively({ severity: before }: Correctable, { severity: after }: Correctable): Changes {
  return { severity: { before, after }, retroactive: { before: null, after: true } }
}

/**
 * Whether a correction says something new of the downtime, which speaks of the whole incident. An
 * incident that leaves its asset ends its downtime then: that is no correction.
 */
function speaksOfDowntime(before: Correctable, after: Correctable, given: Correction): boolean {
  if (after.assetId === null) return false
  return (['isDowntime', 'downtimeStartedAt', 'downtimeEndedAt'] as const).some(
    (name) => given[name] !== undefined && Object.hasOwn(changesBetween(before, after), name),
  )
}

function editable(incident: Incident): Correctable {
  return Object.fromEntries(editableNames.map((name) => [name, incident[name]])) as Correctable
}

/** Setting one place clears the other; an incident in a flat is never downtime (decision 6.10). */
function corrected(before: Correctable, given: Correction): Correctable {
  const set = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<Correctable>
  const after = { ...before, ...set, ...newDoer(currentAssignee(before), given) }
  if (set.assetId && set.unitId === undefined) after.unitId = null
  if (set.unitId && set.assetId === undefined) after.assetId = null
  if (after.assetId === null && set.isDowntime === undefined) after.isDowntime = false
  if (!after.isDowntime) Object.assign(after, { downtimeStartedAt: null, downtimeEndedAt: null })
  return after
}

/**
 * A place can be changed, not taken away; email that has none yet can be corrected without
 * (decision 7.6).
 */
function requireSense(
  before: Correctable,
  after: Correctable,
  { createdAt, resolvedAt }: Incident,
  now: Date,
): void {
  if (placesOf(after) > 1) throw new ValidationFailed({ assetId: ['place_exactly_one'] })
  if (placesOf(after) < placesOf(before)) throw new ValidationFailed({ assetId: ['place_kept'] })
  if (after.isDowntime && after.assetId === null)
    throw new ValidationFailed({ isDowntime: ['downtime_needs_asset'] })
  const start = after.downtimeStartedAt
  if (start && start > now) throw new ValidationFailed({ downtimeStartedAt: ['downtimeStart_future'] })
  if (start && resolvedAt && start > resolvedAt)
    throw new ValidationFailed({ downtimeStartedAt: ['downtimeStart_after_end'] })
  const end = after.downtimeEndedAt
  if (end && !resolvedAt) throw new ValidationFailed({ downtimeEndedAt: ['downtimeEnd_unresolved'] })
  if (end && end > now) throw new ValidationFailed({ downtimeEndedAt: ['downtimeEnd_future'] })
  if (end && end <= (start ?? createdAt))
    throw new ValidationFailed({ downtimeEndedAt: ['downtimeEnd_before_start'] })
}

const placesOf = ({ assetId, unitId }: Correctable) => Number(assetId !== null) + Number(unitId !== null)

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
