import type { Context } from '../../platform/http/context.js'
import type { CurrentUser } from '../../platform/http/currentUser.js'
import { forgive, limitOf, quarterHour } from '../../platform/http/protection/actCounters.js'
import { ownBrowser } from '../../platform/http/protection/signInLimits.js'
import { countOrRefuse } from '../../platform/http/protection/throttle.js'
import { actorOf } from '../../platform/http/session/authenticate.js'
import { config } from '../../platform/process/config.js'
import { acceptCode } from '../secondFactor/signInCode.js'

/** Wrong second-factor codes: per account, and apart for each browser that the account knows. */
const codeLimit = limitOf('code', Math.ceil(config.throttles.signIn / 2), quarterHour)

/** Right passwords without a code, counted in the same way. */
export const passwordOnlyLimit = limitOf('half', 3 * config.throttles.signIn, quarterHour)

/**
 * Whether the user's code is right; a right code is used up. The attempt counts before the check,
 * and a right code resets the count.
 */
export async function codeAccepted(
  ctx: Context,
  user: CurrentUser,
  code: string,
  pending?: Buffer,
): Promise<boolean> {
  const key = await secondFactorKey(ctx, user.id)
  ctx.state.signIn.attemptedUser = { userId: user.id }
  await countOrRefuse(codeLimit, key)
  if (!(await acceptCode(actorOf(ctx.state, user), code, pending))) return false
  await Promise.all([forgive(codeLimit, key), forgive(passwordOnlyLimit, key)])
  return true
}

/** Who tries a code: a browser the account knows, or any other, which then locks out no owner. */
export async function secondFactorKey(ctx: Context, userId: number): Promise<string> {
  const own = await ownBrowser(ctx, { userId })
  return own ? `${userId} ${own}` : String(userId)
}
