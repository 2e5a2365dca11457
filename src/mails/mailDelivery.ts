import { type NotificationSetting, settingOf, type ToldEvent } from '../domain/accounts/notifications.js'
import { isStaff } from '../domain/accounts/permissions.js'
import type { Deliver, Outcome, Outgoing } from '../domain/mail/delivery.js'
import { own } from '../domain/system/own.js'
import type { User } from '../models/accounts/user.js'
import { tellInvited, tellReset } from './account.js'
import { tellDigest } from './digest.js'
import { tellCreated, tellEscalated, tellMerged, tellStatus } from './incident.js'
import { type Content, type Letter, letterOf } from './letter.js'
import { tellNotice } from './notice.js'
import { type Reader, readerOf } from './reader.js'
import { dropped, recipientOf, secondThoughts } from './recipient.js'
import { tellSweep } from './sweep.js'

/** A kind of mail: who it is for, the setting that turns it off if one does, and how it is written. */
type Kind = {
  for: 'staff' | 'followers' | 'themselves'
  setting: NotificationSetting | null
  tell: (reader: Reader, row: Outgoing) => Promise<Content | null>
}

/** The mails of events and those of our own, by the event of their outbox rows. */
const kinds = {
  'incident.created': { for: 'staff', setting: settingOf['incident.created'].mail, tell: tellCreated },
  'incident.status_changed': {
    for: 'followers',
    setting: settingOf['incident.status_changed'].mail,
    tell: tellStatus,
  },
  'incident.sla_breached': {
    for: 'followers',
    setting: settingOf['incident.sla_breached'].mail,
    tell: tellEscalated,
  },
  'incident.merged': { for: 'followers', setting: settingOf['incident.merged'].mail, tell: tellMerged },
  'sweep.report': { for: 'staff', setting: 'sweep.mail', tell: tellSweep },
  digest: { for: 'staff', setting: 'digest.mail', tell: tellDigest },
  'account.invited': { for: 'themselves', setting: null, tell: tellInvited },
  'account.reset': { for: 'themselves', setting: null, tell: tellReset },
  'account.notice': { for: 'themselves', setting: null, tell: tellNotice },
} as const satisfies Record<ToldEvent, Kind> & Record<string, Kind>

/**
 * Writes the mail of an outbox row and hands it to `send`. Who was to be told was decided with the event; whether they
 * still may and want to be, and what of it they may see, is decided here, at the last moment.
 */
export function mailDelivery(send: (letter: Letter) => Promise<Outcome>): Deliver {
  return async (row) => {
    const kind = own<Kind>(kinds, row.event)
    if (!kind) return { as: 'failed', why: 'unknown kind of mail' }
    const user = await recipientOf(row)
    if (!user) return dropped('no recipient')
    const obstacle = await obstacleFor(user, kind, row)
    if (obstacle) return dropped(obstacle)
    const reader = await readerOf(user)
    const content = await kind.tell(reader, row)
    return content ? send(letterOf(content, reader, user, row)) : dropped('no incident')
  }
}

async function obstacleFor(user: User, kind: Kind, { incidentId }: Outgoing): Promise<string | null> {
  if (user.isMobileReporter) return 'no mailbox'
  if (kind.for === 'staff' && !isStaff(user.role)) return 'not staff'
  return kind.setting && secondThoughts(user, kind.setting, kind.for === 'followers' ? incidentId : null)
}
