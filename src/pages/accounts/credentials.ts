import { provenHash, provenUser } from '../../actions/accounts/session.js'
import { ValidationFailed } from '../../domain/system/validation.js'
import { type CurrentUser, User } from '../../models/accounts/user.js'
import { Problem } from '../../web/answer/problem.js'
import type { Context } from '../../web/context.js'
import { guarded } from '../../web/session/guarded.js'

/**
 * The user with this address and password; opens no session. Throws 401 when there is none, 429 after too
 * many attempts (decisions 1.1, 1.6).
 */
export async function userBehind(ctx: Context, email: string, password: string): Promise<CurrentUser> {
  const { folded, user } = await User.byAddress(email)
  const whose = user ? { userId: user.id } : { address: folded }
  const proven = await guarded(ctx, whose, (network) => provenUser(user, password, network))
  if (!proven) throw new Problem(401, 'wrong_credentials')
  return proven
}

/**
 * The stored hash of the signed-in user's password, once it is typed again. Attempts count like those at the
 * sign-in. Throws ValidationFailed at `currentPassword`, 429.
 */
export async function ownPassword(ctx: Context, currentPassword: string): Promise<string> {
  const userId = ctx.state.user!.id
  const proven = await guarded(ctx, { userId }, (network) => provenHash(userId, currentPassword, network))
  if (proven === null) throw new ValidationFailed({ currentPassword: ['password_wrong'] })
  return proven
}
