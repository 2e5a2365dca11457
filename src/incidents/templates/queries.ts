import { rowOf } from '../../platform/db/database.js'
import type { ColumnsOf } from '../../platform/http/records/entity.js'
import type { templateEntity } from './routes.js'

/** A row of `reply_templates`: words the office uses often. */
export class ReplyTemplate extends rowOf<ColumnsOf<typeof templateEntity>>() {
  static override tableName = 'reply_templates'

  /** By name. */
  static async all(): Promise<ReplyTemplate[]> {
    return ReplyTemplate.query().orderByRaw('lower(name), id')
  }
}
