import type { LinkData, LinkPurpose } from '../../vocabulary/email/linkPurposes.js'
import { emailHostOf } from '../../vocabulary/email/ownEmail.js'
import { config, publicAddress } from '../process/config.js'

/** The public address of a page. */
export function link(path: string): string {
  return `${publicAddress()}${path}`
}

/** The host in our message ids and list ids. */
export function emailHost(): string {
  return emailHostOf(config.publicUrl, config.email.from)
}

/** Whom a link is for: an account, or a person without one. */
export type Addressee = { userId: number } | { emailFollowerId: number }

/** A stored link. `isOver`: its time is up; `isUsed`: it was used before. */
export type EmailLink<P extends LinkPurpose = LinkPurpose> = Addressee & {
  purpose: P
  tokenHash: Buffer
  data: LinkData[P]
  isOver: boolean
  isUsed: boolean
}
