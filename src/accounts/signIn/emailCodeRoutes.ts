import { z } from 'zod'
import { respond } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { enteredFields } from '../../platform/http/enteredFields.js'
import { shape } from '../../platform/http/json.js'
import { localPath } from '../../platform/http/paths.js'
import { Problem } from '../../platform/http/problem.js'
import { withEmailCodeLimits } from '../../platform/http/protection/signInLimits.js'
import { representationOf } from '../../platform/http/representation.js'
import { answeredByHandler, page } from '../../platform/http/route/answerContent.js'
import { route } from '../../platform/http/route/route.js'
import { askedAddress, guestSecretHash } from '../../platform/http/session/browserCookies.js'
import { trimmedText } from '../../vocabulary/inputRules.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { readCode } from '../secondFactor/recoveryCodes.js'
import { User } from '../users/user.js'
import { carriedForms } from './carriedFormHooks.js'
import { CodeNeededJson, earlierTarget, SignedInJson, signInByEmail } from './completeSignIn.js'
import { passwordIsClosed } from './credentials.js'
import { type CodeOpens, usedEmail, useEmailCode } from './emailCode.js'
import { ReturnQuery } from './returnTarget.js'

const carried = z.string('not_text').nullish()
const EmailCodeRequest = z
  .object({ code: trimmedText('emailCode', 100), next: carried, typed: carried })
  .meta({ id: 'EmailCodeRequest' })

/**
 * Where anyone may make an account: the code was sent to an address that has none yet.
 * `createAccountAt`: the address that takes the name.
 */
const NameNeededJson = shape('NameNeeded', { nameRequired: z.literal(true), createAccountAt: z.string() })

/** The page after a sign-in link was asked for, and the code of the same email (decision 9.29). */
export const emailCodeRoutes = [
  route({
    method: 'get',
    paths: '/sign-in/link-sent',
    summary: 'The page that says a sign-in link has been emailed, and asks for the code beside it.',
    permission: 'session.create',
    confidential: true,
    answer: page,
    query: ReturnQuery,
    handle: async ({ ctx, query: { typed: carriedForm, next } }) => {
      const [browser, { user }] = [guestSecretHash(ctx), ctx.state]
      const earlier = browser && user && (await usedEmail(browser, user.id))
      // The way back here, once the code or the link has signed in.
      if (earlier) {
        await respond(ctx, await earlierTarget(ctx, user, { next: earlier.next, carriedForm: earlier.typed }))
        return answeredByHandler
      }
      return { view: 'accounts/linkSent', extras: await pageOf(ctx, { next, carriedForm }) }
    },
  }),

  route({
    method: 'post',
    paths: ['/sign-in/link-sent', '/api/auth/sign-in/link-code'],
    group: 'account',
    summary:
      'Signs in once with the code of a sign-in email, where that email was requested. Asks for a second factor if two-step sign-in is on.',
    permission: 'session.create',
    confidential: true,
    body: EmailCodeRequest,
    answer: z.union([SignedInJson, CodeNeededJson, NameNeededJson]),
    form: {
      view: 'accounts/linkSent',
      load: (ctx) => {
        const { next, typed: carriedForm } = enteredFields(ctx)
        return pageOf(ctx, { next, carriedForm: typeof carriedForm === 'string' ? carriedForm : null })
      },
      secret: true,
    },
    handle: async ({ ctx, body, actor }) => {
      const code = digitsOf(body.code)
      const [address, browser] = [askedAddress(ctx, 'signIn'), guestSecretHash(ctx)]
      // No email can have been sent to whoever asked for none here: nothing is tried or counted.
      if (address === null || browser === null) throw wrongCode()
      const { folded, user } = await User.byAddress(address)
      const whose = user ? { userId: user.id } : { address: folded }
      const attempt = { browser, address, userId: user?.id ?? null }
      const opens = await withEmailCodeLimits(ctx, whose, async (): Promise<CodeOpens | 'again' | null> => {
        if (user && (await passwordIsClosed(user))) return null
        const opened = await useEmailCode(actor, attempt, code)
        if (opened || !user || representationOf(ctx) === 'json') return opened
        return (await usedEmail(browser, user.id, code)) && 'again'
      })
      if (opens === null) throw wrongCode()
      // A second press goes where the first one led.
      if (opens === 'again')
        return { location: user?.hasSecondFactor ? '/sign-in/code' : '/sign-in/link-sent' }
      if ('signUpPage' in opens) {
        const { signUpPage } = opens
        return {
          data: { nameRequired: true as const, createAccountAt: `/api/auth${signUpPage}` },
          location: signUpPage,
        }
      }
      const { next, typed: carriedForm } = opens.link
      return signInByEmail(ctx, user!, { next, carriedForm })
    },
  }),
]

function wrongCode(): Problem {
  return new Problem(422, 'email_code_wrong', { members: { errors: { code: ['email_code_wrong'] } } })
}

/** Six digits, which people may group and type in any script. Throws ValidationFailed. */
function digitsOf(text: string): string {
  const code = readCode(text)
  if (!code || !('digits' in code)) throw new ValidationFailed({ code: ['emailCode_digits'] })
  return code.digits
}

async function pageOf(
  ctx: Context,
  { next, carriedForm }: { next: unknown; carriedForm: string | null | undefined },
) {
  return {
    address: askedAddress(ctx, 'signIn'),
    report: await carriedForms.registered().waitingReport(ctx, carriedForm),
    carriedForm,
    next: localPath(next),
  }
}
