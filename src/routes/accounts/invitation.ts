import { passwordLinkRoutes } from './passwordLink.js'

/** The link in the mail to somebody new (decision 6.1). */
export const invitationRoutes = passwordLinkRoutes(
  ['/invitation/:token', '/api/auth/invitation/:token'],
  'invite',
)
