import type { Change } from '../../platform/db/change.js'
import { nativeError } from '../../platform/db/databaseErrors.js'
import { type RecordFields, type RecordKind, updateRecord } from '../../platform/http/records/records.js'
import { requireNobodysName } from '../../platform/http/session/personNames.js'
import { hasSecondFactorSql } from '../../platform/http/session/user.js'
import { type Actor, demand } from '../../vocabulary/people/actor.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { Property } from '../building.js'

/** The id of the only property (decision 6.2). */
const propertyId = 1

type ZoneChange = (c: Change, before: string, after: string) => Promise<void>
const zoneChanges: ZoneChange[] = []

/**
 * Registers what else a new time zone changes, in the same transaction; called before the zone is
 * stored.
 */
export function onZoneChange(act: ZoneChange): void {
  zoneChanges.push(act)
}

/** Who gets in, and how: only an admin changes these (decision 7.12). */
export const adminFields: readonly string[] = ['secondFactorRequired', 'signUp']

/** The property as a record; the database must know its time zone, too. */
export const propertyKind: RecordKind = {
  entity: 'property',
  model: Property,
  fields: [
    ...['name', 'address', 'timezone', 'currency', 'locale', 'secondFactorRequired', 'officePhone'],
    ...['unitVisibility', 'mailVisibility', 'signUp'],
  ],
  check: async (c, after, before) => {
    for (const field of adminFields)
      if (after[field] !== before?.[field]) demand(c.actor, 'property.secure', field)
    if (after.secondFactorRequired === 'staff' && before?.secondFactorRequired !== 'staff')
      await requireOwnSecondFactor(c)
    if (after.timezone !== before?.timezone) {
      await requireZone(c, String(after.timezone))
      for (const act of zoneChanges) await act(c, String(before?.timezone), String(after.timezone))
    }
    if (after.name !== before?.name) await requireNobodysName(c, String(after.name))
    await c.query('update properties set updated_at = $1', [c.now])
  },
}

/** Changes the given fields; `seen` as in updateRecord. Throws ValidationFailed, Conflict. */
export async function editProperty(actor: Actor, given: RecordFields, seen?: string): Promise<void> {
  await updateRecord(actor, propertyKind, propertyId, given, seen)
}

/**
 * Only someone with a second factor may demand one of staff: otherwise everyone could be locked
 * out (decision 7.12).
 */
async function requireOwnSecondFactor(c: Change): Promise<void> {
  const [own] = await c.query(`select from users u where u.id = $1 and ${hasSecondFactorSql('u')}`, [
    c.actor.id,
  ])
  if (!own) throw new ValidationFailed({ secondFactorRequired: ['secondFactor_own_first'] })
}

async function requireZone(c: Change, zone: string): Promise<void> {
  await c.query('select now() at time zone $1', [zone]).catch(unknownZone)
}

function unknownZone(error: unknown): never {
  const { code } = nativeError(error) as { code?: string }
  throw code === '22023' ? new ValidationFailed({ timezone: ['timezone_unknown'] }) : error
}
