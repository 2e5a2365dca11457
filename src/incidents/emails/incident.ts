import type { NotifiedEvent } from '../../notifications/audience.js'
import { hasAccount, type Reader } from '../../notifications/emails/reader.js'
import type { EmailContent } from '../../notifications/emails/renderedEmail.js'
import { mintLink } from '../../platform/links/emailLinks.js'
import { pageUrl } from '../../platform/links/pageUrl.js'
import { config } from '../../platform/process/config.js'
import type { PushMessage } from '../../platform/push/push.js'
import type { AssetStatus } from '../../vocabulary/assetStatus.js'
import { own } from '../../vocabulary/collections.js'
import { type OutboxMessage, partsOf } from '../../vocabulary/email/delivery.js'
import { type ClosingReason, type Status, statusLooks, unrepaired } from '../../vocabulary/lifecycle.js'
import { acknowledgeBy, type Severity } from '../../vocabulary/severity.js'
import type { ListedIncident } from '../model/entity.js'
import { isReopened } from '../model/json.js'
import {
  type Button,
  type Fact,
  type IncidentContext,
  incidentContext,
  isUndone,
  placeFacts,
  type Quote,
  quoted,
  severityFact,
  updatesOf,
} from './incidentContext.js'
import { threadSubject } from './threadSubject.js'

/** Incidents named in one email; the others are only counted. */
const mostNamed = 50

const topics = {
  'incident.status_changed': 'status',
  'incident.sla_breached': 'escalated',
  'incident.merged': 'merged',
  'incident.unmerged': 'unmerged',
} as const satisfies Partial<Record<NotifiedEvent | 'incident.unmerged', string>>
type Topic = (typeof topics)[keyof typeof topics]

/**
 * To followers: what one act, or several in a short time, did to many incidents: each with its
 * latest state.
 */
async function renderMany(reader: Reader, parts: readonly OutboxMessage[]): Promise<EmailContent | null> {
  const { t } = reader
  const latest = [...new Map(parts.map((part) => [part.incidentId, part])).values()]
  const topic = own<Topic>(topics, latest[0]?.event)
  if (!topic) return null
  const contexts = await Promise.all(latest.slice(0, mostNamed).map(incidentContext))
  const items = contexts.flatMap((context, i) =>
    context && !isUndone(context, latest[i]!) ? [itemOf(reader, context, latest[i]!)] : [],
  )
  if (items.length === 0) return null
  const title = t.emails.subject.many(items.length + Math.max(0, latest.length - mostNamed))
  return {
    view: 'incidents',
    subject: title,
    about: { list: 'incidents' },
    why: t.emails.why.followerOfMany,
    stop: { topic: topic === 'unmerged' ? 'merged' : topic, text: t.emails.stop.kind },
    given: {
      title,
      lead: t.emails.lead.many[topic],
      items,
      more: latest.length > mostNamed ? t.emails.more(latest.length - mostNamed) : null,
      button: { href: pageUrl('/incidents'), text: t.emails.button.list },
    },
  }
}

function itemOf(reader: Reader, context: IncidentContext, part: OutboxMessage) {
  const { t } = reader
  const { row, incident, survivor } = context
  const state = stateOf(reader, context, part)
  return {
    id: row.id,
    title: row.title,
    where: incident.assetName ?? incident.unitName,
    state: survivor.id === row.id ? state : `${state}. ${t.emails.survivor} INC-${survivor.id}`,
    href: pageUrl(`/incidents/${survivor.id}`),
  }
}

type StatedEvent = NotifiedEvent | 'incident.unmerged'

/** What happened to the incident, in a few words. */
function stateOf({ t, h }: Reader, { row, closedFor }: IncidentContext, message: OutboxMessage): string {
  const { event, payload } = message
  const { state } = t.emails
  const to = (payload.to ?? row.status) as Status
  const changed = () => {
    if (payload.dismissed === true) return t.protection.notAReport
    return h.status(to, closedFor, payload.verification === true && to === 'in_progress')
  }
  const states: Record<StatedEvent, () => string> = {
    'incident.created': () => state.created(t.severity[row.severity]),
    'incident.status_changed': changed,
    'incident.reopened': changed,
    'incident.sla_breached': () =>
      payload.from === payload.to ? state.waiting : state.raised(t.severity[payload.to as Severity]),
    'incident.merged': () => state.merged,
    'incident.unmerged': () => state.unmerged,
    'incident.commented': () => state.comments(partsOf(message).length),
  }
  return states[event as StatedEvent]()
}

/** What one kind of incident email adds to the common frame. `tone` is the colour of the state. */
type Notice = {
  state: { text: string; tone: AssetStatus }
  leads: string[]
  /** `by` is null when it is clear who wrote the quote. */
  quotes?: (Quote & { by: string | null })[]
  facts?: Fact[]
  /** By default it opens the report. */
  button?: string
  /** Buttons before it, the first of them in its place. */
  answers?: Button[]
}
type RenderNotice = (reader: Reader, story: IncidentContext, row: OutboxMessage) => Promise<Notice>

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
export const renderStatus = incidentEmail(async (reader, { row, closedFor }, { payload }) => {
  const { t, h } = reader
  const to = (payload.to ?? row.status) as Status
  const [update = null] = await updatesOf(row.id, [payload.updateId], reader)
  const verdict = payload.verification === true && update
  const notFixed = verdict !== false && verdict !== null && to === 'in_progress'
  const why = unrepaired(to, closedFor)
  const word = payload.dismissed === true ? t.protection.notAReport : h.status(to, closedFor, notFixed)
  return {
    state: { text: word, tone: notFixed ? 'degraded' : why ? 'maintenance' : statusLooks[to].tone },
    leads: verdict
      ? [t.emails.lead[notFixed ? 'notFixed' : 'fixed'](update.name)]
      : payload.dismissed === true
        ? [t.protection.dismissedEntry]
        : leadOf(reader, to, { why, isQuoted: Boolean(update?.quote) }),
    quotes: update?.quote ? [{ ...update.quote, by: verdict ? null : update.name }] : [],
    answers: to === 'resolved' && row.status === 'resolved' ? await answersOf(reader, row) : [],
  }
})

