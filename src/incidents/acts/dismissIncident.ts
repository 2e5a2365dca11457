import { enqueueExpectedNews } from '../../notifications/follow/enqueueAssetNews.js'
import { type Change, change } from '../../platform/db/change.js'
import { announceBeforeCorrection } from '../../status/announceStatus.js'
import { impactsOf } from '../../status/impacts/readImpacts.js'
import { replaceImpacts } from '../../status/impacts/storeImpacts.js'
import type { PlacedSpan } from '../../status/rules/correctedImpacts.js'
import { changesBetween } from '../../vocabulary/audit.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { incidentFact } from '../../vocabulary/events.js'
import { closingStamps, refuseMerged } from '../../vocabulary/lifecycle.js'
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
    await storeDismissal(c, incidentId, impacts)
    await announceBeforeCorrection(
      c,
      impacts.map(({ assetId }) => assetId),
    )
    await replaceImpacts(c.query, incidentId, [])
    const stamps = closingStamps(incident, c.now)
    // A dismissed report has no target, so closing it late is no breach.
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
    // The entry has no new status: it would read "Confirmed fixed".
    const updateId = await addAutomaticEntry(c, incidentId, entry)
    c.audit('incident.dismissed', incidentId, changesBetween({ status: from }, { status: stamps.status }))
    await notifyOfStatus(c, incident, { to: stamps.status, updateId, dismissed: true })
    if (incident.expectedBackAt !== null) await enqueueExpectedNews(c, incident.assetId)
  })
}

/**
 * Undoes a dismissal: the incident and what it did to its asset are as before, and replies that
 * came meanwhile still wait for an answer; a second time is harmless. Throws NotFound; Conflict for
 * a merged duplicate.
 */
export async function reinstateIncident(actor: Actor, incidentId: number, entry: string): Promise<void> {
  await change(actor, async (c) => {
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    refuseMerged(incident)
    if (incident.dismissedAt === null) return c.noop()
    const [before] = await c.query<Pick<Incident, 'status' | 'expectedBackAt'> & { impacts: StoredImpact[] }>(
      `with dismissal as (delete from dismissals where incident_id = $1 returning *)
       update incidents i set status = d.status, acknowledged_at = d.acknowledged_at, resolved_at = d.resolved_at,
         verified_at = d.verified_at, closing_reason = d.closing_reason, expected_back_at = d.expected_back_at,
         status_reason = d.status_reason, reopened_at = d.reopened_at,
         unanswered_since = coalesce(d.unanswered_since, i.unanswered_since), dismissed_at = null
       from dismissal d where i.id = d.incident_id returning i.status, i.expected_back_at, d.impacts`,
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

/** An impact as the dismissal stores it, in JSON: one that still runs has no end. */
type StoredImpact = Omit<PlacedSpan, 'end'> & { end: number | null }

/** With duplicates, several people have reported the same thing. */
async function refuseSurvivor(c: Change, incidentId: number): Promise<void> {
  const duplicate = await Incident.query(c.trx).findOne({ mergedIntoId: incidentId }).select('id')
  if (duplicate) throw new Conflict('dismiss_has_duplicates')
}

async function storeDismissal(c: Change, incidentId: number, impacts: readonly PlacedSpan[]): Promise<void> {
  await c.query(
    `insert into dismissals (incident_id, status, acknowledged_at, resolved_at, verified_at, closing_reason,
       expected_back_at, status_reason, reopened_at, unanswered_since, impacts)
     select id, status, acknowledged_at, resolved_at, verified_at, closing_reason, expected_back_at, status_reason,
       reopened_at, unanswered_since, $2 from incidents where id = $1`,
    [incidentId, JSON.stringify(impacts)],
  )
}

/** Followers, the reporter included, get the email about a new status. */
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
