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
import { nameField, place } from '../platform/http/records/fields.js'
import type { Column } from '../platform/http/records/resource.js'
import { options } from '../platform/http/records/resourcePages.js'
import {
  clearable,
  clearableId,
  flag,
  id,
  line,
  oneOf,
  optionalLine,
} from '../platform/http/request/input.js'
import { type Locale, locales, texts } from '../text/index.js'
import {
  mailVisibilities,
  secondFactorDemands,
  signUps,
  unitVisibilities,
} from '../vocabulary/people/visibility.js'
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
    address: {
      kind: textColumn,
      input: optionalLine('address', lengths.address),
      form: { kind: 'line', maxlength: lengths.address },
    },
    timezone: {
      kind: textColumn,
      input: line('timezone', lengths.timezone).transform((text, context) => {
        const zone = zoneNamed(text)
        if (zone !== null) return zone
        context.addIssue({ code: 'custom', message: 'timezone_unknown' })
        return z.NEVER
      }),
      form: { kind: 'line', maxlength: lengths.timezone, suggestions: zoneNames },
    },
    currency: {
      kind: textColumn,
      input: line('currency', 3)
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
    secondFactorRequired: {
      kind: word(secondFactorDemands),
      input: oneOf('secondFactorRequired', secondFactorDemands),
      form: {
        kind: 'select',
        options: ({ state: { text } }) =>
          options(secondFactorDemands, (each) => text.secondFactor.required[each]),
      },
    },
    /** Shown to people without an account; may be empty. */
    officePhone: {
      kind: textColumn,
      input: optionalLine('officePhone', lengths.officePhone),
      form: { kind: 'line', maxlength: lengths.officePhone },
    },
    /** Who reads which flat an incident is about, and when emails are public (decision 7.13). */
    unitVisibility: {
      kind: word(unitVisibilities),
      input: oneOf('unitVisibility', unitVisibilities),
      form: {
        kind: 'select',
        options: ({ state: { text } }) =>
          options(unitVisibilities, (each) => text.protection.unitVisibility[each]),
      },
    },
    mailVisibility: {
      kind: word(mailVisibilities),
      input: oneOf('mailVisibility', mailVisibilities),
      form: {
        kind: 'select',
        options: ({ state: { text } }) =>
          options(mailVisibilities, (each) => text.protection.mailVisibility[each]),
      },
    },
    /** Who makes accounts (decision 7.15). */
    signUp: {
      kind: word(signUps),
      input: oneOf('signUp', signUps),
      form: {
        kind: 'select',
        options: ({ state: { text } }) => options(signUps, (each) => text.signUp.by[each]),
      },
    },
  },
})

/** SQL of the filter: `false`: in use, `true`: archived, `all`: both. */
const archivedFilter = `($ = 'all' or (r.archived_at is not null) = ($ = 'true'))`

/** The list's column that says since when a record is archived. */
const archivedColumn = {
  cell: ({ archivedAt }: { archivedAt: Date | null }, { t, h }: Parameters<Column<never>['cell']>[1]) =>
    archivedAt && t.records.archivedOn(h.date(archivedAt.toISOString())),
}

/** The control that chooses a tower; the only one is chosen already. */
const chooseTower = {
  kind: 'select',
  options: async ({ state }: Context) => {
    const towers = await towerOptions()
    return towers.length === 1 ? towers : [{ value: '', label: state.text.records.choose }, ...towers]
  },
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
    sortOrder: {
      kind: wholeColumn,
      input: place.default(0),
      form: { kind: 'number', maxlength: 6 },
      sort: { name: 'order', by: 'r.sort_order', type: 'integer' },
      list: true,
    },
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
      input: line('number', lengths.unitNumber),
      form: { kind: 'line', maxlength: lengths.unitNumber },
      sort: { name: 'number', by: `lpad(lower(r.number), 50, '0')`, type: 'text' },
      list: true,
    },
    towerName: {
      kind: textColumn,
      sql: 't.name',
      sort: { name: 'tower', by: 'lower(t.name)', type: 'text' },
      list: true,
    },
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
    archivedAt: { kind: orNull(instantColumn), list: archivedColumn },
  },
})

/** SQL: a display order as text of fixed length, so that it sorts as a number. */
const padded = (column: string) => `lpad((${column} + 100000)::text, 6, '0')`
/** By tower, as on the status page. */
const displayOrder = `${padded('t.sort_order')} || t.id || ' ' || ${padded('r.sort_order')}`

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
    towerName: {
      kind: textColumn,
      sql: 't.name',
      sort: { name: 'tower', by: 'lower(t.name)', type: 'text' },
      list: true,
    },
    category: {
      kind: textColumn,
      input: line('category', lengths.category),
      form: { kind: 'line', maxlength: lengths.category },
      sort: { name: 'category', by: 'lower(r.category)', type: 'text' },
      list: true,
    },
    code: {
      kind: orNull(textColumn),
      input: clearable(line('code', lengths.code, 0).transform((code) => code || null)),
      form: { kind: 'line', maxlength: lengths.code },
      sort: { name: 'code', by: `lower(coalesce(r.code, ''))`, type: 'text' },
      list: true,
    },
    description: { kind: textColumn, input: optionalLine('description'), form: { kind: 'text' } },
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
    sortOrder: {
      kind: wholeColumn,
      input: place.default(0),
      form: { kind: 'number', maxlength: 6 },
      sort: { name: 'order', by: displayOrder, type: 'text' },
      list: true,
    },
    archivedAt: { kind: orNull(instantColumn), list: archivedColumn },
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
    label: {
      kind: textColumn,
      reader: 'everyone',
      input: optionalLine('label', lengths.label),
      form: { kind: 'line', maxlength: lengths.label },
      list: true,
    },
    phone: {
      kind: textColumn,
      reader: 'everyone',
      input: optionalLine('phone', lengths.phone),
      form: { kind: 'tel', maxlength: lengths.phone },
      list: true,
    },
    email: {
      kind: textColumn,
      reader: 'everyone',
      input: optionalLine('email', lengths.email),
      form: { kind: 'email', maxlength: lengths.email },
      list: true,
    },
    notes: {
      kind: textColumn,
      reader: 'everyone',
      input: optionalLine('notes', lengths.notes),
      form: { kind: 'text' },
    },
    /** The list's buttons move a contact; only JSON sets the number itself. */
    sortOrder: {
      kind: wholeColumn,
      reader: 'everyone',
      input: place.default(0),
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
