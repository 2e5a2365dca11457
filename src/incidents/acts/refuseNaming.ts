import type { Change } from '../../platform/db/change.js'
import { namesPerson } from '../../vocabulary/email/personNamesInText.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import type { AllowedPatch, IncidentPatch } from './allowedPatch.js'

/**
 * Refuses a public text that names who reported the incident, or one of its duplicates, anonymously
 * (decision 7.13), until it is sent with itself as `namedAnyway`. Throws ValidationFailed for the
 * field.
 */
export async function refuseNaming(
  c: Change,
  incidentId: number,
  { body, automatic, namedAnyway }: IncidentPatch,
  { changes, after }: AllowedPatch,
): Promise<void> {
  const texts = {
    body: automatic ? null : body,
    title: changes.title && after.title,
    statusReason: changes.statusReason && after.statusReason,
  }
  // Browsers send different line ends for a hidden field, which no one types into.
  const unified = (text: string) => text.replace(/\r\n?/g, '\n').trim()
  const confirmed = unified(namedAnyway ?? '')
  const unconfirmed = Object.entries(texts).filter(([, text]) => text && unified(text) !== confirmed)
  if (unconfirmed.length === 0) return
  const hidden = await c.query<{ name: string; email: string }>(
    `select distinct r.name, r.email from incidents i join users r on r.id = i.reporter_id
     where (i.id = $1 or i.merged_into_id = $1) and i.is_anonymous
       and not r.is_mobile_reporter and r.erased_at is null`,
    [incidentId],
  )
  for (const [field, text] of unconfirmed)
    if (hidden.some((person) => namesPerson(text!, person)))
      throw new ValidationFailed({ [field]: ['names_hidden_reporter'] })
}
