import { z } from 'zod'
import {
  confirmSecondFactor,
  endSecondFactor,
  ownSecondFactor,
  remakeRecoveryCodes,
  startSecondFactor,
} from '../../actions/accounts/secondFactor.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { input, line } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

const page = '/account/second-factor'
const CodeRequest = z.object({ code: line('signInCode', 100) })

/**
 * One's own second factor (decision 7.12): its page shows, once, what an app and a printer need. JSON says whether it is
 * on and turns it off; secrets and codes are for people's eyes.
 */
export function secondFactorRoutes(router: AppRouter): void {
  const writes = [allow('account.manage'), throttle('writes'), body()] as const
  const shown = form({ view: 'accounts/secondFactor', load: own, conflicts: true })

  router.get(both(page), allow('account.manage'), async (ctx) => {
    const extras = await own(ctx)
    const { state, codesLeft } = extras
    await respond(ctx, { data: { state, codesLeft }, view: 'accounts/secondFactor', extras })
  })

  router.post(page, ...writes, shown, async (ctx) => {
    await startSecondFactor(ctx.state.actor)
    await respond(ctx, { location: page })
  })

  router.post(`${page}/confirmation`, ...writes, shown, async (ctx) => {
    const { code } = input(ctx, CodeRequest)
    await showOnce(ctx, await confirmSecondFactor(ctx.state.actor, code))
  })

  router.post(`${page}/recovery-codes`, ...writes, shown, async (ctx) => {
    await showOnce(ctx, await remakeRecoveryCodes(ctx.state.actor))
  })

  router.delete(`/api${page}`, ...writes, off)
  router.post(`${page}/off`, ...writes, shown, off)
}

async function off(ctx: Context): Promise<void> {
  await endSecondFactor(ctx.state.actor)
  await respond(ctx, { location: page, notice: 'secondFactorOff' })
}

/** On this answer and nowhere else: loading the page again does not bring them back. */
async function showOnce(ctx: Context, codes: string[]): Promise<void> {
  await respond(ctx, { view: 'accounts/recoveryCodes', extras: { codes } })
}

async function own(ctx: Context) {
  const { property } = await ctx.state.building()
  const { id, email } = ctx.state.user!
  return { ...(await ownSecondFactor(id, property.name, email)), demanded: ctx.state.user!.lacksSecondFactor }
}
