import { mailHostOf } from '../../vocabulary/email/ownEmail.js'
import { config, publicAddress } from '../ops/config.js'

/** The public address of a page. */
export function link(path: string): string {
  return `${publicAddress()}${path}`
}

/** The host in our message ids and list ids. */
export function mailHost(): string {
  return mailHostOf(config.publicUrl, config.mail.from)
}
