import { z } from 'zod'
import { usePasswordLink } from '../../actions/accounts/accountLinks.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { NotFound } from '../../domain/system/invalid.js'
import { type Holder, holderOf, type Purpose } from '../../models/accounts/accountToken.js'
import { User } from '../../models/accounts/user.js'
import { newPassword } from '../../pages/accounts/passwordField.js'
import { askForCode, enter } from '../../pages/accounts/signingIn.js'
import { Problem } from '../../web/answer/problem.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { confidential } from '../../web/protection/confidential.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { form } from '../../web/request/form.js'
import { input } from '../../web/request/input.js'
import { guardedLink } from '../../web/session/guarded.js'

const ChooseRequest = z.object({ password: newPassword })

/**
 * The page behind a one-time link: choose a password, and be signed in. Opening it changes nothing, because programs
 * that check mails open links. Whoever may be signed in here, it acts for the person it was made for.
 */
export function addPasswordLink(router: AppRouter, path: string, purpose: Purpose): void {
  const addresses = [`/${path}/:token`, `/api/auth/${path}/:token`]
  const load = async (ctx: Context) => pageOf(path, purpose, await liveHolder(ctx, purpose), ctx)

  router.get(addresses, allow('session.create'), confidential(), async (ctx) => {
    const { name, email } = await liveHolder(ctx, purpose)
    await respond(ctx, { data: { name, email }, view: 'accounts/choosePassword', extras: await load(ctx) })
  })

  router.post(
    addresses,
    allow('session.create'),
    confidential(),
    body(),
    form({ view: 'accounts/choosePassword', load }),
    async (ctx) => {
      const token = ctx.params.token!
      await liveHolder(ctx, purpose)
      const { password } = input(ctx, ChooseRequest)
      const { id } = await usePasswordLink({ token, purpose, password }, (holder) =>
        actorOf(ctx, holder),
      ).catch(overWhenNotFound)
      const user = await User.signingIn(id)
      const goesOn = { next: '/', typed: null, notice: 'welcome' }
      // A link in a mail is one factor: where there is a second, it is asked for.
      await (user.hasSecondFactor ? askForCode(ctx, user, goesOn) : enter(ctx, user, goesOn))
    },
  )
}

async function liveHolder(ctx: Context, purpose: Purpose): Promise<Holder> {
  const holder = await guardedLink(ctx, () => holderOf(ctx.params.token!, purpose))
  if (!holder) throw new Problem(404, 'link_over')
  return holder
}

function overWhenNotFound(error: unknown): never {
  throw error instanceof NotFound ? new Problem(404, 'link_over') : error
}

function pageOf(path: string, purpose: Purpose, { name, email }: Holder, ctx: Context) {
  return { purpose, name, email, action: `/${path}/${ctx.params.token}` }
}

function actorOf(ctx: Context, { id, name, role }: Holder): Actor {
  const { requestId, client } = ctx.state
  return { type: 'user', id, name, role, via: 'web', requestId, client }
}
