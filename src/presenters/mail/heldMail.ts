import type { HeldMail } from '../../models/mail/heldMail.js'

/** A held mail for the office, its sender's address included. `attachments`: names of what was attached and not kept. */
export function presentHeldMail(mail: HeldMail) {
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
