import { z } from 'zod'
import { rowId, shape } from '../../platform/http/json.js'

/** The result of a bulk action; `code`: why an incident was skipped. */
export const ManyJson = shape('ManyResult', {
  done: z.array(rowId),
  skipped: z.array(z.strictObject({ id: rowId, code: z.string() })),
})

/** The result for held emails, with the incidents made from them. */
export const AcceptedMailsJson = shape('AcceptedMails', { ...ManyJson.shape, incidentIds: z.array(rowId) })
