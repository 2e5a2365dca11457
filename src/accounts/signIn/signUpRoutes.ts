import { z } from 'zod'
import { Problem } from '../../platform/http/answer/problem.js'
import type { Context } from '../../platform/http/context.js'
import { line } from '../../platform/http/request/input.js'
import { answeredByHandler, page } from '../../platform/http/route/answer.js'
import { route } from '../../platform/http/route/route.js'
import { User } from '../../platform/http/session/user.js'
import { limits } from '../../vocabulary/limits.js'
import { linkHere } from '../links/linkOffer.js'
import { createOwnAccount, signUpLink } from '../links/signInLink.js'
import { completeSignIn } from './signingIn.js'

const shared = {
  paths: '/sign-up/:token',
  permission: 'session.create',
  confidential: true,
  params: { token: z.string() },
  answer: page,
} as const

/**
 * Making an account behind a mailed link, in the browser that asked for it (decision 7.15). GET
 * changes nothing.
 */
export const signUpRoutes = [
  route({
    ...shared,
    method: 'get',
    summary: 'Shows which address a sign-up link is for, in the browser that requested it.',
    handle: async ({ ctx }) => ({ view: 'accounts/signUp', extras: await load(ctx) }),
  }),

  route({
    ...shared,
    method: 'post',
    summary: 'Creates an account once with the link and signs in.',
    body: z.object({ name: line('name', limits.name) }),
    form: { view: 'accounts/signUp', load },
    handle: async ({ ctx, body: { name }, actor }) => {
      const { id, browser, link } = await aliveHere(ctx)
      const made = await createOwnAccount(actor, { id, browser, name, locale: ctx.state.locale })
      if (made === null) throw new Problem(404, 'sign_in_link_over')
      const { next, typed } = link
      await completeSignIn(ctx, await User.signingIn(made), { next, typed })
      return answeredByHandler
    },
  }),
]

async function load(ctx: Context): Promise<Record<string, unknown>> {
  const { link } = await aliveHere(ctx)
  return { address: link.address, action: ctx.path, longest: limits.name }
}

/** The link, as `linkHere`. Throws 404 also when it makes no account any more. */
async function aliveHere(ctx: Context) {
  const found = await linkHere(ctx, ctx.params.token!, signUpLink)
  const { isAlive, next, typed } = found.link
  if (isAlive) return found
  // Who is no one yet asks again, with what the link would have gone on to.
  if (!ctx.state.user) ctx.state.goesOn = { next, typed }
  throw new Problem(404, 'sign_in_link_over')
}
