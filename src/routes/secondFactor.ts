import { z } from 'zod'
import {
  confirmSecondFactor,
  endSecondFactor,
  ownSecondFactor,
  remakeRecoveryCodes,
  startSecondFactor,
} from '../actions/secondFactor.js'
import { allow } from '../web/allow.js'
import { body } from '../web/body.js'
import { both } from '../web/both.js'
import type { AppRouter, Context } from '../web/context.js'
import { form } from '../web/form.js'
import { input, line } from '../web/input.js'
import { respond } from '../web/respond.js'
import { throttle } from '../web/throttle.js'

const page = '/account/second-factor'
const CodeRequest = z.object({ code: line('signInCode', 100) })

/**
 * One's own second factor (decision 7.12): its page shows, once, what an app and a printer need. JSON says whether it is
 * on and turns it off; secrets and codes are for people's eyes.
 */
export function secondFactorRoutes(router: AppRouter): void {
  const writes = [allow('account.manage'), throttle('writes'), body()] as const
  const shown = form({ view: 'account/secondFactor', load: own, conflicts: true })

  router.get(both(page), allow('account.manage'), async (ctx) => {
    const extras = await own(ctx)
    const { state, codesLeft } = extras
    await respond(ctx, { data: { state, codesLeft }, view: 'account/secondFactor', extras })
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
  await respond(ctx, { view: 'account/recoveryCodes', extras: { codes } })
}

async function own(ctx: Context) {
  const { property } = await ctx.state.building()
  const { id, email } = ctx.state.user!
  return { ...(await ownSecondFactor(id, property.name, email)), demanded: ctx.state.user!.lacksSecondFactor }
}
