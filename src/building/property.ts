import type { Change } from '../platform/db/change.js'
import type { Context } from '../platform/http/context.js'
import { both } from '../platform/http/paths.js'
import { type RecordKind, updateRecord, versionOf } from '../platform/http/records/recordActs.js'
import type { Field } from '../platform/http/records/resource.js'
import { withFields } from '../platform/http/records/resourceRoutes.js'
import { RecordVersion } from '../platform/http/records/sharedFields.js'
import { partial } from '../platform/http/route/fields.js'
import { route, routePair } from '../platform/http/route/route.js'
import { nativeError } from '../platform/process/databaseErrors.js'
import { extensionPoint } from '../platform/process/extensionPoint.js'
import { isLocale, texts } from '../text/index.js'
import { changesBetween } from '../vocabulary/audit.js'
import { demand } from '../vocabulary/people/actor.js'
import { ValidationFailed } from '../vocabulary/validation.js'
import { requireNobodysName } from './accountNames.js'
import { Property } from './building.js'
import { propertyEntity } from './entities/propertyEntity.js'

const { json: PropertyJson, present: presentProperty, schema, fields } = propertyEntity.records

/** The building; there is only one, so it has no list (decision 6.2). */
export const propertyRoutes = [
  route({
    method: 'get',
    paths: both('/admin/property'),
    group: 'building',
    summary:
      'The building settings: name, address, time zone, currency, language, two-step sign-in and visibility.',
    permission: 'property.manage',
    answer: PropertyJson,
    handle: async ({ ctx }) => {
      const property = await Property.current()
      const extras = { ...(await page(ctx, property)), values: property }
      return { data: presentProperty(property), view: 'records/edit', extras }
    },
  }),

  ...routePair({
    method: 'patch',
    paths: '/api/admin/property',
    group: 'building',
    fromForm: '/admin/property',
    summary:
      'Changes the building settings that are sent. Only admins can change signUp and secondFactorRequired.',
    permission: 'property.manage',
    throttle: 'writes',
    body: partial(withFields(schema, RecordVersion.shape)),
    answer: PropertyJson,
    form: { view: 'records/edit', load: refused, conflicts: true },
    handle: async ({ body: { version, ...fields }, actor }) => {
      await updateRecord(actor, propertyKind, propertyId, fields, (version as string | null) ?? undefined)
      const data = presentProperty(await Property.current())
      return { data, location: '/admin/property', notice: 'saved' }
    },
  }),
]

async function refused(ctx: Context): Promise<Record<string, unknown>> {
  const property = await Property.current()
  return { ...(await page(ctx, property)), stored: property }
}

async function page(ctx: Context, property: Property): Promise<Record<string, unknown>> {
  return {
    words: ctx.state.text.property,
    id: property.id,
    name: property.name,
    action: '/admin/property',
    recordVersion: versionOf(propertyKind, property),
    fields: phonesAfterAddress(await fields(ctx)).map((field) => ({
      ...field,
      isLocked: adminFields.includes(field.name) && ctx.state.principal !== 'admin',
    })),
  }
}

/** Numbers to call stand on the page beside where the building is; in JSON they came later. */
function phonesAfterAddress(all: Field[]): Field[] {
  const isPhone = ({ name }: Field) => name === 'officePhone' || name === 'emergencyNumber'
  const others = all.filter((field) => !isPhone(field))
  const after = others.findIndex(({ name }) => name === 'address') + 1
  return others.toSpliced(after, 0, ...all.filter(isPhone))
}

/** The id of the only property (decision 6.2). */
const propertyId = 1

type ZoneChange = (c: Change, before: string, after: string) => Promise<void>

/** What else a new time zone changes, in its transaction, before the zone is stored. */
export const zoneChangeHook = extensionPoint<ZoneChange>('change of the time zone')

/** Who gets in, and how: only an admin changes these (decision 7.12). */
const adminFields: readonly string[] = ['secondFactorRequired', 'signUp']

/** The property as a record; the database must know its time zone, too. */
const propertyKind: RecordKind = {
  ...propertyEntity.kind,
  model: Property,
  check: async (c, after, before) => {
    for (const field of adminFields)
      if (after[field] !== before?.[field]) demand(c.actor, 'property.secure', field)
    if (after.secondFactorRequired === 'staff' && before?.secondFactorRequired !== 'staff')
      await requireOwnSecondFactor(c)
    if (after.timezone !== before?.timezone) {
      await requireZone(c, String(after.timezone))
      await zoneChangeHook.registered()(c, String(before?.timezone), String(after.timezone))
    }
    if (after.name !== before?.name) await requireNobodysName(c, String(after.name))
    if (after.locale !== before?.locale)
      await renameFirstTower(c, String(before?.locale), String(after.locale))
    await c.trx('properties').update({ updatedAt: c.now })
  },
}

/**
 * Only someone with a second factor may demand one of staff: otherwise everyone could be locked
 * out (decision 7.12).
 */
async function requireOwnSecondFactor(c: Change): Promise<void> {
  const [own] = await c.query('select from current_users where id = $1 and has_second_factor', [c.actor.id])
  if (!own) throw new ValidationFailed({ secondFactorRequired: ['secondFactor_own_first'] })
}

/**
 * The first tower of a building is made before its language is chosen: while it has the name it was
 * given then, it has it in the new language.
 */
async function renameFirstTower(c: Change, from: string, to: string): Promise<void> {
  const [before, name] = [from, to].map((locale) => texts[isLocale(locale) ? locale : 'en'].towers.firstTower)
  const [tower] = await c.query<{ id: number }>(
    'update towers set name = $2 where name = $1 and not exists (select from towers where name = $2) returning id',
    [before, name],
  )
  if (tower) c.audit('tower.updated', tower.id, changesBetween({ name: before }, { name }))
}

async function requireZone(c: Change, zone: string): Promise<void> {
  await c.query('select now() at time zone $1', [zone]).catch((error: unknown) => {
    const { code } = nativeError(error) as { code?: string }
    throw code === '22023' ? new ValidationFailed({ timezone: ['timezone_unknown'] }) : error
  })
}
