import { User } from '../../accounts/users/user.js'
import { Asset, Unit } from '../../building/building.js'
import type { Knex } from '../../platform/db/database.js'
import { rowOf } from '../../platform/db/row.js'
import type { IncidentColumns } from './entity.js'

/** A row of `incidents`. */
export class Incident extends rowOf<IncidentColumns>() {
  static override tableName = 'incidents'

  static override relationMappings = () => ({
    asset: {
      relation: Incident.BelongsToOneRelation,
      modelClass: Asset,
      join: { from: 'incidents.assetId', to: 'assets.id' },
    },
    unit: {
      relation: Incident.BelongsToOneRelation,
      modelClass: Unit,
      join: { from: 'incidents.unitId', to: 'units.id' },
    },
    assignee: {
      relation: Incident.BelongsToOneRelation,
      modelClass: User,
      join: { from: 'incidents.assigneeId', to: 'users.id' },
    },
  })

  /**
   * The row, locked until the transaction ends, so that writers of one incident run in sequence.
   * Null when there is none.
   */
  static async locked(trx: Knex, id: number): Promise<Incident | null> {
    return (await Incident.query(trx).findById(id).forUpdate()) ?? null
  }
}
