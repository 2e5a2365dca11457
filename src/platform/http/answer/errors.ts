import { noteStoreFault } from '../../photos/storeFault.js'
import { explainDatabaseError } from '../../process/databaseAdvice.js'
import { unfitForDatabase } from '../../process/databaseErrors.js'
import { log } from '../../process/log.js'
import type { Context, Middleware } from '../context.js'
import { enteredFields } from '../enteredFields.js'
import { featureHooks } from '../featureHooks.js'
import { Problem, problemDocument, problemFrom } from '../problem.js'
import { loggablePath } from '../protection/loggablePath.js'
import { logSecurityOfRefusal } from '../protection/securityEvents.js'
import { representationOf, varying } from '../representation.js'
import { pageOfForm } from './nextLinks.js'
import { presentedMembers, renderProblemPage, showsAgain } from './problemPages.js'
import { notFoundText, problemText, referenceOf } from './problemText.js'
import { redirect } from './redirect.js'
import { respond } from './respond.js'

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
      logSecurityOfRefusal(ctx, problem, error)
      await answer(ctx, problem)
    }
  }
}

function report(ctx: Context, { status, code }: Problem, error: unknown): void {
  const place = { requestId: ctx.state.requestId, code, path: loggablePath(ctx.path) }
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
  const pageOfTap = refusedTap(ctx, problem) ? pageBefore(ctx) : null
  const { text, requestId } = ctx.state
  if (representationOf(ctx) === 'json') {
    ctx.type = 'application/problem+json'
    const words = problem.code === 'not_found' ? notFoundText(ctx) : problemText(text, problem)
    ctx.body = problemDocument(problem, words, requestId, presentedMembers(ctx, problem))
  } else if (pageOfTap) await respond(ctx, { location: pageOfTap, notice: `refused-${problem.code}` })
  else if (isTextBrowserWithoutSession(ctx, problem)) redirect(ctx, signInAddress(ctx))
  else await answerWithPage(ctx, problem)
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
  const fields = enteredFields(ctx)
  const { texts, amounts } = featureHooks.registered().formFields
  const isFilledIn = [...texts, ...amounts].some((name) => (fields[name] ?? '') !== '')
  if (ctx.method !== 'POST' || isFilledIn || !URL.canParse(ctx.get('Referer'))) return null
  return pageOfForm(ctx)
}

/** Text browsers ask for HTML without Sec-Fetch headers, and show nothing of a page with a 401. */
function isTextBrowserWithoutSession(ctx: Context, { status, code }: Problem): boolean {
  if (ctx.method !== 'GET' || code !== 'unauthenticated' || status !== 401) return false
  return ctx.get('Accept').includes('text/html') && ctx.get('Sec-Fetch-Site') === ''
}

/** Rendering may fail as well, above all without the database: then plain text has to do. */
async function answerWithPage(ctx: Context, problem: Problem): Promise<void> {
  try {
    await renderProblemPage(ctx, problem)
  } catch (error) {
    // What may be stored is not said to be lost because the page about it could not be made.
    const second = problem.code === 'outcome_unknown' ? problem : problemFrom(error, ctx.state)
    report(ctx, second, error)
    ctx.state.refusal.form = undefined
    ctx.state.refusal.isRefusedForm = false
    ctx.status = second.status
    ctx.set(second.headers)
    await renderProblemPage(ctx, second).catch(() => answerWithText(ctx, second))
  }
}

function answerWithText(ctx: Context, problem: Problem): void {
  const { title, detail } = problemText(ctx.state.text, problem)
  const reference = referenceOf(problem, ctx.state.requestId)
  ctx.type = 'text/plain; charset=utf-8'
  ctx.body = [title, detail, ...(reference ? [reference] : [])].join('\n\n').concat('\n')
}