/** What the state does not say; where someone wrote something, that is the news. */
function leadOf(
  { t }: Reader,
  to: Status,
  { why, isQuoted }: { why: ClosingReason | null; isQuoted: boolean },
): string[] {
  return why || (isQuoted && to !== 'resolved') ? [] : [t.statusNews[to]]
}

/** To followers: the incident was not acknowledged in time. */
export const renderEscalated = incidentEmail(async ({ t, h }, { row }, { payload }) => {
  const [from, to] = [payload.from as Severity, payload.to as Severity]
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
  const words = await updatesOf(row.id, ids, reader)
  const quotes = words.flatMap(({ name, quote }) => (quote ? [{ ...quote, by: name }] : []))
  const left = quotes.length - mostQuoted
  return {
    state: { text: t.emails.state.comments(words.length), tone: 'maintenance' },
    leads: left > 0 ? [t.emails.lead.earlier(left)] : [],
    quotes: quotes.slice(-mostQuoted),
    facts: [{ term: t.emails.status, value: statusNow(h, row) }],
  }
})
/** To those who were told of a merge that was undone. */
export const renderUnmerged = incidentEmail(async ({ t, h }, { row }, { payload }) => ({
  state: { text: t.emails.state.unmerged, tone: 'maintenance' },
  leads: [t.emails.lead.unmerged(Number(payload.survivorId))],
  facts: [{ term: t.emails.status, value: statusNow(h, row) }],
}))

/** The status an incident has now. */
const statusNow = (h: Reader['h'], row: ListedIncident) =>
  h.status(row.status, row.closingReason, isReopened(row))

/** What all incident emails share: thread, place, time, link and unsubscribe links. */
function incidentEmail(render: RenderNotice) {
  return async (reader: Reader, outgoing: OutboxMessage): Promise<EmailContent | null> => {
    const parts = partsOf(outgoing)
    if (parts.length > 1 && outgoing.event !== 'incident.commented') return renderMany(reader, parts)
    const story = await incidentContext(outgoing)
    if (!story || isUndone(story, outgoing)) return null
    const notice = await render(reader, story, outgoing)
    const { t } = reader
    const { row, survivor } = story
    const forStaff = outgoing.event === 'incident.created' || outgoing.event === 'incident.reopened'
    return {
      view: 'notice',
      subject: await threadSubject(reader, row),
      about: { incidentId: row.id },
      why: forStaff ? t.emails.why.staff : t.emails.why.follower(row.id),
      stop: forStaff
        ? { topic: 'created', text: t.emails.stop.kind }
        : { topic: `incident:${row.id}`, text: t.emails.stop.incident },
      ...(outgoing.event === 'incident.commented' && hasAccount(reader)
        ? { less: { topic: 'comment', text: t.emails.stop.comments } }
        : {}),
      given: {
        title: row.title,
        state: notice.state,
        leads: [...notice.leads, ...mergedSince(reader, story, outgoing)],
        quotes: notice.quotes ?? [],
        facts: [...placeFacts(reader, story), ...(notice.facts ?? []), ...expectedOf(reader, story)],
        ...buttonsOf(notice.answers, {
          href: pageUrl(`/incidents/${survivor.id}`),
          text: survivor.id === row.id && notice.button ? notice.button : t.emails.button.open(survivor.id),
        }),
      },
    }
  }
}

/**
 * The answers to a question are buttons of equal weight (decision 9.11), and the email's usual
 * button becomes a link.
 */
function buttonsOf(answers: Button[] = [], own: Button): { buttons: Button[]; others: Button[] } {
  return answers.length > 0 ? { buttons: answers, others: [own] } : { buttons: [own], others: [] }
}

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

function mergedSince({ t }: Reader, { row, survivor }: IncidentContext, { event }: OutboxMessage): string[] {
  const since = survivor.id !== row.id && event !== 'incident.merged'
  return since ? [t.emails.lead.mergedSince(survivor.id)] : []
}

/** The office's forecast, in the words of the pages. */
function expectedOf({ t, h }: Reader, { survivor }: IncidentContext): Fact[] {
  const { statusReason, expectedBackAt } = survivor
  const { answers, live } = t
  return [
    ...(statusReason ? [{ term: answers.statusReason, value: live.reason(statusReason) }] : []),
    ...(expectedBackAt
      ? [{ term: answers.expectedBackAt, value: h.moment(expectedBackAt.toISOString()) }]
      : []),
  ]
}

/**
 * The push of an event. It names nobody: others can read a lock screen. Null without such an
 * incident.
 */
export async function pushOf(reader: Reader, outgoing: OutboxMessage): Promise<PushMessage | null> {
  const story = await incidentContext(outgoing)
  if (!story || isUndone(story, outgoing)) return null
  const { t } = reader
  const { row, survivor } = story
  const others = new Set(partsOf(outgoing).map(({ incidentId }) => incidentId)).size - 1
  const title = t.emails.push.title(stateOf(reader, story, outgoing), row.id)
  return {
    title: others > 0 ? t.emails.push.andOthers(title, others) : title,
    body: row.title,
    data: { incidentId: String(survivor.id), event: outgoing.event },
    page: `/incidents/${survivor.id}`,
    collapseKey: `incident-${row.id}`,
  }
}
