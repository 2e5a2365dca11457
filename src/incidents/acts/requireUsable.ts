import { Asset, Unit } from '../../building/building.js'
import { requireContact } from '../../building/requireExisting.js'
import type { Change } from '../../platform/db/change.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import type { AllowedPatch } from './allowedPatch.js'

type Find = (c: Change, id: number) => Promise<unknown>

/** The fields whose new value must be in use: the problem when it is not, and how it is found. */
const usable: [field: 'assetId' | 'unitId' | 'assigneeId', problem: string, find: Find][] = [
  ['assetId', 'asset_unknown', async (c, id) => Asset.query(c.trx).modify('inUse').findById(id)],
  ['unitId', 'unit_unknown', async (c, id) => Unit.query(c.trx).modify('inUse').findById(id)],
  ['assigneeId', 'assignee_unknown', async (c, id) => (await c.query(lockedStaffSql, [id]))[0]],
]

const lockedStaffSql = 'select from users u where u.id = $1 and u.active and is_staff(u.role) for share'

/**
 * Throws ValidationFailed for a new place that does not exist or is archived, and for a new
 * assignee who is neither active staff nor a contact in use. A place or assignee that stays is not
 * checked, because it may have been archived meanwhile.
 */
export async function requireUsable(c: Change, { changes, after }: AllowedPatch): Promise<void> {
  for (const [field, problem, find] of usable) {
    const id = after[field]
    if (!changes[field] || id === null) continue
    if (!(await find(c, id))) throw new ValidationFailed({ [field]: [problem] })
  }
  if (changes.contactId && after.contactId !== null) await requireContact(c, after.contactId)
}
