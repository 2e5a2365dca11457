import type { LinkPurpose } from '../../vocabulary/email/linkPurposes.js'
import { emailHostOf } from '../../vocabulary/email/ownEmail.js'
import type { Topic } from '../../vocabulary/events.js'
import { config, publicAddress } from '../process/config.js'

/** The public address of a page. */
export function link(path: string): string {
  return `${publicAddress()}${path}`
}

/** The host in our message ids and list ids. */
export function emailHost(): string {
  return emailHostOf(config.publicUrl, config.mail.from)
}

/** Whom a link is for: an account, or a person without one. */
export type Addressee = { userId: number } | { mailFollowerId: number }

/** What the link to sign in or to make an account goes on to; `browser`: the hash of who asked. */
type Asked = { browser: string; next: string | null; typed: string | null }

/** What a link of each purpose is about. */
export type LinkData = {
  sign_in: Asked
  sign_up: Asked
  reset: Record<never, never>
  invite: Record<never, never>
  follow: { followed: string }
  /** A repair is told by its moment, so that no link answers for a later one. */
  answer: { incidentId: number; resolvedAt: string }
  unsubscribe: { topic: Topic }
}

/** A stored link. `isOver`: its time is up; `isUsed`: it was used before. */
export type EmailLink<P extends LinkPurpose = LinkPurpose> = Addressee & {
  purpose: P
  tokenHash: Buffer
  data: LinkData[P]
  isOver: boolean
  isUsed: boolean
}
