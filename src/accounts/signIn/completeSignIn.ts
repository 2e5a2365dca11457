import { z } from 'zod'
import { readSetupState } from '../../building/setupSteps.js'
import { type Answer, respond } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import type { CurrentUser } from '../../platform/http/currentUser.js'
import { rowId, shape } from '../../platform/http/json.js'
import { Problem } from '../../platform/http/problem.js'
import { representationOf } from '../../platform/http/representation.js'
import { answeredByHandler } from '../../platform/http/route/answerContent.js'
import { actorOf, asUser } from '../../platform/http/session/authenticate.js'
import {
  bindPendingSignIn,
  forgetAskedAddresses,
  unbindPendingSignIn,
} from '../../platform/http/session/browserCookies.js'
import { setLocale, takeChoice } from '../../platform/http/session/language.js'
import { startSession } from '../../platform/http/session/sessionCookie.js'
import { may, roles } from '../../vocabulary/people/permissions.js'
import { beginPending, noteCodeMissing, pendingMinutes } from '../secondFactor/signInCode.js'
import { updateAccount } from '../users/updateAccount.js'
import { carriedForms } from './carriedFormHooks.js'
import { codeAccepted, countPasswordOnly } from './codeAttempts.js'
import { carriedFormOf, type ReturnTarget } from './returnTarget.js'

/**
 * After a right password: signs in, or asks for the code with a second factor (decision 7.12).
 * Browsers get a page for it; API clients send it along. Throws 401, 429.
 */
export async function continueSignIn(
  ctx: Context,
  user: CurrentUser,
  { code, ...target }: ReturnTarget & { code: string },
): Promise<void> {
  if (user.hasSecondFactor && code === '') {
    // Without this limit, knowing the password alone would allow any number of pending sign-ins.
    await countPasswordOnly(ctx, user.id)
    if (representationOf(ctx) !== 'json') return askForCode(ctx, user, target, { byPassword: true })
    await noteCodeMissing(actorOf(ctx.state, user))
    throw new Problem(401, 'second_factor_required')
  }
  if (user.hasSecondFactor && !(await codeAccepted(ctx, user, code))) throw new Problem(401, 'wrong_code')
  await completeSignIn(ctx, user, target)
}

/**
 * Sends the browser to the page that asks for the code; no one is signed in yet. `byPassword`: the
 * first factor was one, which `countPasswordOnly` has counted.
 */
export async function askForCode(
  ctx: Context,
  user: CurrentUser,
  { next, carriedForm, proof = null }: ReturnTarget,
  { byPassword }: { byPassword: boolean },
): Promise<void> {
  const idHash = bindPendingSignIn(ctx, pendingMinutes)
  await beginPending(actorOf(ctx.state, user), {
    idHash,
    epoch: user.epoch,
    next,
    carriedForm: carriedFormOf(carriedForm, user.id),
    proof,
    byPassword,
  })
  await respond(ctx, { data: { secondFactorRequired: true }, location: '/sign-in/code' })
}

/** After a link or code in an email, which is one factor: a second one is still asked for. */
export async function signInByEmail(
  ctx: Context,
  user: CurrentUser,
  target: ReturnTarget,
): Promise<typeof answeredByHandler> {
  if (user.hasSecondFactor) await askForCode(ctx, user, target, { byPassword: false })
  else await completeSignIn(ctx, user, target)
  return answeredByHandler
}

/** Signs in and answers with the carried form, or a redirect to `next`. */
export async function completeSignIn(
  ctx: Context,
  user: CurrentUser,
  { next, carriedForm, notice, proof = null }: ReturnTarget,
): Promise<void> {
  unbindPendingSignIn(ctx)
  forgetAskedAddresses(ctx)
  await startSession(ctx, user, proof)
  asUser(ctx.state, user)
  await takeLanguage(ctx, user)
  const signedIn = {
    data: { user: presentUser(user) },
    location: next ?? (await homeOf(user)),
    ...(notice ? { notice } : {}),
  }
  await respond(ctx, (await carriedForms.registered().resume(ctx, user, carriedForm)) ?? signedIn)
}

/** Where an earlier sign-in of this user led, which had the same target. */
export async function earlierTarget(
  ctx: Context,
  user: CurrentUser,
  { next, carriedForm }: { next: string | null; carriedForm: string | null },
): Promise<Answer> {
  const resumed = await carriedForms.registered().resumeAgain(ctx, user, carriedForm)
  return resumed ?? { location: next ?? '/' }
}

/** Without an address: staff to the desk, an admin of a building without assets to its setup. */
async function homeOf({ role }: CurrentUser): Promise<string> {
  if (!may(role, 'office.read')) return '/'
  const { dismissed, done } = await readSetupState()
  return may(role, 'user.manage') && !dismissed && !done.assets ? '/admin/start' : '/admin'
}

/** A language chosen on the way to the sign-in becomes the account's. */
async function takeLanguage(ctx: Context, user: CurrentUser): Promise<void> {
  const locale = takeChoice(ctx)
  if (!locale) return
  if (locale !== user.locale) await updateAccount(ctx.state.actor, { locale })
  setLocale(ctx, locale)
}

/** A user, in answers about a session (decision 1.1). */
const SignedInUserJson = shape('SignedInUser', {
  id: rowId,
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
})

export const SignedInJson = z.strictObject({ user: SignedInUserJson })

/** The answer when a code has to follow. */
export const CodeNeededJson = z.strictObject({ secondFactorRequired: z.literal(true) })

export function presentUser({ id, name, email, role }: CurrentUser): z.output<typeof SignedInUserJson> {
  return { id, name, email, role }
}
