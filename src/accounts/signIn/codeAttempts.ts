import type { Context } from '../../platform/http/context.js'
import type { CurrentUser } from '../../platform/http/currentUser.js'
import { limitOf, quarterHour, resetCounter, uncountAct } from '../../platform/http/protection/actCounters.js'
import { ownBrowser } from '../../platform/http/protection/signInLimits.js'
import { countOrRefuse } from '../../platform/http/protection/throttle.js'
import { actorOf } from '../../platform/http/session/authenticate.js'
import { config } from '../../platform/process/config.js'
import { acceptCode } from '../secondFactor/signInCode.js'

/** Wrong second-factor codes: per account, and apart for each browser that the account knows. */
const codeLimit = limitOf('code', Math.ceil(config.throttles.signIn / 2), quarterHour)

/** Right passwords without a code, counted in the same way. */
const passwordOnlyLimit = limitOf('password-without-code', 3 * config.throttles.signIn, quarterHour)

/**
 * Whether the user's code is right; a right code is used up. The attempt counts before the check. A
 * right code resets the counts of a browser that the account knows. In any other it takes back only
 * what this sign-in has counted: strangers count there as well, and a sign-in of the owner would
 * give whoever has the password fresh guesses. `pending`: the sign-in that the code completes; what
 * its password was counted for is taken back, while one by email or identity was not counted.
 */
export async function codeAccepted(
  ctx: Context,
  user: CurrentUser,
  code: string,
  pending?: { idHash: Buffer; byPassword: boolean },
): Promise<boolean> {
  const { who, isOwn } = await codeCountedFor(ctx, user.id)
  ctx.state.signIn.attemptedUser = { userId: user.id }
  await countOrRefuse(codeLimit, who)
  if (!(await acceptCode(actorOf(ctx.state, user), code, pending?.idHash))) return false
  if (isOwn) {
    await Promise.all([resetCounter(codeLimit, who), resetCounter(passwordOnlyLimit, who)])
  } else {
    await uncountAct(codeLimit, who)
    if (pending?.byPassword) await uncountAct(passwordOnlyLimit, who)
  }
  return true
}

/** Counts a right password without a code. Throws 429. */
export async function countPasswordOnly(ctx: Context, userId: number): Promise<void> {
  const { who } = await codeCountedFor(ctx, userId)
  await countOrRefuse(passwordOnlyLimit, who)
}

/** Who tries a code: a browser the account knows, or any other, which then locks out no owner. */
async function codeCountedFor(ctx: Context, userId: number): Promise<{ who: string; isOwn: boolean }> {
  const own = await ownBrowser(ctx, { userId })
  return { who: own ? `${userId} ${own}` : String(userId), isOwn: own !== null }
}
