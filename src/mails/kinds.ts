import { type NotificationSetting, settingOf, type ToldEvent } from '../domain/accounts/notifications.js'
import type { OutboxMessage } from '../domain/mail/delivery.js'
import type { EmailBudget } from '../domain/mail/mailLimits.js'
import { renderInvitation, renderReset, renderSignIn, renderSignUp } from './accounts/account.js'
import { renderConfirmation } from './accounts/confirmation.js'
import { renderNotice } from './accounts/notice.js'
import { renderHandedOver } from './contacts/handedOver.js'
import { renderDigest } from './digest.js'
import {
  renderComments,
  renderCreated,
  renderEscalated,
  renderMerged,
  renderStatus,
  renderUnmerged,
} from './incident.js'
import type { Reader } from './reader.js'
import { renderReceived } from './received.js'
import type { EmailContent } from './renderedEmail.js'
import { renderAssetNews } from './status/assetNews.js'
import { renderSweep } from './sweep.js'

/** A kind of mail: its recipients, the setting that turns it off, if any, and its renderer. */
export type Kind = {
  for: 'staff' | 'followers' | 'themselves' | 'contact'
  setting: NotificationSetting | null
  tell: (reader: Reader, row: OutboxMessage) => Promise<EmailContent | null>
  /** Of a kind for themselves: also sent to people without an account. What followers get always is. */
  toAddresses?: true
  /**
   * The budget it spends when it goes to a person without an account who has pressed no button of ours; they get no
   * other kind (decision 7.4).
   */
  budget?: EmailBudget
  /** It is dropped where that budget is spent, because it would come too late; by default it waits. */
  overLimit?: 'drop'
}

/** All kinds of mail, by the event of their outbox rows. */
export const kinds = {
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
} as const satisfies Record<ToldEvent, Kind> & Record<string, Kind>
