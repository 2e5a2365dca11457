import { renderReceived } from '../inbound/receivedEmail.js'
import { renderAssignment } from '../incidents/emails/assignment.js'
import {
  renderComments,
  renderCreated,
  renderEscalated,
  renderMerged,
  renderStatus,
  renderUnmerged,
} from '../incidents/emails/notices.js'
import { renderReceipt } from '../incidents/emails/receipt.js'
import { settingOf } from '../notifications/audience.js'
import {
  renderConfirmation,
  renderInvitation,
  renderNotice,
  renderReset,
  renderSignIn,
  renderSignUp,
} from '../notifications/emails/account.js'
import { renderAssetNews } from '../notifications/emails/assetNewsEmail.js'
import { renderDigest } from '../notifications/emails/digest.js'
import type { EmailDefinition } from '../notifications/emails/emailDelivery.js'
import type { Reader } from '../notifications/emails/reader.js'
import type { EmailContent } from '../notifications/emails/renderedEmail.js'
import { pageUrl } from '../platform/links/pageUrl.js'
import type { OutboxMessage } from '../vocabulary/email/delivery.js'
import type { EmailName } from '../vocabulary/events.js'
import type { Severity } from '../vocabulary/severity.js'

/** The payload of the sweep's one email (decision 4.6): incidents it names, and `total` of all. */
type SweepReport = {
  total?: number
  escalated: { id: number; title: string; from: Severity; to: Severity; where: string | null }[]
}

/** To staff: incidents not acknowledged in time. */
async function renderSweep({ t }: Reader, { payload }: OutboxMessage): Promise<EmailContent> {
  const { escalated, total = escalated.length } = payload as SweepReport
  const title = t.emails.subject.sweep(total)
  return {
    view: 'incidents',
    subject: title,
    about: { list: 'escalations' },
    why: t.emails.why.staff,
    stop: { topic: 'sweep', text: t.emails.stop.kind },
    given: {
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

/** All kinds of email, by the event of their outbox rows. */
export const emailKinds = {
  'incident.created': { for: 'staff', setting: settingOf('incident.created', 'mail'), render: renderCreated },
  'incident.status_changed': {
    for: 'followers',
    setting: settingOf('incident.status_changed', 'mail'),
    render: renderStatus,
  },
  'incident.sla_breached': {
    for: 'followers',
    setting: settingOf('incident.sla_breached', 'mail'),
    render: renderEscalated,
  },
  'incident.merged': {
    for: 'followers',
    setting: settingOf('incident.merged', 'mail'),
    render: renderMerged,
  },
  'incident.commented': {
    for: 'followers',
    setting: settingOf('incident.commented', 'mail'),
    render: renderComments,
  },
  'incident.reopened': {
    for: 'staff',
    setting: settingOf('incident.reopened', 'mail'),
    render: renderStatus,
  },
  'incident.receipt': {
    for: 'themselves',
    setting: settingOf('incident.created', 'mail'),
    toAddresses: true,
    render: renderReceipt,
    budget: 'acknowledgement',
    longestWait: 0,
  },
  'incident.unmerged': {
    for: 'followers',
    setting: settingOf('incident.merged', 'mail'),
    render: renderUnmerged,
  },
  'incident.handed_over': { for: 'contact', setting: null, render: renderAssignment },
  'asset.news': { for: 'followers', setting: 'asset.mail', render: renderAssetNews },
  'sweep.report': { for: 'staff', setting: 'sweep.mail', render: renderSweep },
  digest: { for: 'staff', setting: 'digest.mail', render: renderDigest },
  'account.invited': { for: 'themselves', setting: null, render: renderInvitation },
  'account.reset': { for: 'themselves', setting: null, render: renderReset },
  'account.sign_in': { for: 'themselves', setting: null, render: renderSignIn },
  'account.sign_up': {
    for: 'themselves',
    setting: null,
    render: renderSignUp,
    toAddresses: true,
    budget: 'confirmation',
    // The page says that it may take an hour.
    longestWait: 3_600,
  },
  'account.notice': { for: 'themselves', setting: null, render: renderNotice },
  'mail.received': {
    for: 'themselves',
    setting: settingOf('incident.created', 'mail'),
    toAddresses: true,
    render: renderReceived,
    budget: 'acknowledgement',
    longestWait: 0,
  },
  'follow.asked': {
    for: 'themselves',
    setting: null,
    render: renderConfirmation,
    toAddresses: true,
    budget: 'confirmation',
  },
} as const satisfies Record<EmailName, EmailDefinition>
