import { config, publicAddress } from '../config.js'
import type { Topic } from '../domain/accounts/notifications.js'
import { mailHostOf } from '../domain/mail/ownMail.js'
import { unsubscribeToken } from '../web/session/unsubscribeToken.js'

/** A page of ours as people outside can open it. */
export function link(path: string): string {
  return `${publicAddress()}${path}`
}

/** Where this person ends what the topic names. */
export function unsubscribeLink(userId: number, topic: Topic): string {
  return link(`/unsubscribe/${unsubscribeToken(userId, topic)}`)
}

/** The host our message ids and list ids are of. */
export function mailHost(): string {
  return mailHostOf(config.publicUrl, config.mail.from)
}
