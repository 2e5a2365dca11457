import { passwordLinkRoutes } from './passwordLinkRoutes.js'

/** The link in the invitation of a new user (decision 6.1). */
export const invitationRoutes = passwordLinkRoutes(
  ['/invitation/:token', '/api/auth/invitation/:token'],
  'invite',
)
