import { reportIncident } from '../incidents/report/reportIncident.js'
import { editIncident } from '../incidents/update/editIncident.js'
import { updateIncident } from '../incidents/update/updateIncident.js'
import { verifyIncident } from '../incidents/update/verifyIncident.js'
import { change } from '../platform/db/change.js'
import { query } from '../platform/db/database.js'
import { config } from '../platform/ops/config.js'
import { changesBetween } from '../vocabulary/audit.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { dateIn } from '../vocabulary/time/calendar.js'
import { HOUR } from '../vocabulary/time/durations.js'
import type { Act } from './acts.js'
import { actorOf, actRequest, type Cast, placeOf, readCast } from './cast.js'
import { takePhotos } from './pictures.js'
import { property } from './places.js'
import type { Cost, Expected, Story } from './story.js'

/**
 * Does the acts in order, each in its own change and as its teller, through the actions that requests use.
 * Skips those already in the audit log, from an interrupted start.
 */
export async function tell(acts: readonly Act[]): Promise<void> {
  const cast = await readCast()
  const told = await actsTold()
  const incidents = new Map<Story, number>()
  for (const act of acts) {
    const incidentId = told.get(act.key) ?? (await perform(act, cast, incidents.get(act.story)))
    incidents.set(act.story, incidentId)
  }
}

/** The incident of each act done so far, by the act's key. */
async function actsTold(): Promise<Map<string, number>> {
  const rows = await query<{ key: string; incidentId: number }>(
    `select substr(request_id, length($1) + 1) as key, entity_id as "incidentId"
     from audit_entries where starts_with(request_id, $1)`,
    [actRequest],
  )
  return new Map(rows.map(({ key, incidentId }) => [key, incidentId]))
}

async function perform(act: Act, cast: Cast, incidentId: number | undefined): Promise<number> {
  const actor = actorOf(act, cast)
  if (incidentId === undefined) return report(actor, act.story, cast)
  if (act.turn && 'cost' in act.turn) await enterCost(actor, incidentId, act.turn.cost)
  else if (act.turn && 'expected' in act.turn) await expectBack(actor, incidentId, act.turn.expected)
  else if (act.turn) {
    const { body, newStatus, photos } = act.turn
    const stored = await takePhotos(photos)
    const targets = config.slaTargets
    if (newStatus === 'verified') await verifyIncident(actor, incidentId, { fixed: true, body, targets })
    else await updateIncident(actor, incidentId, { body, newStatus, targets }, { stored, staged: [] })
  }
  return incidentId
}

async function report(actor: Actor, story: Story, cast: Cast): Promise<number> {
  const { title, description, severity, anonymous = false, photos = [] } = story
  const stored = await takePhotos(photos)
  const fields = { title, description, severity, isAnonymous: anonymous, ...placeOf(story, cast) }
  const { incident } = await reportIncident(actor, fields, { stored, staged: [] })
  return incident.id
}

async function expectBack(actor: Actor, incidentId: number, { reason, hoursAhead }: Expected): Promise<void> {
  const nextHour = Math.ceil(Date.now() / HOUR) * HOUR
  const expectedBackAt = new Date(nextHour + hoursAhead * HOUR)
  await editIncident(actor, incidentId, { statusReason: reason, expectedBackAt })
}

async function enterCost(actor: Actor, incidentId: number, cost: Cost): Promise<void> {
  await change(actor, async (c) => {
    const incurredOn = dateIn(property.timezone, c.now.getTime())
    await c.query(
      `insert into repair_costs (incident_id, amount_cents, vendor, invoice_ref, note, incurred_on, created_by, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [incidentId, cost.amountCents, cost.vendor, cost.invoiceRef, cost.note, incurredOn, actor.id, c.now],
    )
    c.audit('incident.cost_added', incidentId, changesBetween(null, { ...cost, incurredOn }))
  })
}
