import { randomUUID } from 'node:crypto'
import { type Locale, locales, texts } from '../../../text/index.js'
import { parseId } from '../../../vocabulary/limits.js'
import { may, type Permission } from '../../../vocabulary/people/permissions.js'
import { config } from '../../process/config.js'
import { version } from '../../process/version.js'
import type { Building, Context } from '../context.js'
import { featureHooks } from '../featureHooks.js'
import { formatFor } from '../format/format.js'
import { addressFor, localPath, withQuery } from '../paths.js'
import { isIndexed } from '../protection/securityHeaders.js'
import { type Representation, representationOf, varying } from '../representation.js'
import { can } from '../request/allow.js'
import { formToken } from '../session/csrf.js'
import { render } from './views.js'

type TemplateValues = Record<string, unknown>

/**
 * Lets forms share a page: `form(name, stored)` gives the form called `filled` what was typed and
 * its errors, others `stored`; `form()` is the form of a page that has one. `fieldId` puts the
 * form's name before field ids, so that they are unique in the page.
 */
function withForms(page: TemplateValues): TemplateValues {
  const { filled, values, errors, problem, formToken, formKey } = page
  const form = (name?: string, stored: TemplateValues = {}): TemplateValues => {
    const shared = { fieldId: idIn(name), formToken, formKey }
    return name === filled
      ? { ...shared, values: { ...stored, ...(values as TemplateValues) }, errors, problem }
      : { ...shared, values: stored, errors: {}, problem: null }
  }
  return { ...page, form, fieldId: idIn(filled) }
}

const idIn = (name: unknown) => (field: string) => (typeof name === 'string' ? `${name}-${field}` : field)

/** What a handler returns: presented data, and how to show it as HTML. */
export type Answer = {
  /**
   * The JSON, and the data of the page; undefined answers 204 to JSON. A function is called only
   * where someone gets it: a form that is led to the next page pays for no JSON.
   */
  data?: unknown
  /** The page's template: `views/<view>.eta`. */
  view?: string
  /** The template htmx gets instead of the page; by default the page's. */
  fragment?: string
  /** What only the page needs; a function is called only for a page. */
  extras?: Record<string, unknown> | (() => Promise<Record<string, unknown>>)
  /** Page address of the result: a redirect for HTML without a view, a Location header with 201. */
  location?: string
  /** Key of the notice that the page at `location` shows. */
  notice?: string
  /** Status of the JSON response, and of a page without `location`; 200 by default. */
  status?: number
}

/** Turns an answer into a page, a fragment, JSON or a redirect; no other place decides which. */
export async function respond(ctx: Context, answer: Answer): Promise<void> {
  const representation = representationOf(ctx)
  ctx.vary(varying)
  ctx.set('Cache-Control', isPersonal(ctx) ? 'private, no-store' : 'private, no-cache')
  if (representation === 'json') return asJson(ctx, answer)
  ctx.set('Content-Language', ctx.state.locale)
  if (answer.location !== undefined && !answer.view)
    return goTo(ctx, representation, withNotice(answer.location, answer.notice))
  const view = (representation === 'fragment' && answer.fragment) || answer.view
  if (!view) return asJson(ctx, answer)
  ctx.status = answer.status ?? 200
  ctx.type = 'html'
  const extras = typeof answer.extras === 'function' ? await answer.extras() : answer.extras
  ctx.body = await renderView(ctx, view, { data: await dataOf(answer), ...extras })
}

/** Renders a view with everything every view may use. */
export async function renderView(
  ctx: Context,
  view: string,
  pageValues: Record<string, unknown>,
): Promise<string> {
  const { locale, user, viewer } = ctx.state
  const notice = typeof ctx.query.notice === 'string' ? ctx.query.notice : null
  const templateValues = {
    ...frame(await ctx.state.building(), locale),
    // Before the title of a page that says what is wrong: a screen reader reads the title first.
    errorPrefix: pageValues.problem ? `${texts[locale].problemPage.errorPrefix} ` : '',
    user,
    staff: viewer.staff,
    path: ctx.path,
    url: ctx.state.response.displayedUrl ?? localPath(ctx.url) ?? '/',
    can: (permission: Permission) => can(ctx, permission),
    formToken: () => formToken(ctx),
    formKey: () => randomUUID(),
    noticeOf: typeof ctx.query.of === 'string' ? parseId(ctx.query.of) : null,
    noticeNow: ctx.query.now,
    notice,
    version: viewer.staff && version,
    nextStep: notice && can(ctx, 'user.manage') ? await featureHooks.registered().nextStep() : null,
    indexed: isIndexed(ctx),
    signInWith: config.singleSignOn?.name ?? null,
    ...pageValues,
  }
  return render(view, withForms(templateValues))
}

/** Renders a page as a guest gets it, outside of any request. */
export function guestPage(
  building: Building,
  locale: Locale,
  path: string,
  view: string,
  pageValues: Record<string, unknown>,
): string {
  const can = (permission: Permission) => may('guest', permission)
  return render(view, {
    ...frame(building, locale),
    user: null,
    staff: false,
    path,
    url: path,
    can,
    notice: null,
    indexed: true,
    ...pageValues,
  })
}

/** The language switcher in the footer of every page. */
const languages = locales.map((locale) => ({ locale, name: texts[locale].name, dir: texts[locale].dir }))

function frame({ property, emergency }: Building, locale: Locale): Record<string, unknown> {
  const h = formatFor(locale, property.timezone)
  return {
    t: texts[locale],
    h,
    locale,
    languages,
    property,
    emergency,
    values: {},
    errors: {},
    problem: null,
  }
}

const dataOf = ({ data }: Answer): unknown => (typeof data === 'function' ? data() : data)

async function asJson(ctx: Context, answer: Answer): Promise<void> {
  const { status = 200, location } = answer
  const data = await dataOf(answer)
  if (status === 201 && location) ctx.set('Location', siteAddress(addressFor(ctx, location)))
  if (data === undefined) {
    ctx.status = 204
    return
  }
  ctx.status = status
  ctx.type = 'json'
  ctx.body = JSON.stringify(data)
}

/** htmx would follow a 303 and swap the next page into a part of this one: tell it to navigate. */
function goTo(ctx: Context, representation: Representation, location: string): void {
  if (representation !== 'fragment') {
    redirect(ctx, location)
    return
  }
  ctx.body = ''
  ctx.status = 200
  ctx.set('HX-Redirect', siteAddress(location))
}

/** Redirects every caller to an address of this site, whatever it accepts. */
export function redirect(ctx: Context, location: string, status: 302 | 303 = 303): void {
  leadTo(ctx, siteAddress(location), status)
}

/** Sends a browser to the identity provider: the one answer that leads to another site. */
export function redirectToProvider(ctx: Context, address: URL): void {
  ctx.set('Cache-Control', 'no-store')
  leadTo(ctx, address.href, 303)
}

function leadTo(ctx: Context, address: string, status: 302 | 303): void {
  ctx.body = ''
  ctx.status = status
  ctx.set('Location', address)
}

/** Guards against open redirects: no response leads to another site (decision 7.9). */
const siteAddress = (location: string) => localPath(location) ?? '/'

const withNotice = (location: string, notice: string | undefined) =>
  notice ? withQuery(location, { notice }) : location

/** Pages not for guests stay out of every cache, the browser's too: lobbies share computers. */
function isPersonal(ctx: Context): boolean {
  const { permission } = ctx.state
  return permission !== undefined && !may('guest', permission)
}
