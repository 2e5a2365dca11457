import { rowOf } from '../../../platform/db/row.js'
import type { ClosingReason } from '../../../vocabulary/lifecycle.js'

type UpdateColumns = {
  incidentId: number
  /** What others read; the hidden text and reason are what stood there before. */
  body: string
  statusReason: string | null
  hiddenBody: string | null
  hiddenReason: string | null
  /** Why this entry closed the incident; null where it did not. */
  closingReason: ClosingReason | null
}

/** A row of `incident_updates`: an entry of the timeline. */
export class IncidentUpdate extends rowOf<UpdateColumns>() {
  static override tableName = 'incident_updates'
}
