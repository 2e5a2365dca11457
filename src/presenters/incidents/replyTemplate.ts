import { z } from 'zod'
import { statuses } from '../../domain/incidents/lifecycle.js'
import type { ReplyTemplate } from '../../models/incidents/replyTemplate.js'
import { rowId, shape } from '../json.js'

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
