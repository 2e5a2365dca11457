import { z } from 'zod'
import { reportRules } from '../../models/incidents/fields.js'

const { assetId, unitId, ...others } = reportRules

/** The create request (spec §2). */
export const ReportRequest = z
  // Asset and unit first, as on the form: problems are listed in this order.
  .object({ assetId, unitId, ...others })
  .refine(({ assetId, unitId }) => (assetId === null) !== (unitId === null), {
    path: ['assetId'],
    message: 'place_exactly_one',
    when: () => true,
  })
  .meta({ id: 'ReportRequest' })
