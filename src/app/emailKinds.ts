import { renderReceived } from '../inbound/emails/receivedNotice.js'
import { renderAssignment } from '../incidents/emails/assignment.js'
import {
  renderComments,
  renderCreated,
  renderEscalated,
  renderMerged,
  renderStatus,
  renderUnmerged,
} from '../incidents/emails/incidentEmails.js'
import { renderReceipt } from '../incidents/emails/receipt.js'
import { renderSweepReport } from '../incidents/emails/sweepReport.js'
import { type NotifiedEvent, notifiedEvents, settingOf } from '../notifications/audience.js'
import { renderDigest } from '../notifications/digest/digestEmail.js'
import {
  renderConfirmation,
  renderInvitation,
  renderNotice,
  renderReset,
  renderSignIn,
  renderSignUp,
} from '../notifications/emails/accountEmails.js'
import { renderAssetNews } from '../notifications/emails/assetNewsEmail.js'
import type { EmailDefinition } from '../notifications/emails/emailDelivery.js'
import type { EmailName } from '../vocabulary/events.js'

/** The email about an event, to those whom the table of audiences names. */
function notificationOf(event: NotifiedEvent, render: EmailDefinition['render']): EmailDefinition {
  const isForFollowers = notifiedEvents[event].mail === 'followers'
  return { for: isForFollowers ? 'followers' : 'staff', setting: settingOf(event, 'mail'), render }
}

/** All kinds of email, by the event of their outbox rows. */
export const emailKinds = {
  'incident.created': notificationOf('incident.created', renderCreated),
  'incident.status_changed': notificationOf('incident.status_changed', renderStatus),
  'incident.sla_breached': notificationOf('incident.sla_breached', renderEscalated),
  'incident.merged': notificationOf('incident.merged', renderMerged),
  'incident.commented': notificationOf('incident.commented', renderComments),
  'incident.reopened': notificationOf('incident.reopened', renderStatus),
  'incident.receipt': {
    for: 'recipient',
    setting: settingOf('incident.created', 'mail'),
    toEmailFollowers: true,
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
  'sweep.report': { for: 'staff', setting: 'sweep.mail', render: renderSweepReport },
  digest: { for: 'staff', setting: 'digest.mail', render: renderDigest },
  'account.invited': { for: 'recipient', setting: null, render: renderInvitation },
  'account.reset': { for: 'recipient', setting: null, render: renderReset },
  'account.sign_in': { for: 'recipient', setting: null, render: renderSignIn },
  'account.sign_up': {
    for: 'recipient',
    setting: null,
    render: renderSignUp,
    toEmailFollowers: true,
    budget: 'confirmation',
    // The page says that it may take an hour.
    longestWait: 3_600,
  },
  'account.notice': { for: 'recipient', setting: null, render: renderNotice },
  'mail.received': {
    for: 'recipient',
    setting: settingOf('incident.created', 'mail'),
    toEmailFollowers: true,
    render: renderReceived,
    budget: 'acknowledgement',
    longestWait: 0,
  },
  'follow.asked': {
    for: 'recipient',
    setting: null,
    render: renderConfirmation,
    toEmailFollowers: true,
    budget: 'confirmation',
  },
} as const satisfies Record<EmailName, EmailDefinition>
