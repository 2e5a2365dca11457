import { z } from 'zod'
import { count, instant, rowId, shape } from '../../platform/http/json.js'
import { holdReasons, ignoreReasons } from '../../vocabulary/email/heldEmail.js'
import { type HeldMail, heldStates } from './queries.js'

/**
 * A held or ignored mail, for the office, with its sender's address. `attachments`: names of files that were not kept.
 */
export const HeldMailJson = shape('HeldMail', {
  id: rowId,
  receivedAt: instant,
  state: z.enum(heldStates),
  reason: z.enum([...holdReasons, ...ignoreReasons]),
  senderName: z.string().nullable(),
  senderEmail: z.string().nullable(),
  domain: z.string(),
  subject: z.string(),
  text: z.string(),
  photos: count,
  attachments: z.array(z.string()),
  incidentId: rowId.nullable(),
})

export function presentHeldMail(mail: HeldMail): z.output<typeof HeldMailJson> {
  return {
    id: mail.id,
    receivedAt: mail.receivedAt.toISOString(),
    state: mail.state,
    reason: mail.reason,
    senderName: mail.senderName,
    senderEmail: mail.senderAddress,
    domain: mail.domain,
    subject: mail.title,
    text: mail.description,
    photos: mail.photos,
    attachments: [...mail.skipped.refused, ...mail.skipped.later],
    incidentId: mail.incidentId,
  }
}
