import { z } from 'zod'
import {
  countColumn,
  flagColumn,
  idColumn,
  instantColumn,
  orNull,
  textColumn,
  wholeColumn,
  word,
} from '../platform/db/columnKinds.js'
import { query } from '../platform/db/database.js'
import type { Context } from '../platform/http/context.js'
import { entity } from '../platform/http/records/entity.js'
import type { Column } from '../platform/http/records/resource.js'
import { nameField, options, orderPosition } from '../platform/http/records/sharedFields.js'
import { type Locale, locales, type Text, texts } from '../text/index.js'
import {
  clearable,
  clearableId,
  flag,
  id,
  oneOf,
  optionalEmailAddress,
  optionalText,
  trimmedText,
} from '../vocabulary/inputRules.js'
import { unitVisibilities } from '../vocabulary/people/visibility.js'
import { zoneNamed, zoneNames } from '../vocabulary/time/calendar.js'

/** Characters at most. */
const lengths = {
  address: 500,
  timezone: 100,
  officePhone: 50,
  unitNumber: 50,
  category: 100,
  code: 50,
  label: 200,
  phone: 100,
  email: 320,
  notes: 2_000,
}

/** A line of text that may be empty. */
const optionalField = (name: keyof typeof lengths, kind: 'line' | 'tel' = 'line') => ({
  kind: textColumn,
  input: optionalText(name, lengths[name]),
  form: { kind, maxlength: lengths[name] },
})

/** One word of a list, chosen by its label in the catalogue. */
const choice = <const Words extends readonly [string, ...string[]]>(
  name: string,
  words: Words,
  labels: (text: Text) => Record<Words[number], string>,
) => ({
  kind: word(words),
  input: oneOf(name, words),
  form: {
    kind: 'select' as const,
    options: ({ state: { text } }: Context) => options(words, (each) => labels(text)[each as Words[number]]),
  },
})

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
    id: { kind: idColumn },
    name: nameField,
    address: optionalField('address'),
    timezone: {
      kind: textColumn,
      input: trimmedText('timezone', lengths.timezone).transform((text, context) => {
        const zone = zoneNamed(text)
        if (zone !== null) return zone
        context.addIssue({ code: 'custom', message: 'timezone_unknown' })
        return z.NEVER
      }),
      form: { kind: 'line', maxlength: lengths.timezone, suggestions: zoneNames },
    },
    currency: {
      kind: textColumn,
      input: trimmedText('currency', 3)
        .transform((code) => code.toUpperCase())
        .refine((code) => currencies.includes(code), 'currency_unknown'),
      form: { kind: 'select', options: currencyOptions },
    },
    locale: {
      kind: textColumn,
      input: oneOf('locale', locales as [Locale, ...Locale[]]),
      form: { kind: 'select', options: () => options(locales, (each) => texts[each].name) },
    },
    /** Who must have a second factor (decision 7.12). */
    secondFactorRequired: choice(
      'secondFactorRequired',
      ['off', 'staff'],
      (text) => text.secondFactor.required,
    ),
    /** Shown to people without an account; may be empty. */
    officePhone: optionalField('officePhone'),
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

/** SQL of the filter: `false`: in use, `true`: archived, `all`: both. */
const archivedFilter = `($ = 'all' or (r.archived_at is not null) = ($ = 'true'))`

/** Since when a record is archived; null while it is in use. */
const archivedAtField = {
  kind: orNull(instantColumn),
  list: {
    cell: ({ archivedAt }: { archivedAt: Date | null }, { t, h }: Parameters<Column<never>['cell']>[1]) =>
      archivedAt && t.records.archivedOn(h.date(archivedAt.toISOString())),
  },
}

const towerNameField = {
  kind: textColumn,
  sql: 't.name',
  sort: { name: 'tower', by: 'lower(t.name)', type: 'text' },
  list: true,
} as const

/** The place in a display order. */
const orderField = {
  kind: wholeColumn,
  input: orderPosition.default(0),
  form: { kind: 'number', maxlength: 6 },
  list: true,
} as const

/** The control that chooses a tower; the only one is chosen already. */
const chooseTower = {
  kind: 'select',
  options: async ({ state }: Context) => {
    const towers = await towerOptions()
    return towers.length === 1 ? towers : [{ value: '', label: state.text.records.choose }, ...towers]
  },
  adds: { href: '/admin/towers/new', label: (text: Text) => text.towers.create },
} as const

const inUse = (table: string) =>
  `(select count(*) from ${table} p where p.tower_id = r.id and p.archived_at is null)`

/** Towers, the parts of the building (spec §2; decision 2.1). */
export const towerEntity = entity({
  name: 'tower',
  json: { everyone: 'Tower', office: 'OfficeTower' },
  from: 'towers r',
  search: 'r.name',
  fields: {
    id: { kind: idColumn, reader: 'everyone' },
    name: { ...nameField, reader: 'everyone' },
    assets: { kind: countColumn, sql: inUse('assets'), reader: 'none', list: true },
    units: { kind: countColumn, sql: inUse('units'), reader: 'none', list: true },
    sortOrder: { ...orderField, sort: { name: 'order', by: 'r.sort_order', type: 'integer' } },
  },
})

const floor = z
  .number({ error: ({ input }) => (input === undefined ? 'floor_required' : 'floor_unknown') })
  .int('floor_unknown')
  .min(-20, 'floor_unknown')
  .max(300, 'floor_unknown')

