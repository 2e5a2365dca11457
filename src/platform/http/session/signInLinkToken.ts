import { sealing } from './sealing.js'

const { seal, open } = sealing('sign-in link')
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The token of a mailed link to sign in. */
export const signInLinkToken = (id: string): string => seal(id)

/** The id of the link a token was made for; null for a forged one. */
export function readSignInLinkToken(token: string): string | null {
  const id = open(token)
  return id !== null && uuid.test(id) ? id : null
}
