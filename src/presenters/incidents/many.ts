import { z } from 'zod'
import { rowId, shape } from '../json.js'

/** What became of each incident of a bulk act; `code` says why one was skipped. */
export const ManyJson = shape('ManyResult', {
  done: z.array(rowId),
  skipped: z.array(z.strictObject({ id: rowId, code: z.string() })),
})

/** The same of held mails, with the incidents that were made of them. */
export const AcceptedMailsJson = shape('AcceptedMails', { ...ManyJson.shape, incidentIds: z.array(rowId) })
