import type { Reader } from '../../notifications/emails/reader.js'
import type { EmailContent } from '../../notifications/emails/renderEmail.js'
import { pageUrl } from '../../platform/links/pageUrl.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import type { Severity } from '../../vocabulary/severity.js'

/** The payload of the sweep's one email (decision 4.6): incidents it names, and `total` of all. */
type SweepReport = {
  total?: number
  escalated: { id: number; title: string; from: Severity; to: Severity; where: string | null }[]
}

/** To staff: incidents not acknowledged in time. */
export async function renderSweepReport({ t }: Reader, { payload }: OutboxMessage): Promise<EmailContent> {
  const { escalated, total = escalated.length } = payload as SweepReport
  const title = t.emails.subject.sweep(total)
  return {
    view: 'incidents',
    subject: title,
    about: { list: 'escalations' },
    why: t.emails.why.staff,
    unsubscribe: { topic: 'sweep', text: t.emails.stop.kind },
    data: {
      title,
      lead: t.emails.lead.sweep(total),
      items: escalated.map(({ id, title, from, to, where }) => ({
        id,
        title,
        where,
        state: t.emails.raisedFromTo(t.severity[from], t.severity[to]),
        href: pageUrl(`/incidents/${id}`),
      })),
      more: total > escalated.length ? t.emails.more(total - escalated.length) : null,
      button: { href: pageUrl('/incidents?status=open'), text: t.emails.button.list },
    },
  }
}
