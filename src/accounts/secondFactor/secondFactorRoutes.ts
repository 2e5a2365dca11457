import { z } from 'zod'
import type { Context } from '../../platform/http/context.js'
import { shape, wholeNumber } from '../../platform/http/json.js'
import { both } from '../../platform/http/paths.js'
import { noContent, page } from '../../platform/http/route/answerContent.js'
import { emptyBody } from '../../platform/http/route/fields.js'
import { route, routePair } from '../../platform/http/route/route.js'
import { trimmedText } from '../../vocabulary/inputRules.js'
import {
  confirmSecondFactor,
  endSecondFactor,
  ownSecondFactor,
  remakeRecoveryCodes,
  startSecondFactor,
} from './secondFactor.js'

const address = '/account/second-factor'
export const CodeRequest = z.object({ code: trimmedText('signInCode', 100) })

const SecondFactorJson = shape('SecondFactor', {
  state: z.enum(['off', 'started', 'on']),
  codesLeft: wholeNumber,
})

const permission = 'account.manage'
const form = { view: 'accounts/secondFactor', load: own, conflicts: true, secret: true }
const writing = { permission, throttle: 'writes', form } as const

/**
 * One's own second factor (decision 7.12). Secrets and codes are shown on pages only, once; JSON
 * tells whether it is on and turns it off.
 */
export const secondFactorRoutes = [
  route({
    method: 'get',
    paths: both('/account/second-factor'),
    group: 'account',
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
    ...writing,
    method: 'post',
    paths: '/account/second-factor',
    summary: 'Starts setting up two-step sign-in.',
    body: emptyBody,
    answer: noContent,
    handle: async ({ actor }) => {
      await startSecondFactor(actor)
      return { location: address }
    },
  }),

  route({
    ...writing,
    method: 'post',
    paths: '/account/second-factor/confirmation',
    summary: 'Turns on two-step sign-in with a first code and shows the recovery codes.',
    body: CodeRequest,
    answer: page,
    form: { ...form, name: 'confirmation' },
    handle: async ({ body, actor }) => shownOnce(await confirmSecondFactor(actor, body.code)),
  }),

  route({
    ...writing,
    method: 'post',
    paths: '/account/second-factor/recovery-codes',
    summary: 'Makes and shows new recovery codes.',
    body: emptyBody,
    answer: page,
    handle: async ({ actor }) => shownOnce(await remakeRecoveryCodes(actor)),
  }),

  ...routePair({
    ...writing,
    method: 'delete',
    paths: '/api/account/second-factor',
    group: 'account',
    fromForm: '/account/second-factor/off',
    summary: 'Turns off your two-step sign-in.',
    body: emptyBody,
    answer: noContent,
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
