import { z } from 'zod'
import { editProperty, propertyKind } from '../../actions/building/editProperty.js'
import { versionOf } from '../../actions/records/records.js'
import { limits } from '../../domain/system/limits.js'
import { zoneNamed, zoneNames } from '../../domain/time/zoneNames.js'
import { Property } from '../../models/building/building.js'
import type { Field } from '../../pages/records/description.js'
import { SeenVersion } from '../../pages/records/fields.js'
import { options } from '../../pages/records/pages.js'
import { presentProperty } from '../../presenters/building/property.js'
import { type Locale, locales, texts } from '../../text/index.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { input, line, oneOf, optionalLine, subset } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

const longest = { address: 500, timezone: 100 }
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
})

/** GET and PATCH /api/admin/property, and its page: there is one, so it has no list (decision 6.2). */
export function propertyRoutes(router: AppRouter): void {
  const writes = [allow('property.manage'), throttle('writes'), body()] as const
  const shown = form({ view: 'records/edit', load: refused, conflicts: true })

  router.get(both('/admin/property'), allow('property.manage'), async (ctx) => {
    const property = await Property.current()
    const extras = { ...page(ctx, property), values: property }
    await respond(ctx, { data: presentProperty(property), view: 'records/edit', extras })
  })
  router.patch('/api/admin/property', ...writes, save)
  router.post('/admin/property', ...writes, shown, save)
}

async function save(ctx: Context): Promise<void> {
  const { seen } = input(ctx, SeenVersion)
  await editProperty(ctx.state.actor, subset(ctx, schema), seen ?? undefined)
  const data = presentProperty(await Property.current())
  await respond(ctx, { data, location: '/admin/property', notice: 'saved' })
}

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
    fields: fieldsOf(ctx, property),
  }
}

/** What is stored can always be kept, also when it is a currency of the past. */
function fieldsOf({ state: { locale, text } }: Context, { currency }: Property): Field[] {
  const names = new Intl.DisplayNames(locale, { type: 'currency' })
  const codes = [...new Set([...currencies, currency])].sort()
  return [
    { name: 'name', kind: 'line', maxlength: limits.name },
    { name: 'address', kind: 'line', maxlength: longest.address },
    { name: 'timezone', kind: 'line', maxlength: longest.timezone, suggestions: zoneNames },
    { name: 'currency', kind: 'select', options: options(codes, (code) => `${code} – ${names.of(code)}`) },
    { name: 'locale', kind: 'select', options: options(locales, (each) => texts[each].name) },
    {
      name: 'secondFactorRequired',
      kind: 'select',
      options: options(['off', 'staff'] as const, (each) => text.secondFactor.required[each]),
    },
  ]
}
