import { config, publicAddress } from '../config.js'
import type { Topic } from '../domain/notifications.js'
import { unsubscribeToken } from '../web/unsubscribeToken.js'

/** A page of ours as people outside can open it. */
export function link(path: string): string {
  return `${publicAddress()}${path}`
}

/** Where this person ends what the topic names. */
export function unsubscribeLink(userId: number, topic: Topic): string {
  return link(`/unsubscribe/${unsubscribeToken(userId, topic)}`)
}

/** The host our message ids and list ids are of: the one people know us by, else the sender's. */
export function mailHost(): string {
  if (config.publicUrl) return new URL(config.publicUrl).hostname
  return /@([\w.-]+)/.exec(config.mail.from)?.[1] ?? 'localhost'
}
