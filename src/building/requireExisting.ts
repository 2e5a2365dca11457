import type { Change } from '../platform/db/change.js'
import { ValidationFailed } from '../vocabulary/validation.js'

/** Throws ValidationFailed at `assetId` unless the asset exists and is in use. */
export async function requireAssetInUse(c: Change, id: number): Promise<void> {
  const asset = await c.trx('assets').where({ id }).first('archivedAt')
  if (!asset) throw new ValidationFailed({ assetId: ['asset_unknown'] })
  if (asset.archivedAt) throw new ValidationFailed({ assetId: ['asset_archived'] })
}

/** Throws ValidationFailed at `towerId` unless the tower exists. */
export async function requireTower(c: Change, id: number): Promise<void> {
  const there = await c.trx('towers').where({ id }).first('id')
  if (!there) throw new ValidationFailed({ towerId: ['tower_unknown'] })
}

/** Throws ValidationFailed at `contactId` unless the contact exists; keeps it for this change. */
export async function requireContact(c: Change, id: number): Promise<void> {
  const there = await c.query('select from contacts where id = $1 for share', [id])
  if (there.length === 0) throw new ValidationFailed({ contactId: ['contact_unknown'] })
}
