import { Row } from '../../platform/db/database.js'
import type { Status } from '../../vocabulary/lifecycle.js'

/** A row of `reply_templates`: words the office uses often, one column for each language; empty: not in this one. */
export class ReplyTemplate extends Row {
  static override tableName = 'reply_templates'

  declare name: string
  declare wordsEn: string
  declare wordsEs: string
  declare status: Status | null
  declare statusReason: string | null

  /** By name. */
  static async all(): Promise<ReplyTemplate[]> {
    return ReplyTemplate.query().orderByRaw('lower(name), id')
  }
}
