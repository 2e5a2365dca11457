import type { Reader } from '../../notifications/emails/reader.js'
import { mintLink } from '../../platform/links/emailLinks.js'
import { config } from '../../platform/process/config.js'
import { partsOf } from '../../vocabulary/email/delivery.js'
import { type ClosingReason, reasonNotRepaired, type Status, statusTone } from '../../vocabulary/lifecycle.js'
import { acknowledgeBy } from '../../vocabulary/severity.js'
import type { ListedIncident } from '../model/entity.js'
import { isReopened } from '../model/json/incidentJson.js'
import { type Button, severityFact } from './emailFacts.js'
import { type QuotedUpdate, quoted, quotedUpdates } from './emailQuotes.js'
import type { IncidentContext } from './incidentContext.js'
import { incidentEmail } from './incidentEmailFrame.js'
import { severityPayload, statusPayload } from './payloads.js'

const severityTones = { low: 'maintenance', medium: 'degraded', high: 'down', critical: 'down' } as const

/** To staff: the incident, its severity, its reporter and the time an answer is due. */
export const renderCreated = incidentEmail(async ({ t, h }, { row, incident }) => {
  const name = h.person(incident.reporterName)
  const target = acknowledgeBy(row.createdAt, row.severity, config.slaTargets).toISOString()
  return {
    state: { text: t.emails.state.created(t.severity[row.severity]), tone: severityTones[row.severity] },
    leads: [t.emails.lead.created(h.moment(target))],
    quotes: row.description ? [{ ...quoted(row.description), by: null }] : [],
    facts: [
      severityFact(t, row),
      { term: t.emails.by, value: row.isAnonymous ? t.emails.nameOnPage(name) : name },
    ],
    button: t.emails.button.acknowledge(row.id),
  }
})

/** To followers: the new status and the words with it; a verification is a status, too. */
export const renderStatus = incidentEmail(async (reader, { row, closedFor }, message) => {
  const { t, h } = reader
  const { to, isVerification, isDismissal } = statusPayload(message, row)
  const [update = null] = await quotedUpdates(row.id, [message.payload.updateId], reader)
  const answer = isVerification ? update : null
  const change: StatusChange = {
    to,
    isReopening: answer !== null && to === 'in_progress',
    why: reasonNotRepaired(to, closedFor),
  }
  return {
    state: {
      text: isDismissal ? t.protection.notAReport : h.status(to, closedFor, change.isReopening),
      tone: statusTone(to, closedFor, change.isReopening),
    },
    leads: leadsOf(reader, change, { answer, isDismissal, isQuoted: Boolean(update?.quote) }),
    quotes: update?.quote ? [{ ...update.quote, by: answer ? null : update.name }] : [],
    answers: to === 'resolved' && row.status === 'resolved' ? await answersOf(reader, row) : [],
  }
})

/** `isReopening`: a resident says that it is not fixed. `why`: closed without a repair. */
type StatusChange = { to: Status; isReopening: boolean; why: ClosingReason | null }

/** What the state does not say; where someone wrote something, that is the news. */
function leadsOf(
  { t }: Reader,
  { to, isReopening, why }: StatusChange,
  { answer, isDismissal, isQuoted }: { answer: QuotedUpdate | null; isDismissal: boolean; isQuoted: boolean },
): string[] {
  if (answer) return [t.emails.lead[isReopening ? 'notFixed' : 'fixed'](answer.name)]
  if (isDismissal) return [t.protection.dismissedEntry]
  return why || (isQuoted && to !== 'resolved') ? [] : [t.statusNews[to]]
}

/** To followers: the incident was not acknowledged in time. */
export const renderEscalated = incidentEmail(async ({ t, h }, { row }, message) => {
  const { from, to } = severityPayload(message)
  const rose = from !== to
  return {
    state: { text: rose ? t.emails.state.raised(t.severity[to]) : t.emails.state.waiting, tone: 'down' },
    leads: [rose ? t.emails.lead.raised(t.severity[from], t.severity[to]) : t.emails.lead.waiting],
    facts: [{ term: t.emails.status, value: statusNow(h, row) }],
  }
})

/** To followers of the duplicate: where the incident continues. */
export const renderMerged = incidentEmail(async ({ t, h }, { survivor }) => ({
  state: { text: t.emails.state.merged, tone: 'maintenance' },
  leads: [t.emails.lead.merged(survivor.id)],
  facts: [
    { term: t.emails.survivor, value: `INC-${survivor.id}: ${survivor.title}` },
    { term: t.emails.status, value: statusNow(h, survivor) },
  ],
}))

/** Comments quoted in one email; earlier ones are only counted. */
const mostQuoted = 50

/**
 * To followers: what was written within a few minutes (decision 7.2). The same words for every
 * reader.
 */
export const renderComments = incidentEmail(async (reader, { row }, message) => {
  const { t, h } = reader
  const ids = partsOf(message).map(({ payload }) => payload.updateId)
  const comments = await quotedUpdates(row.id, ids, reader)
  const quotes = comments.flatMap(({ name, quote }) => (quote ? [{ ...quote, by: name }] : []))
  const left = quotes.length - mostQuoted
  return {
    state: { text: t.emails.state.comments(comments.length), tone: 'maintenance' },
    leads: left > 0 ? [t.emails.lead.earlier(left)] : [],
    quotes: quotes.slice(-mostQuoted),
    facts: [{ term: t.emails.status, value: statusNow(h, row) }],
  }
})

/** To people who got the email about a merge that was undone. */
export const renderUnmerged = incidentEmail(async ({ t, h }, { row }, { payload }) => ({
  state: { text: t.emails.state.unmerged, tone: 'maintenance' },
  leads: [t.emails.lead.unmerged(Number(payload.survivorId))],
  facts: [{ term: t.emails.status, value: statusNow(h, row) }],
}))

/** The status an incident has now. */
const statusNow = (h: Reader['h'], row: ListedIncident) =>
  h.status(row.status, row.closingReason, isReopened(row))

/**
 * Links to say yes or no, which need no session: only for an account, as others cannot verify
 * (decision 7.15). They work for a time from the repair on.
 */
async function answersOf({ who, t }: Reader, { id, resolvedAt }: IncidentContext['row']): Promise<Button[]> {
  if (!('userId' in who) || !resolvedAt) return []
  const data = { incidentId: id, resolvedAt: resolvedAt.toISOString() }
  const { href } = await mintLink({ purpose: 'answer', who, data, from: resolvedAt })
  return [
    { href, text: t.incident.yes },
    { href: `${href}?no=1`, text: t.incident.no },
  ]
}
