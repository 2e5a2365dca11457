import { propertyText } from '../../building/building.js'
import { type Status, takenStatuses } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { patchIncident } from './patchIncident.js'
import { undoConfirmation } from './undoConfirmation.js'

/**
 * What staff do to an incident with one tap and without text (decision 8.4): the statuses it may be
 * done from, the one it leads to. Each is an address of its own.
 */
export const oneTapActs = {
  acknowledge: { from: ['open'], to: 'acknowledged' },
  start: { from: ['open', 'acknowledged'], to: 'in_progress' },
  fixed: { from: ['open', ...takenStatuses], to: 'resolved' },
  confirm: { from: ['resolved'], to: 'verified' },
  reopen: { from: ['resolved'], to: 'in_progress' },
  undo: { from: ['verified'], to: 'resolved' },
} as const satisfies Record<string, { from: readonly Status[]; to: Status }>
export type OneTapAct = keyof typeof oneTapActs

/**
 * The acts that an incident's page offers at a status, the next step first. A notice offers the
 * undoing.
 */
export function nextActs(status: Status): OneTapAct[] {
  const acts = Object.keys(oneTapActs) as OneTapAct[]
  const from = (act: OneTapAct): readonly Status[] => oneTapActs[act].from
  return acts.filter((act) => act !== 'undo' && from(act).includes(status))
}

/** Does it. Throws Conflict when someone moved the incident meanwhile, or merged it. */
export async function performOneTap(actor: Actor, incidentId: number, act: OneTapAct): Promise<void> {
  switch (act) {
    case 'undo':
      return undoConfirmation(actor, incidentId)
    case 'confirm': {
      const { verdict } = (await propertyText()).incident
      await patchIncident(actor, incidentId, { body: verdict.fixed, move: 'fixed', byOffice: true })
      return
    }
    case 'acknowledge':
      return acknowledgeIncident(actor, incidentId, (await propertyText()).desk.acknowledgedEntry)
    default: {
      const { from: onlyFrom, to: newStatus } = oneTapActs[act]
      await patchIncident(actor, incidentId, { body: '', newStatus, automatic: true }, { onlyFrom })
    }
  }
}

/**
 * Acknowledges an open incident; `words`: what its timeline says. Throws as `performOneTap` does.
 */
export async function acknowledgeIncident(actor: Actor, incidentId: number, words: string): Promise<void> {
  const { from: onlyFrom, to: newStatus } = oneTapActs.acknowledge
  await patchIncident(actor, incidentId, { body: words, newStatus, automatic: true }, { onlyFrom })
}
