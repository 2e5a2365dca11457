import { provenHash, provenUser } from '../../actions/accounts/session.js'
import { ValidationFailed } from '../../domain/system/validation.js'
import { type CurrentUser, User } from '../../models/accounts/user.js'
import { Problem } from '../../web/answer/problem.js'
import type { Context } from '../../web/context.js'
import { guarded } from '../../web/session/guarded.js'

/**
 * Who is behind an address and a password: the whole of trying to sign in, up to the session. 401 when it is nobody,
 * 429 when it was tried too often (decisions 1.1, 1.6).
 */
export async function userBehind(ctx: Context, email: string, password: string): Promise<CurrentUser> {
  const { folded, user } = await User.byAddress(email)
  const whose = user ? { userId: user.id } : { address: folded }
  const proven = await guarded(ctx, whose, (network) => provenUser(user, password, network))
  if (!proven) throw new Problem(401, 'wrong_credentials')
  return proven
}

/**
 * The stored form of the password of whoever is signed in, once they have typed it again. Guesses count like those at
 * the sign-in. Throws Invalid at `currentPassword`, 429.
 */
export async function ownPassword(ctx: Context, currentPassword: string): Promise<string> {
  const userId = ctx.state.user!.id
  const proven = await guarded(ctx, { userId }, (network) => provenHash(userId, currentPassword, network))
  if (proven === null) throw new ValidationFailed({ currentPassword: ['password_wrong'] })
  return proven
}
