import { z } from 'zod'
import { shape } from '../../platform/http/json.js'
import type { Viewer } from '../../vocabulary/people/actor.js'
import { incidentJson, presentIncident } from '../json.js'
import type { OwnReport } from './queries.js'

/** An incident in a list (spec §2), with its relation to the caller. */
export const OwnReportJson = shape('OwnReport', {
  ...incidentJson,
  reportedByMe: z.boolean(),
  nameHidden: z.boolean(),
  following: z.boolean(),
})

export function presentOwnReport(row: OwnReport, viewer: Viewer): z.output<typeof OwnReportJson> {
  return {
    ...presentIncident(row, viewer),
    reportedByMe: row.mine,
    nameHidden: row.mine && row.isAnonymous,
    following: row.following,
  }
}
