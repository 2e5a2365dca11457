import type { Role } from '../../vocabulary/people/permissions.js'
import type { Context } from './context.js'

/** What the platform calls of features in a request. */
type FeatureHooks = {
  /** Checks password and code within the live session (decision 7.12). Throws Problem. */
  signInAgain(ctx: Context, given: { password: string; code: string }): Promise<void>
  /** Whether a password is no way into this account (decision 7.20). */
  passwordIsClosed(user: { id: number; role: Role }): Promise<boolean>
  /** The setup step of a new building that is next; null when there is none left. */
  nextStep(): Promise<{ name: string; address: string } | null>
}

let registered: FeatureHooks | null = null

/** Called once, by `app/app.ts`. */
export function registerFeatureHooks(hooks: FeatureHooks): void {
  registered = hooks
}

/** The registered functions. Throws when there are none. */
export function featureHooks(): FeatureHooks {
  if (!registered) throw new Error('no feature hooks are registered')
  return registered
}
