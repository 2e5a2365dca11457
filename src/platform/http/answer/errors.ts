import type { Text } from '../../../text/index.js'
import { own } from '../../../vocabulary/collections.js'
import { noteStoreFault } from '../../photos/storeFault.js'
import { explainDatabaseError, unfitForDatabase } from '../../process/databaseErrors.js'
import { log } from '../../process/log.js'
import type { Context, FormPage, Middleware } from '../context.js'
import { enteredFields } from '../enteredFields.js'
import { featureHooks } from '../featureHooks.js'
import { formatFor } from '../format/format.js'
import { addressFor, localPath } from '../paths.js'
import { Problem, problemDocument, problemFrom } from '../problem.js'
import { loggable, routeOf, securityOfRefusal } from '../protection/requestLog.js'
import { representationOf, varying } from '../representation.js'
import { fieldsToSendAgain } from '../session/authenticate.js'
import { nextThings, pageOfForm } from './nextThings.js'
import { redirect, renderView, respond } from './respond.js'
import { keptForm, textFields } from './sendAgain.js'

/** The one place that answers errors and requests without a response (decisions 4.1, 4.2). */
export function errors(): Middleware {
  return async (ctx, next) => {
    try {
      await next()
      // No route, or a route without this method; the router has set Allow.
      if (ctx.status >= 400 && (ctx.body === undefined || ctx.body === null))
        await answer(ctx, new Problem(ctx.status, ctx.status === 404 ? 'not_found' : 'method_not_allowed'))
    } catch (error) {
      const problem = problemFrom(error, ctx.state)
      report(ctx, problem, error)
      securityOfRefusal(ctx, problem, error)
      await answer(ctx, problem)
    }
  }
}

function report(ctx: Context, { status, code }: Problem, error: unknown): void {
  const place = { requestId: ctx.state.requestId, code, path: loggable(ctx.path) }
  const fact = { ...place, error }
  // What an operator can mend, in words; a stack would say nothing more.
  const explained = code === 'photo_store_away' ? noteStoreFault : explainDatabaseError
  const why = status === 503 ? explained(error) : null
  if (why) log.warn({ ...place, why }, 'request refused')
  else if (status === 500) log.error(fact, 'request failed')
  else if (status === 503) log.warn(fact, 'request refused')
  // An input schema should have refused this value.
  else if (unfitForDatabase(error)) log.warn(fact, 'the database refused a value')
}

async function answer(ctx: Context, problem: Problem): Promise<void> {
  ctx.status = problem.status
  ctx.set(problem.headers)
  ctx.set('Cache-Control', 'no-store')
  ctx.vary(varying)
  // Close the connection: otherwise Node would read an unread body to its end.
  if (!ctx.req.complete && ctx.req.headers['content-length'] !== '0') ctx.set('Connection', 'close')
  const pressedOn = refusedTap(ctx, problem) ? pageBefore(ctx) : null
  const { text, requestId } = ctx.state
  if (representationOf(ctx) === 'json') {
    ctx.type = 'application/problem+json'
    const worded = problem.code === 'not_found' ? notFoundIn(ctx) : titleOf(text, problem)
    ctx.body = problemDocument(problem, worded, requestId, members(ctx, problem))
  } else if (pressedOn) await respond(ctx, { location: pressedOn, notice: `refused-${problem.code}` })
  else if (stopsAt401(ctx, problem)) redirect(ctx, signInAddress(ctx))
  else await asPage(ctx, problem)
}

const signInAddress = (ctx: Context) =>
  `${featureHooks.registered().signInPage.address}?next=${encodeURIComponent(ctx.url)}`

/** A rule refused what a button asks, as when someone else was quicker; nothing leads elsewhere. */
function refusedTap({ state }: Context, problem: Problem): boolean {
  const { form } = state.refusal
  const leadsOn = featureHooks.registered().refusalLeadsTo(problem.members) !== null
  return problem.status === 409 && !leadsOn && !(form && showsAgain(form, problem))
}

/**
 * The page of ours that a button was pressed on, which then says why nothing happened; null for a
 * form with something typed, which can be gone back to. Whose page it is was proven before the act:
 * no form of another site gets this far.
 */
function pageBefore(ctx: Context): string | null {
  const typed = enteredFields(ctx)
  const isTyped = [...textFields, 'amount'].some((name) => (typed[name] ?? '') !== '')
  if (ctx.method !== 'POST' || isTyped || !URL.canParse(ctx.get('Referer'))) return null
  return pageOfForm(ctx)
}

/** Text browsers ask for HTML without Sec-Fetch headers, and show nothing of a page with a 401. */
function stopsAt401(ctx: Context, { status, code }: Problem): boolean {
  const asksAlone = ctx.method === 'GET' && code === 'unauthenticated' && status === 401
  return asksAlone && ctx.get('Accept').includes('text/html') && ctx.get('Sec-Fetch-Site') === ''
}

/** Rendering may fail as well, above all without the database: then plain text has to do. */
async function asPage(ctx: Context, problem: Problem): Promise<void> {
  try {
    await renderPage(ctx, problem)
  } catch (error) {
    // What may be stored is not said to be lost because the page about it could not be made.
    const second = problem.code === 'outcome_unknown' ? problem : problemFrom(error, ctx.state)
    report(ctx, second, error)
    ctx.state.refusal.form = undefined
    ctx.state.refusal.isRefusedForm = false
    ctx.status = second.status
    ctx.set(second.headers)
    await renderPage(ctx, second).catch(() => asText(ctx, second))
  }
}

function asText(ctx: Context, problem: Problem): void {
  const { title, detail } = titleOf(ctx.state.text, problem)
  ctx.type = 'text/plain; charset=utf-8'
  ctx.body = `${title}\n\n${detail}\n\n${ctx.state.requestId}\n`
}

