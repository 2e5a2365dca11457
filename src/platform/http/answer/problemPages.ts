import { own } from '../../../vocabulary/collections.js'
import type { Context, FormPage } from '../context.js'
import { enteredFields } from '../enteredFields.js'
import { featureHooks } from '../featureHooks.js'
import { addressFor, localPath } from '../paths.js'
import type { Problem } from '../problem.js'
import { fieldsToSendAgain } from '../session/secretFields.js'
import { nextLinks } from './nextLinks.js'
import { errorsInWords, problemTextOnPage, referenceOf } from './problemText.js'
import { renderView } from './renderView.js'
import { formToSendAgain } from './sendAgain.js'

/** Makes the page of a problem: signing in, the refused form, or what went wrong. */
export async function renderProblemPage(ctx: Context, problem: Problem): Promise<void> {
  ctx.type = 'html'
  ctx.set('Content-Language', ctx.state.locale)
  const { form } = ctx.state.refusal
  const { returnTo } = ctx.state.signIn
  if (problem.status === 401 || returnTo) ctx.body = await signInPage(ctx, problem)
  else if (problem.code === 'sign_in_again') ctx.body = await signInAgainPage(ctx, problem)
  else if (form && showsAgain(form, problem)) ctx.body = await refusedFormPage(ctx, form, problem)
  else ctx.body = await problemPage(ctx, problem)
}

/** What each of the four pages shows of the problem itself. */
async function problemOnPage(ctx: Context, problem: Problem) {
  return {
    problem: { ...problem, ...(await problemTextOnPage(ctx, problem)) },
    reference: referenceOf(problem, ctx.state.requestId),
  }
}

/** The sign-in page, which leads to what was asked for and carries the form that was sent. */
async function signInPage(ctx: Context, problem: Problem): Promise<string> {
  const { carriedForm, returnTo, waitingReport } = ctx.state.signIn
  const fields: Record<string, unknown> = ctx.method === 'GET' ? { next: ctx.url } : enteredFields(ctx)
  const carriedBefore = returnTo ? returnTo.carriedForm : fields.typed
  const carriedOn = typeof carriedBefore === 'string' ? carriedBefore : null
  return renderView(ctx, featureHooks.registered().signInPage.view, {
    ...(await problemOnPage(ctx, problem)),
    next: localPath(returnTo ? returnTo.next : fields.next),
    carriedForm: carriedForm ? JSON.stringify(carriedForm) : carriedOn,
    report: waitingReport,
    values: fields,
  })
}

/** The page that asks for the password again, with the refused form in it. */
async function signInAgainPage(ctx: Context, problem: Problem): Promise<string> {
  const { user, session } = ctx.state
  const { signInPage, passwordIsClosed } = featureHooks.registered()
  return renderView(ctx, signInPage.againView, {
    ...(await problemOnPage(ctx, problem)),
    ...presentedMembers(ctx, problem),
    ...fieldsToSendAgain(enteredFields(ctx)),
    byIdentity: session?.byIdentity ?? false,
    passwordClosed: user !== null && (await passwordIsClosed(user)),
  })
}

/** The page of the form, as it was typed, with what is wrong in it. */
async function refusedFormPage(ctx: Context, form: FormPage, problem: Problem): Promise<string> {
  const errors = errorsInWords(ctx.state.text, inWordsOf(form, problem.members.errors))
  ctx.status = [409, 429, 503].includes(problem.status) ? problem.status : 422
  ctx.state.refusal.isRefusedForm = !form.secret
  return renderView(ctx, form.view, {
    ...(await problemOnPage(ctx, problem)),
    filled: typeof form.name === 'function' ? form.name(ctx) : form.name,
    values: enteredFields(ctx),
    errors,
    ...keyOf(ctx, form, problem),
    ...(await form.load(ctx)),
  })
}

/** The keys of what is wrong with the fields, with the form's own in place of the usual ones. */
function inWordsOf({ wording = {} }: FormPage, errors: unknown): Record<string, string[]> {
  const entries = Object.entries((errors ?? {}) as Record<string, string[]>)
  return Object.fromEntries(
    entries.map(([field, keys]) => [field, keys.map((key) => own<string>(wording, key) ?? key)]),
  )
}

/** A page that says what went wrong and what can be done next. */
async function problemPage(ctx: Context, problem: Problem): Promise<string> {
  return renderView(ctx, 'shared/problem', {
    ...(await problemOnPage(ctx, problem)),
    again: await formToSendAgain(ctx, problem),
    next: nextLinks(ctx, problem),
    ...presentedMembers(ctx, problem),
  })
}

/** What may be stored is sent again with its key, so it is not stored twice (decision 2.14). */
function keyOf(ctx: Context, { name }: FormPage, { status }: Problem): Record<string, unknown> {
  const { formKey } = enteredFields(ctx)
  return status === 503 && name === undefined && formKey ? { formKey: () => formKey } : {}
}

/**
 * Refused fields are corrected where they were typed (decision 6.17); after a 429 or 503 they wait.
 */
export function showsAgain({ conflicts = false }: FormPage, { status, members }: Problem): boolean {
  if ([422, 429, 503].includes(status) || members.errors !== undefined) return true
  return conflicts && status === 409
}

/** The members of a problem as its reader gets them: errors in words, and where it leads on to. */
export function presentedMembers(ctx: Context, { members }: Problem): Record<string, unknown> {
  const { errors } = members as { errors?: Record<string, string[]> }
  const page = featureHooks.registered().refusalLeadsTo(members)
  return {
    ...members,
    ...(page === null ? {} : { redirectTo: addressFor(ctx, page) }),
    ...(errors ? { errors: errorsInWords(ctx.state.text, errors) } : {}),
  }
}
