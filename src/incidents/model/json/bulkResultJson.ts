import { z } from 'zod'
import { rowId, shape } from '../../../platform/http/json.js'

/** The result of a bulk action; `code`, of the problem catalogue: why an incident was skipped. */
export const BulkResultJson = shape('ManyResult', {
  done: z.array(rowId),
  skipped: z.array(z.strictObject({ id: rowId, code: z.string() })),
})

export type BulkResult = z.output<typeof BulkResultJson>
