import { enqueueExpectedNews } from '../../maintenance/reminders.js'
import { type Change, change } from '../../platform/db/change.js'
import { announceBeforeCorrection } from '../../status/announceStatus.js'
import { impactsOf, replaceImpacts } from '../../status/queries/impacts.js'
import type { PlacedSpan } from '../../status/rules/correctedImpacts.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { incidentFact } from '../../vocabulary/events.js'
import { closedOut, refuseMerged } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../model/incident.js'
import { addAutomaticEntry } from '../model/timeline/writeEntry.js'
import { writeColumns } from '../model/writeColumns.js'

/**
 * Closes what is not a report and takes away what it did to its asset (decision 7.14); a second
 * time is harmless. `entry`: what its timeline says. Throws NotFound; Conflict for a merged
 * duplicate and for what has duplicates.
 */
export async function dismissIncident(actor: Actor, incidentId: number, entry: string): Promise<void> {
  await change(actor, async (c) => {
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    refuseMerged(incident)
    if (incident.dismissedAt !== null) return c.noop()
    await refuseSurvivor(c, incidentId)
    const impacts = await impactsOf(c.query, incidentId)
    await remember(c, incidentId, impacts)
    await announceBeforeCorrection(
      c,
      impacts.map(({ assetId }) => assetId),
    )
    await replaceImpacts(c.query, incidentId, [])
    const stamps = closedOut(incident, c.now)
    // Late or not, it asked for nobody: no targets, so no breach.
    await writeColumns(c, incidentId, {
      ...stamps,
      dismissedAt: c.now,
      closingReason: null,
      expectedBackAt: null,
      statusReason: null,
      reopenedAt: null,
      unansweredSince: null,
    })
    const from = incident.status
    // Without the status: "Confirmed fixed" would not be so.
    const updateId = await addAutomaticEntry(c, incidentId, entry)
    c.audit('incident.dismissed', incidentId, changesBetween({ status: from }, { status: stamps.status }))
    await notifyOfStatus(c, incident, { to: stamps.status, updateId, dismissed: true })
    if (incident.expectedBackAt !== null) await enqueueExpectedNews(c, incident.assetId)
  })
}

/**
 * Takes that back: the incident and what it did to its asset are as before. Throws as above;
 * harmless otherwise.
 */
export async function reinstateIncident(actor: Actor, incidentId: number, entry: string): Promise<void> {
  await change(actor, async (c) => {
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    refuseMerged(incident)
    if (incident.dismissedAt === null) return c.noop()
    const [before] = await c.query<Pick<Incident, 'status' | 'expectedBackAt'> & { impacts: Kept[] }>(
      `with kept as (delete from dismissals where incident_id = $1 returning *)
       update incidents i set status = k.status, acknowledged_at = k.acknowledged_at, resolved_at = k.resolved_at,
         verified_at = k.verified_at, closing_reason = k.closing_reason, expected_back_at = k.expected_back_at,
         status_reason = k.status_reason, reopened_at = k.reopened_at, unanswered_since = k.unanswered_since,
         dismissed_at = null
       from kept k where i.id = k.incident_id returning i.status, i.expected_back_at, k.impacts`,
      [incidentId],
    )
    const { status, expectedBackAt, impacts } = before!
    await announceBeforeCorrection(
      c,
      impacts.map(({ assetId }) => assetId),
    )
    await replaceImpacts(
      c.query,
      incidentId,
      impacts.map(({ end, ...span }) => ({ ...span, end: end ?? Infinity })),
    )
    const updateId = await addAutomaticEntry(c, incidentId, entry)
    c.audit('incident.reinstated', incidentId, changesBetween({ status: incident.status }, { status }))
    await notifyOfStatus(c, incident, { to: status, updateId })
    if (expectedBackAt !== null) await enqueueExpectedNews(c, incident.assetId)
  })
}

/** As JSON has it: an impact that still runs has no end. */
type Kept = Omit<PlacedSpan, 'end'> & { end: number | null }

/** Of several reports of the same thing, no one can say that there was none. */
async function refuseSurvivor(c: Change, incidentId: number): Promise<void> {
  const duplicate = await Incident.query(c.trx).findOne({ mergedIntoId: incidentId }).select('id')
  if (duplicate) throw new Conflict('dismiss_has_duplicates')
}

async function remember(c: Change, incidentId: number, impacts: readonly PlacedSpan[]): Promise<void> {
  await c.query(
    `insert into dismissals (incident_id, status, acknowledged_at, resolved_at, verified_at, closing_reason,
       expected_back_at, status_reason, reopened_at, unanswered_since, impacts)
     select id, status, acknowledged_at, resolved_at, verified_at, closing_reason, expected_back_at, status_reason,
       reopened_at, unanswered_since, $2 from incidents where id = $1`,
    [incidentId, JSON.stringify(impacts)],
  )
}

/** Its followers, who reported it among them, hear of it as of any other status. */
async function notifyOfStatus(
  c: Change,
  incident: Incident,
  details: { to: Incident['status']; updateId: number; dismissed?: true },
): Promise<void> {
  c.emit({
    event: 'incident.status_changed',
    incident: { ...incidentFact(incident), status: details.to },
    details: { from: incident.status, ...details },
  })
}
