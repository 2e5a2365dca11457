import { emailHostOf } from '../../vocabulary/email/ownEmail.js'
import { config } from '../process/config.js'

/** The host in our message ids and list ids. */
export function emailHost(): string {
  return emailHostOf(config.publicUrl, config.email.from)
}
