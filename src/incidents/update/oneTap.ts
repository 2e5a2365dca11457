import { propertyText } from '../../building/property/propertyText.js'
import { change } from '../../platform/db/change.js'
import { isStaffSql } from '../../platform/http/session/user.js'
import { config } from '../../platform/ops/config.js'
import { Conflict } from '../../vocabulary/conflict.js'
import { type Status, undoneConfirmation } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { Incident } from '../incident.js'
import { appliedPatch } from './settle.js'
import { addToTimeline } from './timeline.js'
import { moveIncident, updateIncident } from './updateIncident.js'
import { verifyIncident } from './verifyIncident.js'

/**
 * What staff do to an incident with one tap and without text (decision 8.4): the statuses it may be done from, the one
 * it leads to. Each is an address of its own.
 */
export const oneTapActs = {
  acknowledge: { from: ['open'], to: 'acknowledged' },
  start: { from: ['open', 'acknowledged'], to: 'in_progress' },
  fixed: { from: ['open', 'acknowledged', 'in_progress'], to: 'resolved' },
  reopen: { from: ['resolved'], to: 'in_progress' },
  confirm: { from: ['resolved'], to: 'verified' },
  undo: { from: ['verified'], to: 'resolved' },
} as const satisfies Record<string, { from: readonly Status[]; to: Status }>
export type OneTapAct = keyof typeof oneTapActs

/** Minutes in which staff can take back that they confirmed a repair. */
const undoMinutes = 10

/**
 * Does it once. False when the incident is where the act leads already: a second tap changes nothing. Throws Conflict
 * when someone moved it somewhere else meanwhile, or merged it.
 */
export async function tap(actor: Actor, incidentId: number, act: OneTapAct): Promise<boolean> {
  try {
    await perform(actor, incidentId, act)
    return true
  } catch (error) {
    if (!(error instanceof Conflict)) throw error
    const { status, mergedIntoId } = orNotFound(await Incident.query().findById(incidentId))
    if (status !== oneTapActs[act].to || mergedIntoId !== null) throw error
    return false
  }
}

async function perform(actor: Actor, incidentId: number, act: OneTapAct): Promise<void> {
  const targets = config.slaTargets
  const text = await propertyText()
  if (act === 'undo') return undoConfirmation(actor, incidentId, text.desk.undoneEntry)
  if (act === 'confirm')
    return verifyIncident(actor, incidentId, { fixed: true, body: text.incident.verdict.fixed, targets })
  await updateIncident(actor, incidentId, {
    body: act === 'acknowledge' ? text.desk.acknowledgedEntry : '',
    newStatus: oneTapActs[act].to,
    onlyFrom: oneTapActs[act].from,
    automatic: true,
    targets,
  })
}

/**
 * Takes back the confirmation that staff gave within the last minutes: the repair waits for one again. What a resident
 * has confirmed stays. Throws Conflict otherwise.
 */
async function undoConfirmation(actor: Actor, incidentId: number, entry: string): Promise<void> {
  await change(actor, async (c) => {
    const incident = orNotFound(await Incident.locked(c.trx, incidentId))
    const stamps = undoneConfirmation(incident)
    const [confirmed] = await c.query<{
      isRecent: boolean
      closingReason: Incident['closingReason'] | undefined
    }>(
      `select at > $2::timestamptz - make_interval(mins => ${undoMinutes}) as "isRecent",
         changes #>> '{closingReason,before}' as "closingReason"
       from audit_entries e join users u on u.id = e.actor_id and ${isStaffSql('u')}
       where entity = 'incident' and entity_id = $1 and changes ? 'verifiedAt' order by e.id desc limit 1`,
      [incidentId, c.now],
    )
    if (!confirmed?.isRecent) throw new Conflict('undo_too_late')
    const before = appliedPatch(incident)
    const settled = { ...before, closingReason: confirmed.closingReason ?? before.closingReason }
    const updateId = await addToTimeline(c, incidentId, entry, stamps.status, { automatic: true })
    await moveIncident(c, incident, stamps, {
      action: 'incident.confirmation_undone',
      details: { updateId },
      targets: config.slaTargets,
      settled,
    })
  })
}
