import { mailHostOf } from '../../vocabulary/email/ownEmail.js'
import type { Topic } from '../../vocabulary/notifications.js'
import { type Addressee, unsubscribeToken } from '../http/session/unsubscribeToken.js'
import { config, publicAddress } from '../ops/config.js'

/** The public address of a page. */
export function link(path: string): string {
  return `${publicAddress()}${path}`
}

/**
 * The page that ends this person's emails on the topic. Throws for a contact, whom the office
 * writes to.
 */
export function unsubscribeLink(who: Addressee | { contactId: number }, topic: Topic): string {
  if ('contactId' in who) throw new Error('a contact has nothing to unsubscribe from')
  return link(`/unsubscribe/${unsubscribeToken(who, topic)}`)
}

/** The host in our message ids and list ids. */
export function mailHost(): string {
  return mailHostOf(config.publicUrl, config.mail.from)
}
