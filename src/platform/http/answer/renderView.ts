import { randomUUID } from 'node:crypto'
import { type Locale, locales, texts } from '../../../text/index.js'
import { parseId } from '../../../vocabulary/limits.js'
import { may, type Permission } from '../../../vocabulary/people/permissions.js'
import { config, publicAddress } from '../../process/config.js'
import { version } from '../../process/version.js'
import type { Building, Context } from '../context.js'
import { featureHooks } from '../featureHooks.js'
import { formatFor } from '../format/format.js'
import { localPath } from '../paths.js'
import { isIndexed } from '../protection/securityHeaders.js'
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

/** The languages of the menu of every page. */
const languages = locales.map((locale) => ({ locale, name: texts[locale].name, dir: texts[locale].dir }))

function frame({ property, emergency }: Building, locale: Locale): Record<string, unknown> {
  const h = formatFor(locale, property.timezone)
  return {
    t: texts[locale],
    h,
    locale,
    otherLanguages: languages.filter((other) => other.locale !== locale),
    property,
    emergency,
    origin: publicAddress(),
    values: {},
    errors: {},
    problem: null,
  }
}
