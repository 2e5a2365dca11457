import { Problem } from '../../platform/http/answer/problem.js'
import type { Context } from '../../platform/http/context.js'
import { codeLimit, countOrRefuse, forgive } from '../../platform/http/protection/throttle.js'
import { unauthenticated } from '../../platform/http/request/allow.js'
import { guarded } from '../../platform/http/session/authenticate.js'
import { renewSession } from '../../platform/http/session/sessions.js'
import { NotFound } from '../../vocabulary/validation.js'
import { acceptCode } from '../secondFactor/signInCode.js'
import { passwordIsClosed } from './credentials.js'
import { provenHash } from './session.js'
import { secondFactorKey } from './signingIn.js'

/**
 * Checks a signed-in user's password, and code with a second factor, and renews the session under a
 * new id (decision 7.12). Throws 403 sign_in_again naming the wrong field, 429.
 */
export async function signInAgain(
  ctx: Context,
  { password, code }: { password: string; code: string },
): Promise<void> {
  const { actor, user } = ctx.state
  if (!user) return
  const prove = (network: string) => provenHash(user.id, password, network)
  if (await passwordIsClosed(user)) throw again('againPassword', 'password_closed')
  if (password.length > 1024 || (await guarded(ctx, { userId: user.id }, prove)) === null)
    throw again('againPassword', 'password_wrong')
  if (user.hasSecondFactor) {
    const who = await secondFactorKey(ctx, user.id)
    await countOrRefuse(codeLimit, who)
    if (!(await acceptCode(actor, code))) throw again('againCode', 'code_wrong')
    await forgive(codeLimit, who)
  }
  // Pressed twice, the second request has the session id that the first has replaced.
  await renewSession(ctx).catch((error: unknown) => {
    throw error instanceof NotFound ? unauthenticated() : error
  })
}

function again(field: string, problem: string): Problem {
  return new Problem(403, 'sign_in_again', { members: { errors: { [field]: [problem] } } })
}
