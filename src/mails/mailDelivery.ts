import { type NotificationSetting, settingOf, type ToldEvent } from '../domain/accounts/notifications.js'
import { isStaff } from '../domain/accounts/permissions.js'
import type { Deliver, DeliveryOutcome, OutboxMessage } from '../domain/mail/delivery.js'
import { own } from '../domain/system/own.js'
import type { User } from '../models/accounts/user.js'
import { renderInvitation, renderReset } from './account.js'
import { renderDigest } from './digest.js'
import { renderCreated, renderEscalated, renderMerged, renderStatus } from './incident.js'
import { renderNotice } from './notice.js'
import { type Reader, readerOf } from './reader.js'
import { type EmailContent, type RenderedEmail, renderEmail } from './renderedEmail.js'
import { dropped, recipientOf, suppressionReason } from './suppression.js'
import { renderSweep } from './sweep.js'

/** A kind of mail: its recipients, the setting that turns it off, if any, and its renderer. */
type Kind = {
  for: 'staff' | 'followers' | 'themselves'
  setting: NotificationSetting | null
  tell: (reader: Reader, row: OutboxMessage) => Promise<EmailContent | null>
}

/** All kinds of mail, by the event of their outbox rows. */
const kinds = {
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
  'sweep.report': { for: 'staff', setting: 'sweep.mail', tell: renderSweep },
  digest: { for: 'staff', setting: 'digest.mail', tell: renderDigest },
  'account.invited': { for: 'themselves', setting: null, tell: renderInvitation },
  'account.reset': { for: 'themselves', setting: null, tell: renderReset },
  'account.notice': { for: 'themselves', setting: null, tell: renderNotice },
} as const satisfies Record<ToldEvent, Kind> & Record<string, Kind>

/**
 * Renders the mail of an outbox row and passes it to `send`. The event chose the recipient; whether they may
 * and want to get it, and what they may see, is decided only now.
 */
export function mailDelivery(send: (letter: RenderedEmail) => Promise<DeliveryOutcome>): Deliver {
  return async (row) => {
    const kind = own<Kind>(kinds, row.event)
    if (!kind) return { as: 'failed', why: 'unknown kind of mail' }
    const user = await recipientOf(row)
    if (!user) return dropped('no recipient')
    const obstacle = await obstacleFor(user, kind, row)
    if (obstacle) return dropped(obstacle)
    const reader = await readerOf(user)
    const content = await kind.tell(reader, row)
    return content ? send(renderEmail(content, reader, user, row)) : dropped('no incident')
  }
}

async function obstacleFor(user: User, kind: Kind, { incidentId }: OutboxMessage): Promise<string | null> {
  if (user.isMobileReporter) return 'no mailbox'
  if (kind.for === 'staff' && !isStaff(user.role)) return 'not staff'
  return kind.setting && suppressionReason(user, kind.setting, kind.for === 'followers' ? incidentId : null)
}
