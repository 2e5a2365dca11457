import { z } from 'zod'
import { Problem } from '../../platform/http/answer/problem.js'
import type { Context } from '../../platform/http/context.js'
import { line } from '../../platform/http/request/input.js'
import { answeredByHandler, page } from '../../platform/http/route/answer.js'
import { linkRoute } from '../../platform/http/route/linkRoute.js'
import { route } from '../../platform/http/route/route.js'
import { User } from '../../platform/http/session/user.js'
import { limits } from '../../vocabulary/limits.js'
import { createOwnAccount, offerAnother, signUpLink } from '../links/signInLink.js'
import { completeSignIn } from './signingIn.js'

const shared = {
  paths: '/sign-up/:token',
  permission: 'session.create',
  answer: page,
  ...linkRoute(
    'sign_up',
    async (link, ctx) => {
      const found = await signUpLink(link, ctx)
      if (found && !found.isAlive) offerAnother(ctx, found)
      return found?.isAlive ? found : null
    },
    offerAnother,
  ),
} as const

/** Making an account behind a mailed link, in the browser that asked for it (decision 7.15). */
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
    handle: async ({ ctx, subject, body: { name }, actor }) => {
      const made = await createOwnAccount(actor, subject, { name, locale: ctx.state.locale })
      if (made === null) throw new Problem(404, 'sign_in_link_over')
      const { next, typed } = subject
      await completeSignIn(ctx, await User.signingIn(made), { next, typed })
      return answeredByHandler
    },
  }),
]

async function load(ctx: Context): Promise<Record<string, unknown>> {
  const { address } = await shared.subject({ ctx })
  return { address, action: ctx.path, longest: limits.name }
}
