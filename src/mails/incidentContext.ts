import { publicViewer } from '../domain/accounts/actor.js'
import type { OutboxMessage } from '../domain/mail/delivery.js'
import { Incident, type ListedIncident } from '../models/incidents/incident.js'
import { type PresentedIncident, presentIncident, presentUpdate } from '../presenters/incidents/incident.js'
import { texts } from '../text/index.js'
import type { Reader } from './reader.js'
import { shortened } from './renderedEmail.js'

/**
 * The incident of a message as it is now, `incident` as everybody may see it: mails are answered, forwarded and quoted, so
 * they name no anonymous reporter, to staff neither (decision 7.5). `survivor` is where it goes on: itself, or what it was
 * merged into. `row` is for rules and for what everybody may read, never for names.
 */
export type IncidentContext = { row: ListedIncident; incident: PresentedIncident; survivor: ListedIncident }

/** Reads it; null when there is no such incident. */
export async function incidentContext({ incidentId }: OutboxMessage): Promise<IncidentContext | null> {
  const row = incidentId === null ? null : await Incident.find(incidentId)
  if (!row) return null
  const survivor = row.mergedIntoId === null ? row : await Incident.find(row.mergedIntoId)
  return { row, incident: presentIncident(row, publicViewer), survivor: survivor ?? row }
}

/** Somebody's words, cut to what a mail has room for. */
export type Quote = { text: string; cut: boolean }

const longestQuote = 1_500

/** Quotes what somebody wrote. */
export function quoted(text: string): Quote {
  const shown = shortened(text, longestQuote)
  return { text: shown, cut: shown !== text }
}

/** The names and words of a timeline entry as everybody may see them; null when there is no such entry. */
export async function updateOf(
  incidentId: number,
  updateId: unknown,
  { h }: Reader,
): Promise<{ name: string; quote: Quote | null } | null> {
  const update = (await Incident.timeline(incidentId)).find(({ id }) => id === updateId)
  if (!update) return null
  const { authorName, body } = presentUpdate(update, publicViewer)
  const name = h.person(authorName)
  return { name, quote: saysNothing(body) ? null : quoted(body) }
}

/** A verification without words has a sentence of ours in their place, in the language of whoever verified. */
function saysNothing(body: string): boolean {
  return (
    body === '' ||
    Object.values(texts).some(({ incident: { verdict } }) => Object.values(verdict).includes(body))
  )
}
