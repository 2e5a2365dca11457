import type { AppRouter } from '../../web/context.js'
import { addPasswordLink } from './passwordLink.js'

/** The link in the mail to somebody new (decision 6.1). */
export function invitationRoutes(router: AppRouter): void {
  addPasswordLink(router, 'invitation', 'invite')
}
