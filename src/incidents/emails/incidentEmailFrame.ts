import { hasAccount, type Reader } from '../../notifications/emails/reader.js'
import type { EmailContent } from '../../notifications/emails/renderEmail.js'
import { pageUrl } from '../../platform/links/pageUrl.js'
import { type OutboxMessage, partsOf } from '../../vocabulary/email/delivery.js'
import type { StatusTone } from '../../vocabulary/lifecycle.js'
import { type Button, type Fact, placeFacts } from './emailFacts.js'
import type { Quote } from './emailQuotes.js'
import { type IncidentContext, incidentContext, isUndone } from './incidentContext.js'
import { renderMany } from './manyIncidents.js'
import { threadSubject } from './threadSubject.js'

/** What one kind of incident email adds to the common frame. `tone` is the colour of the state. */
type Notice = {
  state: { text: string; tone: StatusTone }
  leads: string[]
  /** `by` is null when it is clear who wrote the quote. */
  quotes?: (Quote & { by: string | null })[]
  facts?: Fact[]
  /** The words of the button that leads to the report; without them it says that it opens it. */
  button?: string
  /** The answers to a question, as buttons; the one that leads to the report is a link then. */
  answers?: Button[]
}
type RenderNotice = (reader: Reader, context: IncidentContext, message: OutboxMessage) => Promise<Notice>

/** What all incident emails share: thread, place, time, page and unsubscribe links. */
export function incidentEmail(render: RenderNotice) {
  return async (reader: Reader, message: OutboxMessage): Promise<EmailContent | null> => {
    const parts = partsOf(message)
    if (parts.length > 1 && message.event !== 'incident.commented') return renderMany(reader, parts)
    const context = await incidentContext(message)
    if (!context || isUndone(context, message)) return null
    const notice = await render(reader, context, message)
    const { t } = reader
    const { row, survivor } = context
    const forStaff = message.event === 'incident.created' || message.event === 'incident.reopened'
    return {
      view: 'notice',
      subject: await threadSubject(reader, row),
      about: { incidentId: row.id },
      why: forStaff ? t.emails.why.staff : t.emails.why.follower(row.id),
      unsubscribe: forStaff
        ? { topic: 'created', text: t.emails.stop.kind }
        : { topic: `incident:${row.id}`, text: t.emails.stop.incident },
      ...(message.event === 'incident.commented' && hasAccount(reader)
        ? { unsubscribeLess: { topic: 'comment', text: t.emails.stop.comments } }
        : {}),
      data: {
        title: row.title,
        state: notice.state,
        leads: [...notice.leads, ...mergedSince(reader, context, message)],
        quotes: notice.quotes ?? [],
        facts: [...placeFacts(reader, context), ...(notice.facts ?? []), ...expectedOf(reader, context)],
        ...buttonsOf(notice.answers, {
          href: pageUrl(`/incidents/${survivor.id}`),
          text: survivor.id === row.id && notice.button ? notice.button : t.emails.button.open(survivor.id),
        }),
      },
    }
  }
}

/** Answers are buttons of equal weight (decision 9.11). */
function buttonsOf(answers: Button[] = [], own: Button): { buttons: Button[]; others: Button[] } {
  return answers.length > 0 ? { buttons: answers, others: [own] } : { buttons: [own], others: [] }
}

function mergedSince({ t }: Reader, { row, survivor }: IncidentContext, { event }: OutboxMessage): string[] {
  const since = survivor.id !== row.id && event !== 'incident.merged'
  return since ? [t.emails.lead.mergedSince(survivor.id)] : []
}

/** The office's forecast, in the words of the pages. */
function expectedOf({ t, h }: Reader, { survivor }: IncidentContext): Fact[] {
  const { statusReason, expectedBackAt } = survivor
  const { answers, faultState } = t
  return [
    ...(statusReason ? [{ term: answers.statusReason, value: faultState.reason(statusReason) }] : []),
    ...(expectedBackAt
      ? [{ term: answers.expectedBackAt, value: h.moment(expectedBackAt.toISOString()) }]
      : []),
  ]
}