/** Units, the flats of the building (spec §2). Numeric numbers sort as numbers: 204 before 1204. */
export const unitEntity = entity({
  name: 'unit',
  json: { everyone: 'Unit', office: 'OfficeUnit' },
  from: `units r join towers t on t.id = r.tower_id
    left join (select unit_id, count(*) as people from users where unit_id is not null and active group by unit_id) p
      on p.unit_id = r.id`,
  search: `concat_ws(' ', t.name, r.number)`,
  filters: { towerId: 'r.tower_id = $', archived: archivedFilter },
  fields: {
    id: { kind: idColumn, reader: 'everyone' },
    towerId: { kind: idColumn, reader: 'everyone', input: id('tower'), form: chooseTower },
    number: {
      kind: textColumn,
      reader: 'everyone',
      input: trimmedText('number', lengths.unitNumber),
      form: { kind: 'line', maxlength: lengths.unitNumber },
      sort: { name: 'number', by: `lpad(lower(r.number), 50, '0')`, type: 'text' },
      list: true,
    },
    towerName: towerNameField,
    floor: {
      kind: wholeColumn,
      reader: 'everyone',
      input: floor,
      form: { kind: 'number', maxlength: 3 },
      sort: { name: 'floor', by: 'r.floor', type: 'integer' },
      list: true,
    },
    /** How many people who can sign in live there. */
    people: { kind: countColumn, sql: 'coalesce(p.people, 0)', list: true },
    archivedAt: archivedAtField,
  },
})

/** SQL: a display order as text of fixed length, so that it sorts as a number. */
const padded = (column: string) => `lpad((${column} + 100000)::text, 6, '0')`
/** By tower, as on the status page; towers with the same order are in that of their ids. */
const displayOrder = `${padded('t.sort_order')} || lpad(t.id::text, 10, '0') || ${padded('r.sort_order')}`

/** Assets (spec §2). Their live status does not depend on these fields. */
export const assetEntity = entity({
  name: 'asset',
  json: { office: 'OfficeAsset' },
  from: 'assets r join towers t on t.id = r.tower_id left join contacts k on k.id = r.contact_id',
  search: `concat_ws(' ', r.name, r.category, r.code, t.name, r.description, k.name)`,
  filters: { towerId: 'r.tower_id = $', archived: archivedFilter },
  fields: {
    id: { kind: idColumn },
    name: nameField,
    towerId: { kind: idColumn, input: id('tower'), form: chooseTower },
    towerName: towerNameField,
    category: {
      kind: textColumn,
      input: trimmedText('category', lengths.category),
      form: { kind: 'line', maxlength: lengths.category },
      sort: { name: 'category', by: 'lower(r.category)', type: 'text' },
      list: true,
    },
    code: {
      kind: orNull(textColumn),
      input: clearable(trimmedText('code', lengths.code, 0).transform((code) => code || null)),
      form: { kind: 'line', maxlength: lengths.code },
      sort: { name: 'code', by: `lower(coalesce(r.code, ''))`, type: 'text' },
      list: true,
    },
    description: { kind: textColumn, input: optionalText('description'), form: { kind: 'text' } },
    contactId: {
      kind: orNull(idColumn),
      input: clearableId('contact'),
      form: {
        kind: 'select',
        options: async ({ state }) => [
          { value: '', label: state.text.records.noOne },
          ...(await contactOptions()),
        ],
      },
    },
    contactName: { kind: orNull(textColumn), sql: 'k.name', list: true },
    sortOrder: { ...orderField, sort: { name: 'order', by: displayOrder, type: 'text' } },
    archivedAt: archivedAtField,
  },
})

/** The contacts of the building directory (spec §2), whose order the office sets. */
export const contactEntity = entity({
  name: 'contact',
  json: { everyone: 'Contact', office: 'OfficeContact' },
  from: 'contacts r',
  search: `concat_ws(' ', r.name, r.label, r.phone, r.email, r.notes)`,
  fields: {
    id: { kind: idColumn, reader: 'everyone' },
    name: { ...nameField, reader: 'everyone' },
    label: { ...optionalField('label'), reader: 'everyone', list: true },
    phone: { ...optionalField('phone', 'tel'), reader: 'everyone', list: true },
    email: {
      kind: textColumn,
      reader: 'everyone',
      input: optionalEmailAddress,
      form: { kind: 'email', maxlength: lengths.email },
      list: true,
    },
    notes: {
      kind: textColumn,
      reader: 'everyone',
      input: optionalText('notes', lengths.notes),
      form: { kind: 'text' },
    },
    /** The list's buttons move a contact; only JSON sets the number itself. */
    sortOrder: {
      kind: wholeColumn,
      reader: 'everyone',
      input: orderPosition.default(0),
      sort: { name: 'order', by: 'r.sort_order', type: 'integer' },
    },
    isEmergency: {
      kind: flagColumn,
      input: flag('emergency').default(false),
      form: { kind: 'flag' },
      list: { cell: ({ isEmergency }: { isEmergency: boolean }, { t }) => isEmergency && t.records.yes },
    },
  },
})

/** The towers as options, in display order. */
export function towerOptions(): Promise<{ value: string; label: string }[]> {
  return query('select id::text as value, name as label from towers order by sort_order, id')
}

/** The contacts as options, in their order; what they are for tells those of one name apart. */
function contactOptions(): Promise<{ value: string; label: string }[]> {
  return query(
    `select id::text as value, concat_ws(', ', name, nullif(label, '')) as label from contacts order by sort_order, id`,
  )
}
