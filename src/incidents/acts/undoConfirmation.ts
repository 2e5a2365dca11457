import { propertyText } from '../../building/building.js'
import { change } from '../../platform/db/change.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { refuseMerged, undoConfirmationStamps } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../model/incident.js'
import { undoableConfirmation } from '../model/undoableConfirmation.js'
import { applyPatch } from './applyPatch.js'

/**
 * Takes back a confirmation: the repair waits for one again. Throws Conflict when it is too late,
 * or another person's.
 */
export async function undoConfirmation(actor: Actor, incidentId: number): Promise<void> {
  const { desk, incident: words } = await propertyText()
  await change(actor, async (c) => {
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    refuseMerged(incident)
    undoConfirmationStamps(incident)
    const confirmed = await undoableConfirmation(c.query, actor, incidentId, c.now)
    if (!confirmed) throw new Conflict('undo_too_late')
    const { closingReason, byReporter } = confirmed
    const byOffice = isStaff(actor.role ?? 'guest') && !byReporter
    const body = byOffice ? desk.undoneEntry : words.verdict.undone
    await applyPatch(c, incident, { body, move: 'undo', automatic: true, closingReason, byOffice })
  })
}
