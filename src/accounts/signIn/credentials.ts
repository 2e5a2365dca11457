import type { Context } from '../../platform/http/context.js'
import type { CurrentUser } from '../../platform/http/currentUser.js'
import { Problem } from '../../platform/http/problem.js'
import { withPasswordLimits } from '../../platform/http/protection/signInLimits.js'
import { unauthenticated } from '../../platform/http/request/allow.js'
import { renewSession } from '../../platform/http/session/sessionCookie.js'
import { config } from '../../platform/process/config.js'
import { isStaff, type Role } from '../../vocabulary/people/permissions.js'
import { NotFound, orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { longestComparedPassword, passwordMatches } from '../users/passwords.js'
import { type Credentials, User } from '../users/user.js'
import { codeAccepted } from './codeAttempts.js'

/**
 * The user when the password is right, else null, after equal work for an unknown user, a wrong or
 * missing password and an inactive account (decision 1.1). `network`: of the request. Throws
 * Overloaded.
 */
async function provenUser(
  user: Credentials | null,
  password: string,
  network: string,
): Promise<CurrentUser | null> {
  const matches = await passwordMatches(password, user?.passwordHash ?? null, network)
  if (!user || !matches || !user.active) return null
  const { passwordHash: _passwordHash, active: _active, ...current } = user
  return current
}

/** The user's stored hash when the password is right, else null. Throws NotFound, Overloaded. */
async function provenHash(id: number, password: string, network: string): Promise<string | null> {
  const { passwordHash } = orNotFound(await User.query().findById(id).select('passwordHash'))
  return (await passwordMatches(password, passwordHash, network)) ? passwordHash : null
}

/**
 * The user with this address and password; opens no session. Throws 401 when there is none, 429
 * after too many attempts (decisions 1.1, 1.6).
 */
export async function userBehind(ctx: Context, email: string, password: string): Promise<CurrentUser> {
  const { folded, user } = await User.byAddress(email)
  const whose = user ? { userId: user.id } : { address: folded }
  const proven = await withPasswordLimits(ctx, whose, (network) => provenUser(user, password, network))
  if (!proven) throw new Problem(401, 'wrong_credentials')
  await requirePasswordOpen(proven)
  return proven
}

/**
 * Whether a password is no way into this account: OIDC_ONLY closes it to staff, but for an hour
 * after the command line has given them one (decision 7.20).
 */
export async function passwordIsClosed({ id, role }: { id: number; role: Role }): Promise<boolean> {
  return config.singleSignOn?.only === true && isStaff(role) && !(await User.passwordIsOpen(id))
}

/** Throws 401 when a password is no way into this account. */
export async function requirePasswordOpen(user: { id: number; role: Role }): Promise<void> {
  if (await passwordIsClosed(user)) throw new Problem(401, 'password_closed')
}

/**
 * The stored hash of the signed-in user's password, once it is typed again. Attempts count like
 * those at the sign-in. Throws ValidationFailed at `currentPassword`, 429.
 */
export async function ownPassword(ctx: Context, currentPassword: string): Promise<string> {
  const userId = ctx.state.user!.id
  if (await passwordIsClosed(ctx.state.user!))
    throw new ValidationFailed({ currentPassword: ['password_closed'] })
  const proven = await withPasswordLimits(ctx, { userId }, (network) =>
    provenHash(userId, currentPassword, network),
  )
  if (proven === null) throw new ValidationFailed({ currentPassword: ['password_wrong'] })
  return proven
}

/**
 * Checks a signed-in user's password, and code with a second factor, and renews the session under
 * a new id (decision 7.12). Throws 403 sign_in_again naming the wrong field, 429.
 */
export async function signInAgain(
  ctx: Context,
  { password, code }: { password: string; code: string },
): Promise<void> {
  const { user } = ctx.state
  if (!user) return
  const prove = (network: string) => provenHash(user.id, password, network)
  if (await passwordIsClosed(user)) throw signInAgainProblem('againPassword', 'password_closed')
  if (
    password.length > longestComparedPassword ||
    (await withPasswordLimits(ctx, { userId: user.id }, prove)) === null
  )
    throw signInAgainProblem('againPassword', 'password_wrong')
  if (user.hasSecondFactor && !(await codeAccepted(ctx, user, code)))
    throw signInAgainProblem('againCode', 'code_wrong')
  // When the button is pressed twice, the second request has the session id that the first has
  // replaced.
  await renewSession(ctx).catch((error: unknown) => {
    throw error instanceof NotFound ? unauthenticated() : error
  })
}

function signInAgainProblem(field: string, problem: string): Problem {
  return new Problem(403, 'sign_in_again', { members: { errors: { [field]: [problem] } } })
}
