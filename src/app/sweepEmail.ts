import type { Reader } from '../notifications/emails/reader.js'
import type { EmailContent } from '../notifications/emails/renderedEmail.js'
import { link } from '../platform/mail/links.js'
import type { OutboxMessage } from '../vocabulary/email/delivery.js'
import type { Severity } from '../vocabulary/severity.js'

/** The payload of the sweep's one mail per run (decision 4.6): incidents it names, and `total` of all. */
export type SweepReport = {
  total?: number
  escalated: { id: number; title: string; from: Severity; to: Severity; where: string | null }[]
}

/** To staff: incidents not acknowledged in time. */
export async function renderSweep({ t }: Reader, { payload }: OutboxMessage): Promise<EmailContent> {
  const { escalated, total = escalated.length } = payload as SweepReport
  const title = t.mails.subject.sweep(total)
  return {
    view: 'incidents',
    subject: title,
    about: { list: 'escalations' },
    why: t.mails.why.staff,
    stop: { topic: 'sweep', text: t.mails.stop.kind },
    given: {
      title,
      lead: t.mails.lead.sweep(total),
      items: escalated.map(({ id, title, from, to, where }) => ({
        id,
        title,
        where,
        state: t.mails.raisedFromTo(t.severity[from], t.severity[to]),
        href: link(`/incidents/${id}`),
      })),
      more: total > escalated.length ? t.mails.more(total - escalated.length) : null,
      button: { href: link('/incidents?status=open'), text: t.mails.button.list },
    },
  }
}
