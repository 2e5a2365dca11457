import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import type { EmailBudget } from '../../vocabulary/email/emailLimits.js'
import type { NotificationSetting } from '../../vocabulary/notifications.js'
import type { Reader } from './reader.js'
import type { EmailContent } from './renderedEmail.js'

/** A kind of mail: its recipients, the setting that turns it off, if any, and its renderer. */
export type EmailKind = {
  for: 'staff' | 'followers' | 'themselves' | 'contact'
  setting: NotificationSetting | null
  tell: (reader: Reader, row: OutboxMessage) => Promise<EmailContent | null>
  /**
   * Of a kind for themselves: also sent to people without an account. What followers get always is.
   */
  toAddresses?: true
  /**
   * The budget it spends when it goes to a person without an account who has pressed no button of
   * ours; they get no other kind (decision 7.4).
   */
  budget?: EmailBudget
  /**
   * It is dropped where that budget is spent, because it would come too late; by default it waits.
   */
  overLimit?: 'drop'
}
