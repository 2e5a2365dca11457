import { z } from 'zod'
import {
  confirmSecondFactor,
  endSecondFactor,
  ownSecondFactor,
  remakeRecoveryCodes,
  startSecondFactor,
} from '../../actions/accounts/secondFactor.js'
import { count, shape } from '../../presenters/json.js'
import type { Context } from '../../web/context.js'
import { both } from '../../web/request/both.js'
import { line } from '../../web/request/input.js'
import { noContent, page } from '../../web/route/answer.js'
import { noFields } from '../../web/route/fields.js'
import { routePair } from '../../web/route/pair.js'
import { route } from '../../web/route/route.js'

const address = '/account/second-factor'
const CodeRequest = z.object({ code: line('signInCode', 100) })

const SecondFactorJson = shape('SecondFactor', {
  state: z.enum(['off', 'started', 'on']),
  codesLeft: count,
})

const permission = 'account.manage'
const throttle = 'writes'
const form = { view: 'accounts/secondFactor', load: own, conflicts: true, secret: true }

/**
 * One's own second factor (decision 7.12). Secrets and codes are shown on pages only, once; JSON tells
 * whether it is on and turns it off.
 */
export const secondFactorRoutes = [
  route({
    method: 'get',
    paths: both('/account/second-factor'),
    summary: 'Whether your two-step sign-in is on, and how many recovery codes are left.',
    permission,
    answer: SecondFactorJson,
    handle: async ({ ctx }) => {
      const extras = await own(ctx)
      const { state, codesLeft } = extras
      return { data: { state, codesLeft }, view: 'accounts/secondFactor', extras }
    },
  }),

  route({
    method: 'post',
    paths: '/account/second-factor',
    summary: 'Starts setting up two-step sign-in.',
    permission,
    throttle,
    body: noFields,
    answer: noContent,
    form,
    handle: async ({ actor }) => {
      await startSecondFactor(actor)
      return { location: address }
    },
  }),

  route({
    method: 'post',
    paths: '/account/second-factor/confirmation',
    summary: 'Turns on two-step sign-in with a first code and shows the recovery codes.',
    permission,
    throttle,
    body: CodeRequest,
    answer: page,
    form: { ...form, name: 'confirmation' },
    handle: async ({ body, actor }) => shownOnce(await confirmSecondFactor(actor, body.code)),
  }),

  route({
    method: 'post',
    paths: '/account/second-factor/recovery-codes',
    summary: 'Makes and shows new recovery codes.',
    permission,
    throttle,
    body: noFields,
    answer: page,
    form,
    handle: async ({ actor }) => shownOnce(await remakeRecoveryCodes(actor)),
  }),

  ...routePair({
    method: 'delete',
    paths: '/api/account/second-factor',
    fromForm: '/account/second-factor/off',
    summary: 'Turns off your two-step sign-in.',
    permission,
    throttle,
    body: noFields,
    answer: noContent,
    form,
    handle: async ({ actor }) => {
      await endSecondFactor(actor)
      return { location: address, notice: 'secondFactorOff' }
    },
  }),
]

/** Only in this response: loading the page again does not bring the codes back. */
const shownOnce = (codes: string[]) => ({ view: 'accounts/recoveryCodes', extras: { codes } })

async function own(ctx: Context) {
  const { property } = await ctx.state.building()
  const { id, email } = ctx.state.user!
  return { ...(await ownSecondFactor(id, property.name, email)), demanded: ctx.state.user!.lacksSecondFactor }
}
