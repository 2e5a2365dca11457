import { type Change, change } from '../platform/db/change.js'
import { lockedRecord, type RecordKind } from '../platform/http/records/recordActs.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { orNotFound, ValidationFailed } from '../vocabulary/validation.js'

type Archivable = { id: number; archivedAt: Date | null; announcedAt?: Date }

/**
 * Archives a record (no longer offered for choice, history kept) or restores it. Writes nothing
 * when it is in that state already. Throws NotFound.
 */
export async function archiveRecord(
  actor: Actor,
  kind: RecordKind,
  id: number,
  archived: boolean,
): Promise<void> {
  const { entity, model } = kind
  await change(actor, async (c) => {
    const row = orNotFound((await lockedRecord(c, kind, id)) as Archivable | undefined)
    if ((row.archivedAt !== null) === archived) return c.noop()
    const archivedAt = archived ? c.now : null
    // What would have shown while it was away is not announced: the next change is the return
    // itself.
    const announcedAt = new Date(Math.max(c.now.getTime() - 1, row.announcedAt?.getTime() ?? 0))
    await model
      .query(c.trx)
      .findById(id)
      .patch({ archivedAt, ...(entity === 'asset' && !archived ? { announcedAt } : {}) } as object)
    c.audit(`${entity}.${archived ? 'archived' : 'unarchived'}`, id, {
      archivedAt: { before: row.archivedAt, after: archivedAt },
    })
    if (entity === 'asset') c.recheckStatus(id)
  })
}

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
