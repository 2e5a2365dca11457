import { config, publicAddress } from '../config.js'
import type { Topic } from '../domain/accounts/notifications.js'
import { mailHostOf } from '../domain/mail/ownMail.js'
import { type Addressee, unsubscribeToken } from '../web/session/unsubscribeToken.js'

/** The public address of a page. */
export function link(path: string): string {
  return `${publicAddress()}${path}`
}

/** The page that ends this person's mails on the topic. Throws for a contact, whom the office writes to. */
export function unsubscribeLink(who: Addressee | { contactId: number }, topic: Topic): string {
  if ('contactId' in who) throw new Error('a contact has nothing to unsubscribe from')
  return link(`/unsubscribe/${unsubscribeToken(who, topic)}`)
}

/** The host in our message ids and list ids. */
export function mailHost(): string {
  return mailHostOf(config.publicUrl, config.mail.from)
}
