import { z } from 'zod'
import { Problem } from '../../platform/http/answer/problem.js'
import type { Context } from '../../platform/http/context.js'
import { shape } from '../../platform/http/json.js'
import { answeredByHandler } from '../../platform/http/route/answer.js'
import { type Route, route } from '../../platform/http/route/route.js'
import { User } from '../../platform/http/session/user.js'
import { NotFound } from '../../vocabulary/validation.js'
import { requirePasswordOpen } from '../signIn/credentials.js'
import { newPassword } from '../signIn/passwords.js'
import { askForCode, CodeNeededJson, completeSignIn, SignedInJson, signInActor } from '../signIn/signingIn.js'
import { type Holder, holderOf, type Purpose, usePasswordLink } from './accountLinks.js'

const ChooseRequest = z.object({ password: newPassword }).meta({ id: 'ChooseRequest' })

/** The person a link was made for. */
const HolderJson = shape('LinkHolder', { name: z.string(), email: z.string() })

type Address = `/${string}/:token`

/**
 * The page behind a one-time link: choose a password and sign in. GET changes nothing, because
 * email scanners open links. It acts for the person the link was made for, whoever is signed in.
 */
export function passwordLinkRoutes(addresses: readonly [Address, ...Address[]], purpose: Purpose): Route[] {
  const load = async (ctx: Context) => {
    const { name, email } = await liveHolder(ctx, purpose)
    return { purpose, name, email, action: addresses[0].replace(':token', ctx.params.token!) }
  }
  const shared = {
    paths: addresses,
    permission: 'session.create',
    confidential: true,
    params: { token: z.string() },
  } as const
  return [
    route({
      ...shared,
      method: 'get',
      summary: 'Shows which account a password link is for.',
      answer: HolderJson,
      handle: async ({ ctx }) => {
        const { name, email } = await liveHolder(ctx, purpose)
        return { data: { name, email }, view: 'accounts/choosePassword', extras: await load(ctx) }
      },
    }),

    route({
      ...shared,
      method: 'post',
      summary: 'Sets a password once and signs in, and asks for a code if two-step sign-in is on.',
      subject: ({ ctx }) => liveHolder(ctx, purpose),
      body: ChooseRequest,
      answer: z.union([SignedInJson, CodeNeededJson]),
      form: { view: 'accounts/choosePassword', load, secret: true },
      handle: async ({ ctx, params: { token }, body: { password } }) => {
        const { id } = await usePasswordLink({ token, purpose, password }, (holder) =>
          signInActor(ctx, holder),
        ).catch(overWhenNotFound)
        const user = await User.signingIn(id)
        const goesOn = { next: null, typed: null, notice: 'welcome' }
        // A link in an email counts as one factor; a second one is still asked for.
        await (user.hasSecondFactor ? askForCode(ctx, user, goesOn) : completeSignIn(ctx, user, goesOn))
        return answeredByHandler
      },
    }),
  ]
}

/** The link in the invitation of a new user (decision 6.1). */
export const invitationRoutes = passwordLinkRoutes(
  ['/invitation/:token', '/api/auth/invitation/:token'],
  'invite',
)

/** The person the link in the address was made for. Throws 404 when it has expired or been used. */
async function liveHolder(ctx: Context, purpose: Purpose): Promise<Holder> {
  const holder = await holderOf(ctx.params.token!, purpose)
  if (!holder) throw new Problem(404, 'link_over')
  await requirePasswordOpen(holder)
  return holder
}

function overWhenNotFound(error: unknown): never {
  throw error instanceof NotFound ? new Problem(404, 'link_over') : error
}
