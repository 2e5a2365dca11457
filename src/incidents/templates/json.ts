import { z } from 'zod'
import { rowId, shape } from '../../platform/http/json.js'
import { statuses } from '../../vocabulary/lifecycle.js'
import type { ReplyTemplate } from './queries.js'

/** Words for a reply, by language, and the status and reason they come with. */
export const ReplyTemplateJson = shape('ReplyTemplate', {
  id: rowId,
  name: z.string(),
  wordsEn: z.string(),
  wordsEs: z.string(),
  status: z.enum(statuses).nullable(),
  statusReason: z.string().nullable(),
})

export function presentReplyTemplate(template: ReplyTemplate): z.output<typeof ReplyTemplateJson> {
  const { id, name, wordsEn, wordsEs, status, statusReason } = template
  return { id, name, wordsEn, wordsEs, status, statusReason }
}
