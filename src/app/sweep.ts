import { escalateOverdue, type SweepResult } from '../incidents/acts/escalateOverdue.js'
import { sendReminders } from '../maintenance/reminders.js'
import { change } from '../platform/db/change.js'
import { announceStatus } from '../status/announceStatus.js'
import { changesBetween } from '../vocabulary/audit.js'
import type { Actor } from '../vocabulary/people/actor.js'
import type { SlaTargets } from '../vocabulary/severity.js'

/**
 * A run of the sweep: escalates, and leaves an audit entry in any case (decision 4.6). It also
 * announces status changes that come with time, as planned work starts or ends, and sends
 * reminders, so that a building without a worker needs this cron job alone (decision 3.5).
 */
export async function sweep(actor: Actor, targets: SlaTargets): Promise<SweepResult> {
  const result = await escalateOverdue(actor, targets)
  const { checked, escalated } = result
  await change(actor, async (c) => {
    c.audit('sweep.finished', null, changesBetween(null, { checked, escalated: escalated.length }))
  })
  await announceStatus(null)
  await sendReminders()
  return result
}
