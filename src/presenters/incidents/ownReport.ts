import type { Viewer } from '../../domain/accounts/actor.js'
import type { OwnReport } from '../../models/incidents/ownReports.js'
import { presentIncident } from './incident.js'

/** An incident as listed (spec §2), with what it is to the person asking. */
export function presentOwnReport(row: OwnReport, viewer: Viewer) {
  return {
    ...presentIncident(row, viewer),
    reportedByMe: row.mine,
    nameHidden: row.mine && row.isAnonymous,
    following: row.following,
  }
}
