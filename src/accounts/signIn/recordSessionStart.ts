import type { Context } from '../../platform/http/context.js'
import { logSecurityOf } from '../../platform/http/protection/securityEvents.js'
import { askedBy } from '../../platform/http/session/authenticate.js'
import { deviceOfBrowser } from '../../platform/http/session/browserCookies.js'
import { beginSession } from './sessionActs.js'

/** Starts the session of a user who has just signed in with this request, and logs it. */
export async function recordSessionStart(
  ctx: Context,
  idHash: Buffer,
  user: { id: number; name: string; epoch: number },
  data: { form: string },
) {
  const actor = {
    type: 'user' as const,
    id: user.id,
    name: user.name,
    role: null,
    via: 'web' as const,
    ...askedBy(ctx.state),
  }
  const { saving } = ctx.state.signIn
  await beginSession(actor, {
    idHash,
    epoch: user.epoch,
    userAgent: ctx.get('User-Agent'),
    device: deviceOfBrowser(ctx),
    data,
    proof: typeof saving === 'object' ? saving.proof : null,
  })
  logSecurityOf(ctx, 'sign_in.succeeded')
}