async function renderPage(ctx: Context, problem: Problem): Promise<void> {
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
    problem: { ...problem, ...(await titleOnPage(ctx, problem)) },
    requestId: ctx.state.requestId,
  }
}

/** The sign-in page, which leads to what was asked for and carries the form that was sent. */
async function signInPage(ctx: Context, problem: Problem): Promise<string> {
  const { carriedForm, returnTo, guestReportWaits } = ctx.state.signIn
  const fields: Record<string, unknown> = ctx.method === 'GET' ? { next: ctx.url } : enteredFields(ctx)
  const carriedBefore = returnTo ? returnTo.carriedFormJson : fields.typed
  const carriedOn = typeof carriedBefore === 'string' ? carriedBefore : null
  return renderView(ctx, featureHooks.registered().signInPage.view, {
    ...(await problemOnPage(ctx, problem)),
    next: localPath(returnTo ? returnTo.next : fields.next),
    carriedForm: carriedForm ? JSON.stringify(carriedForm) : carriedOn,
    guestReportWaits,
    values: fields,
  })
}

/** The page that asks for the password again, with the refused form in it. */
async function signInAgainPage(ctx: Context, problem: Problem): Promise<string> {
  const { user, session } = ctx.state
  const { signInPage, passwordIsClosed } = featureHooks.registered()
  return renderView(ctx, signInPage.againView, {
    ...(await problemOnPage(ctx, problem)),
    ...members(ctx, problem),
    ...fieldsToSendAgain(enteredFields(ctx)),
    byIdentity: session?.byIdentity ?? false,
    passwordClosed: user !== null && (await passwordIsClosed(user)),
  })
}

/** The page of the form, as it was typed, with what is wrong in it. */
async function refusedFormPage(ctx: Context, form: FormPage, problem: Problem): Promise<string> {
  const { errors = {} } = members(ctx, problem) as { errors?: Record<string, string[]> }
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

/** A page that says what went wrong and what can be done next. */
async function problemPage(ctx: Context, problem: Problem): Promise<string> {
  return renderView(ctx, 'shared/problem', {
    ...(await problemOnPage(ctx, problem)),
    again: await keptForm(ctx, problem),
    next: nextThings(ctx, problem),
    ...members(ctx, problem),
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
function showsAgain({ conflicts = false }: FormPage, { status, members }: Problem): boolean {
  if ([422, 429, 503].includes(status) || members.errors !== undefined) return true
  return conflicts && status === 409
}

type Worded = { title: string; detail: string }

function titleOf(text: Text, { code, detail, headers }: Problem): Worded {
  const worded = own<Worded>(text.problems, code) ?? text.problems.internal
  if (code === 'throttled') return { ...worded, detail: text.throttled.wait(Number(headers['Retry-After'])) }
  return detail ? { ...worded, detail: detail(text) } : worded
}

/**
 * The problem in the words of pages: times by the building's clock, from the number in the header.
 * People choose filters on the page, while programs are told the parameter and its values.
 */
async function titleOnPage(ctx: Context, problem: Problem): Promise<Worded> {
  const { text, locale } = ctx.state
  if (problem.code === 'bad_query') return text.problems.bad_query
  const worded = titleOf(text, problem)
  if (problem.code === 'sent_before') {
    const { sentAt } = problem.members.first as { sentAt: string }
    const { property } = await ctx.state.building()
    const isJustNow = Date.now() - Date.parse(sentAt) < 60_000
    const ago = formatFor(locale, property.timezone).ago(sentAt, Date.now(), text.desk)
    return { ...worded, title: isJustNow ? text.sentBefore.justNow : text.sentBefore.title(ago) }
  }
  if (problem.code !== 'throttled') return worded
  const end = Date.now() + Number(problem.headers['Retry-After']) * 1000
  // The next full minute: a minute earlier would be refused again.
  const until = new Date(Math.ceil(end / 60_000) * 60_000).toISOString()
  const { property } = await ctx.state.building()
  return { ...worded, detail: text.throttled.until(formatFor(locale, property.timezone).when(until)) }
}

/** What a program asked for and there is not, named after the word before the id in its address. */
function notFoundIn(ctx: Context): Worded {
  const { titles, anything, detail } = ctx.state.text.notFound
  const words = routeOf(ctx)
    .split('/')
    .filter((word) => word !== '' && word !== 'api' && word !== 'admin')
  const id = words.findLastIndex((word) => /^[:{]/.test(word))
  const title = own<string>(titles, words[Math.max(id - 1, 0)] ?? '')
  return { title: title ?? anything, detail }
}

function members(ctx: Context, { members: given }: Problem): Record<string, unknown> {
  const { errors, ...rest } = given as { errors?: Record<string, string[]> }
  const page = featureHooks.registered().refusalLeadsTo(given)
  return {
    ...rest,
    ...(page === null ? {} : { redirectTo: addressFor(ctx, page) }),
    ...(errors ? { errors: worded(ctx.state.text, errors) } : {}),
  }
}

function worded(text: Text, errors: Record<string, string[]>): Record<string, string[]> {
  const wording = (problem: string) => {
    // A key of the catalogue, and after a blank what it names.
    const [, key = problem, named = ''] = /^(\S+) (.*)$/.exec(problem) ?? []
    const naming =
      own<(named: string) => string>(text.misplaced, key) ??
      (named ? own<(named: string) => string>(text.namedPhotos, key) : undefined)
    return naming?.(named) ?? own<string>(text.fields, key) ?? text.fields.not_acceptable
  }
  return Object.fromEntries(Object.entries(errors).map(([field, keys]) => [field, keys.map(wording)]))
}
