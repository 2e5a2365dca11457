import { z } from 'zod'
import { idColumn, textColumn } from '../../platform/db/columnKinds.js'
import type { Context } from '../../platform/http/context.js'
import { entity } from '../../platform/http/records/entity.js'
import { nameField, options } from '../../platform/http/records/sharedFields.js'
import { type Locale, locales, texts } from '../../text/index.js'
import { oneOf, trimmedText } from '../../vocabulary/inputRules.js'
import { unitVisibilities } from '../../vocabulary/people/visibility.js'
import { zoneNamed, zoneNames } from '../../vocabulary/time/calendar.js'
import { choice, lengths, optionalField } from './fieldKinds.js'

const currencies = Intl.supportedValuesOf('currency')

/** The currencies as options; the stored one stays one, even when it is no longer valid. */
async function currencyOptions({ state }: Context) {
  const { property } = await state.building()
  const names = new Intl.DisplayNames(state.locale, { type: 'currency' })
  const codes = [...new Set([...currencies, property.currency])].sort()
  return options(codes, (code) => `${code} – ${names.of(code)}`)
}

/** The building (spec §2), with the office's settings. There is only one, so it has no list. */
export const propertyEntity = entity({
  name: 'property',
  json: { office: 'Property' },
  from: 'properties r',
  fields: {
    id: { column: idColumn },
    name: nameField,
    address: optionalField('address'),
    timezone: {
      column: textColumn,
      input: trimmedText('timezone', lengths.timezone).transform((text, context) => {
        const zone = zoneNamed(text)
        if (zone !== null) return zone
        context.addIssue({ code: 'custom', message: 'timezone_unknown' })
        return z.NEVER
      }),
      form: { control: 'line', maxlength: lengths.timezone, suggestions: zoneNames },
    },
    currency: {
      column: textColumn,
      input: trimmedText('currency', 3)
        .transform((code) => code.toUpperCase())
        .refine((code) => currencies.includes(code), 'currency_unknown'),
      form: { control: 'select', options: currencyOptions },
    },
    locale: {
      column: textColumn,
      input: oneOf('locale', locales as [Locale, ...Locale[]]),
      form: { control: 'select', options: () => options(locales, (each) => texts[each].name) },
    },
    /** Who must have a second factor (decision 7.12). */
    secondFactorRequired: choice(
      'secondFactorRequired',
      ['off', 'staff'],
      (text) => text.secondFactor.required,
    ),
    /** Shown to people without an account; may be empty. */
    officePhone: optionalField('officePhone'),
    /** The public number for fire and injury; empty: the usual one where the time zone is. */
    emergencyNumber: {
      column: textColumn,
      input: trimmedText('emergencyNumber', lengths.emergencyNumber, 0)
        .refine((number) => /^(\d{2,6})?$/.test(number), 'emergencyNumber_unknown')
        .meta({ pattern: '^([0-9]{2,6})?$' })
        .default(''),
      form: { control: 'tel', maxlength: lengths.emergencyNumber },
    },
    /** Who reads which flat an incident is about (decision 7.13). */
    unitVisibility: choice('unitVisibility', unitVisibilities, (text) => text.protection.unitVisibility),
    /**
     * When reports by email become public: at once, or when the office has sorted them (decision
     * 7.13).
     */
    emailVisibility: choice(
      'emailVisibility',
      ['at_once', 'when_sorted'],
      (text) => text.protection.emailVisibility,
    ),
    /** Who makes accounts: the office, or anyone whose address is confirmed (decision 7.15). */
    signUp: choice('signUp', ['office', 'anybody'], (text) => text.signUp.by),
  },
})
