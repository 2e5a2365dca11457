import { renderReceived } from '../inbound/receivedEmail.js'
import { renderHandedOver } from '../incidents/emails/handedOver.js'
import {
  renderComments,
  renderCreated,
  renderEscalated,
  renderMerged,
  renderStatus,
  renderUnmerged,
} from '../incidents/emails/incident.js'
import { renderInvitation, renderReset, renderSignIn, renderSignUp } from '../notifications/emails/account.js'
import { renderAssetNews } from '../notifications/emails/assetNewsEmail.js'
import { renderDigest } from '../notifications/emails/digest.js'
import type { EmailKind } from '../notifications/emails/kind.js'
import { renderNotice } from '../notifications/emails/notice.js'
import { renderConfirmation } from '../notifications/follow/confirmationEmail.js'
import { type NotifiedEvent, settingOf } from '../vocabulary/notifications.js'
import { renderSweep } from './sweepEmail.js'

/** All kinds of mail, by the event of their outbox rows. */
export const emailKinds = {
  'incident.created': { for: 'staff', setting: settingOf['incident.created'].mail, tell: renderCreated },
  'incident.status_changed': {
    for: 'followers',
    setting: settingOf['incident.status_changed'].mail,
    tell: renderStatus,
  },
  'incident.sla_breached': {
    for: 'followers',
    setting: settingOf['incident.sla_breached'].mail,
    tell: renderEscalated,
  },
  'incident.merged': { for: 'followers', setting: settingOf['incident.merged'].mail, tell: renderMerged },
  'incident.commented': {
    for: 'followers',
    setting: settingOf['incident.commented'].mail,
    tell: renderComments,
  },
  'incident.reopened': { for: 'staff', setting: settingOf['incident.reopened'].mail, tell: renderStatus },
  'incident.unmerged': { for: 'followers', setting: settingOf['incident.merged'].mail, tell: renderUnmerged },
  'incident.handed_over': { for: 'contact', setting: null, tell: renderHandedOver },
  'asset.news': { for: 'followers', setting: 'asset.mail', tell: renderAssetNews },
  'sweep.report': { for: 'staff', setting: 'sweep.mail', tell: renderSweep },
  digest: { for: 'staff', setting: 'digest.mail', tell: renderDigest },
  'account.invited': { for: 'themselves', setting: null, tell: renderInvitation },
  'account.reset': { for: 'themselves', setting: null, tell: renderReset },
  'account.sign_in': { for: 'themselves', setting: null, tell: renderSignIn },
  'account.sign_up': {
    for: 'themselves',
    setting: null,
    tell: renderSignUp,
    toAddresses: true,
    budget: 'confirmation',
    overLimit: 'drop',
  },
  'account.notice': { for: 'themselves', setting: null, tell: renderNotice },
  'mail.received': {
    for: 'themselves',
    setting: settingOf['incident.status_changed'].mail,
    toAddresses: true,
    tell: renderReceived,
    budget: 'acknowledgement',
    overLimit: 'drop',
  },
  'follow.asked': {
    for: 'themselves',
    setting: null,
    tell: renderConfirmation,
    toAddresses: true,
    budget: 'confirmation',
  },
} as const satisfies Record<NotifiedEvent, EmailKind> & Record<string, EmailKind>
