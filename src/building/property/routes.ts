import { z } from 'zod'
import type { Context } from '../../platform/http/context.js'
import { rowId, shape } from '../../platform/http/json.js'
import type { Field } from '../../platform/http/records/description.js'
import { SeenVersion } from '../../platform/http/records/fields.js'
import { options } from '../../platform/http/records/pages.js'
import { versionOf } from '../../platform/http/records/records.js'
import { both } from '../../platform/http/request/both.js'
import { line, oneOf, optionalLine } from '../../platform/http/request/input.js'
import { partial } from '../../platform/http/route/fields.js'
import { route, routePair } from '../../platform/http/route/route.js'
import { type Locale, locales, texts } from '../../text/index.js'
import { limits } from '../../vocabulary/limits.js'
import { mailVisibilities, signUps, unitVisibilities } from '../../vocabulary/people/visibility.js'
import { zoneNamed, zoneNames } from '../../vocabulary/time/calendar.js'
import { Property } from '../building.js'
import { adminFields, editProperty, propertyKind } from './editProperty.js'

/** The building (spec §2), with the office's settings. */
export const PropertyJson = shape('Property', {
  id: rowId,
  name: z.string(),
  address: z.string(),
  timezone: z.string(),
  currency: z.string(),
  locale: z.string(),
  secondFactorRequired: z.enum(['off', 'staff']),
  officePhone: z.string(),
  unitVisibility: z.enum(unitVisibilities),
  mailVisibility: z.enum(mailVisibilities),
  signUp: z.enum(signUps),
})

export function presentProperty(property: Property): z.output<typeof PropertyJson> {
  const { id, name, address, timezone, currency, locale, secondFactorRequired, officePhone } = property
  const { unitVisibility, mailVisibility, signUp } = property
  const house = { id, name, address, timezone, currency, locale, secondFactorRequired, officePhone }
  return { ...house, unitVisibility, mailVisibility, signUp }
}

const longest = { address: 500, timezone: 100, officePhone: 50 }
const currencies = Intl.supportedValuesOf('currency')

const schema = z.object({
  name: line('name', limits.name),
  address: optionalLine('address', longest.address),
  timezone: line('timezone', longest.timezone).transform((text, context) => {
    const zone = zoneNamed(text)
    if (zone !== null) return zone
    context.addIssue({ code: 'custom', message: 'timezone_unknown' })
    return z.NEVER
  }),
  currency: line('currency', 3)
    .transform((code) => code.toUpperCase())
    .refine((code) => currencies.includes(code), 'currency_unknown'),
  locale: oneOf('locale', locales as [Locale, ...Locale[]]),
  secondFactorRequired: oneOf('secondFactorRequired', ['off', 'staff']),
  officePhone: optionalLine('officePhone', longest.officePhone),
  unitVisibility: oneOf('unitVisibility', unitVisibilities),
  mailVisibility: oneOf('mailVisibility', mailVisibilities),
  signUp: oneOf('signUp', signUps),
})

/** The building; there is only one, so it has no list (decision 6.2). */
export const propertyRoutes = [
  route({
    method: 'get',
    paths: both('/admin/property'),
    summary:
      'The building settings: name, address, time zone, currency, language, two-step sign-in and visibility.',
    permission: 'property.manage',
    answer: PropertyJson,
    handle: async ({ ctx }) => {
      const property = await Property.current()
      const extras = { ...page(ctx, property), values: property }
      return { data: presentProperty(property), view: 'records/edit', extras }
    },
  }),

  ...routePair({
    method: 'patch',
    paths: '/api/admin/property',
    fromForm: '/admin/property',
    summary:
      'Changes the building settings that are sent. Only admins can change signUp and secondFactorRequired.',
    permission: 'property.manage',
    throttle: 'writes',
    body: partial(schema.extend(SeenVersion.shape)),
    answer: PropertyJson,
    form: { view: 'records/edit', load: refused, conflicts: true },
    handle: async ({ body: { seen, ...given }, actor }) => {
      await editProperty(actor, given, seen ?? undefined)
      const data = presentProperty(await Property.current())
      return { data, location: '/admin/property', notice: 'saved' }
    },
  }),
]

async function refused(ctx: Context): Promise<Record<string, unknown>> {
  const property = await Property.current()
  return { ...page(ctx, property), stored: property }
}

function page(ctx: Context, property: Property): Record<string, unknown> {
  return {
    words: ctx.state.text.upkeep.property,
    id: property.id,
    name: property.name,
    action: '/admin/property',
    seen: versionOf(propertyKind, property),
    fields: fieldsOf(ctx, property).map((field) => ({
      ...field,
      isLocked: adminFields.includes(field.name) && ctx.state.principal !== 'admin',
    })),
  }
}

/** The stored currency stays an option, even when it is no longer a valid one. */
function fieldsOf({ state: { locale, text } }: Context, { currency }: Property): Field[] {
  const names = new Intl.DisplayNames(locale, { type: 'currency' })
  const codes = [...new Set([...currencies, currency])].sort()
  return [
    { name: 'name', kind: 'line', maxlength: limits.name },
    { name: 'address', kind: 'line', maxlength: longest.address },
    { name: 'officePhone', kind: 'line', maxlength: longest.officePhone },
    { name: 'timezone', kind: 'line', maxlength: longest.timezone, suggestions: zoneNames },
    { name: 'currency', kind: 'select', options: options(codes, (code) => `${code} – ${names.of(code)}`) },
    { name: 'locale', kind: 'select', options: options(locales, (each) => texts[each].name) },
    {
      name: 'secondFactorRequired',
      kind: 'select',
      options: options(['off', 'staff'] as const, (each) => text.secondFactor.required[each]),
    },
    {
      name: 'unitVisibility',
      kind: 'select',
      options: options(unitVisibilities, (each) => text.protection.unitVisibility[each]),
    },
    {
      name: 'mailVisibility',
      kind: 'select',
      options: options(mailVisibilities, (each) => text.protection.mailVisibility[each]),
    },
    {
      name: 'signUp',
      kind: 'select',
      options: options(signUps, (each) => text.signUp.by[each]),
    },
  ]
}
