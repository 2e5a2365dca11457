import { z } from 'zod'
import { signUp } from '../../actions/accounts/signInLink.js'
import { limits } from '../../domain/system/limits.js'
import { signUpLink } from '../../models/accounts/signInLink.js'
import { User } from '../../models/accounts/user.js'
import { enter } from '../../pages/accounts/signingIn.js'
import { Problem } from '../../web/answer/problem.js'
import type { Context } from '../../web/context.js'
import { line } from '../../web/request/input.js'
import { answered, page } from '../../web/route/answer.js'
import { route } from '../../web/route/route.js'
import { guestOf } from '../../web/session/browserCookies.js'
import { guardedLink } from '../../web/session/guarded.js'
import { readSignInLinkToken } from '../../web/session/signInLinkToken.js'

const shared = {
  paths: '/sign-up/:token',
  permission: 'session.create',
  confidential: true,
  params: { token: z.string() },
  answer: page,
} as const

/** Making an account behind a mailed link, in the browser that asked for it (decision 7.15). GET changes nothing. */
export const signUpRoutes = [
  route({
    ...shared,
    method: 'get',
    summary: 'The address a mailed link would make an account for, in the browser that asked for it.',
    handle: async ({ ctx }) => ({ view: 'accounts/signUp', extras: await load(ctx) }),
  }),

  route({
    ...shared,
    method: 'post',
    summary: 'Makes an account, once, and signs in.',
    body: z.object({ name: line('name', limits.name) }),
    form: { view: 'accounts/signUp', load },
    handle: async ({ ctx, body: { name }, actor }) => {
      const { id, browser, link } = await linkHere(ctx)
      const made = await signUp(actor, { id, browser, name, locale: ctx.state.locale })
      if (made === null) throw new Problem(404, 'sign_in_link_over')
      const { next, typed } = link
      await enter(ctx, await User.signingIn(made), { next, typed })
      return answered
    },
  }),
]

async function load(ctx: Context): Promise<Record<string, unknown>> {
  const { link } = await linkHere(ctx)
  return { address: link.address, action: ctx.path, longest: limits.name }
}

/** The link, when this browser asked for it. Throws 404 when it makes no account, 403 in another browser, 429. */
async function linkHere(ctx: Context) {
  const browser = guestOf(ctx)
  const id = readSignInLinkToken(ctx.params.token!)
  const link = await guardedLink(ctx, async () => id && signUpLink(id, browser))
  if (!link || !id) throw new Problem(404, 'sign_in_link_over')
  if (!link.isHere || !browser) throw new Problem(403, 'sign_in_link_elsewhere')
  if (link.isAlive) return { id, browser, link }
  // Who is nobody yet asks again, with what the link would have gone on to.
  if (!ctx.state.user) ctx.state.goesOn = { next: link.next, typed: link.typed }
  throw new Problem(404, 'sign_in_link_over')
}
