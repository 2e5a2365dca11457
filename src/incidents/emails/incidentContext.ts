import type { NotifiedEvent } from '../../notifications/audience.js'
import type { Reader } from '../../notifications/emails/reader.js'
import { type Text, texts } from '../../text/index.js'
import { type OutboxMessage, partsOf } from '../../vocabulary/email/delivery.js'
import type { ClosingReason, Status } from '../../vocabulary/lifecycle.js'
import { publicViewer } from '../../vocabulary/people/actor.js'
import { shorten } from '../../vocabulary/plainText.js'
import type { Severity } from '../../vocabulary/severity.js'
import type { ListedIncident } from '../model/entity.js'
import { type PresentedIncident, presentIncident, presentUpdate } from '../model/json.js'
import { findListedIncident } from '../model/listedIncidents.js'
import { incidentPhotos } from '../model/photos.js'
import { closingReasonOf, timelineEntries } from '../model/timeline/timelineEntries.js'

/**
 * `incident`: the public view, also for staff, as emails get forwarded (decision 7.5). `survivor`:
 * itself, or what it was merged into. `row` holds hidden names: never print those.
 */
export type IncidentContext = {
  row: ListedIncident
  incident: PresentedIncident
  survivor: ListedIncident
  /** Why the update in this message closed the incident, even if it was reopened since. */
  closedFor: ClosingReason | null
}

/** Reads the context; null when there is no such incident. */
export async function incidentContext({
  incidentId,
  payload,
}: OutboxMessage): Promise<IncidentContext | null> {
  const row = incidentId === null ? null : await findListedIncident(incidentId)
  if (!row) return null
  const survivor = row.mergedIntoId === null ? row : await findListedIncident(row.mergedIntoId)
  const closedFor = await closingReasonOf(row.id, payload.updateId)
  return { row, incident: presentIncident(row, publicViewer), survivor: survivor ?? row, closedFor }
}

/**
 * Whether what the message reports was undone meanwhile (a merge, its undoing, a dismissal): it is
 * not sent then.
 */
export function isUndone({ row }: IncidentContext, { event, payload }: OutboxMessage): boolean {
  return (
    (payload.dismissed === true && row.dismissedAt === null) ||
    (event === 'incident.merged' && row.mergedIntoId === null) ||
    (event === 'incident.unmerged' && row.mergedIntoId !== null)
  )
}

/** The severity as a fact of an email, with what it means. */
export const severityFact = (t: Text, { severity }: Pick<ListedIncident, 'severity'>) => ({
  term: t.emails.severity,
  value: `${t.severity[severity]}. ${t.severityMeaning[severity]}`,
})

/** A line of the table that an email ends with, and a button or link of it. */
export type Fact = { term: string; value: string }
export type Button = { href: string; text: string }

/**
 * Replies are public, and so is what they may quote: a hidden flat is on the page alone, for staff
 * too (decision 7.5).
 */
export function placeFacts({ t, h }: Reader, { incident }: IncidentContext): Fact[] {
  const where = incident.assetName ?? incident.unitName
  return [
    ...(where ? [{ term: t.emails.where, value: where }] : []),
    { term: t.emails.reported, value: h.moment(incident.createdAt) },
  ]
}

/** Photos an email carries, reduced; the others are on the page. */
const mostPhotos = 3

/**
 * The paths of the first photos of an incident, without hidden ones, and how many there are.
 * `ofReport`: only those that came with the report itself.
 */
export async function photosToAttach(
  incidentId: number,
  { ofReport = false } = {},
): Promise<{ attached: string[]; count: number }> {
  const photos = await incidentPhotos(incidentId)
  const attachable = photos.filter(
    ({ hiddenAt, updateId }) => hiddenAt === null && (updateId === null || !ofReport),
  )
  return { attached: attachable.slice(0, mostPhotos).map(({ path }) => path), count: attachable.length }
}

/** Somebody's text, shortened for an email. */
export type Quote = { text: string; cut: boolean }

const longestQuote = 1_500

export function quoted(text: string): Quote {
  const start = shorten(text, longestQuote)
  return { text: start, cut: start !== text }
}

/** A timeline entry as everybody sees it. */
export type Words = { name: string; quote: Quote | null }

/**
 * The authors and texts of these timeline entries, oldest first; sentences of the service's own are
 * no texts.
 */
export async function updatesOf(
  incidentId: number,
  updateIds: readonly unknown[],
  { h }: Reader,
): Promise<Words[]> {
  const updates = await timelineEntries(incidentId, updateIds.filter(Number.isSafeInteger) as number[])
  return updates.map((update) => {
    const { authorName, body } = presentUpdate(update, publicViewer)
    return { name: h.person(authorName), quote: update.automatic || saysNothing(body) ? null : quoted(body) }
  })
}

/** A verification without words has our own sentence as its body, in the property's language. */
function saysNothing(body: string): boolean {
  return (
    body === '' ||
    Object.values(texts).some(({ incident: { verdict } }) => Object.values(verdict).includes(body))
  )
}

type StatedEvent = NotifiedEvent | 'incident.unmerged'

/** What happened to the incident, in a few words. */
export function stateOf(
  { t, h }: Reader,
  { row, closedFor }: IncidentContext,
  message: OutboxMessage,
): string {
  const { payload } = message
  const { state } = t.emails
  switch (message.event as StatedEvent) {
    case 'incident.created':
      return state.created(t.severity[row.severity])
    case 'incident.sla_breached':
      return payload.from === payload.to ? state.waiting : state.raised(t.severity[payload.to as Severity])
    case 'incident.merged':
      return state.merged
    case 'incident.unmerged':
      return state.unmerged
    case 'incident.commented':
      return state.comments(partsOf(message).length)
    case 'incident.status_changed':
    case 'incident.reopened': {
      if (payload.dismissed === true) return t.protection.notAReport
      const to = (payload.to ?? row.status) as Status
      return h.status(to, closedFor, payload.verification === true && to === 'in_progress')
    }
  }
}
