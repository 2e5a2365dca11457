import type { Role } from '../../vocabulary/people/permissions.js'
import type { Context } from './context.js'

/** What the platform needs of features in a request. */
export type Features = {
  /**
   * Checks password and code within the live session. Throws Problem when they are wrong (decision
   * 7.12).
   */
  signInAgain(ctx: Context, given: { password: string; code: string }): Promise<void>
  /** Whether a password is no way into this account (decision 7.20). */
  passwordIsClosed(user: { id: number; role: Role }): Promise<boolean>
  /** The setup step of a new building that is next; null when there is none left. */
  nextStep(): Promise<{ name: string; address: string } | null>
}

let registered: Features | null = null

/** Says which functions of features these are. `app/app.ts` does. */
export function registerFeatures(given: Features): void {
  registered = given
}

/** The registered functions. Throws when nothing registered them. */
export function features(): Features {
  if (!registered) throw new Error('no features are registered')
  return registered
}
