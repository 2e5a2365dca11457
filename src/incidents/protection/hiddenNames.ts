import type { Change } from '../../platform/db/change.js'
import { namesPerson } from '../../vocabulary/email/contactDetails.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { hiddenReporters } from '../incident.js'

/**
 * Refuses a public text of staff that names who reported it anonymously (decision 7.13), until it is sent with itself as
 * `namedAnyway`. Throws ValidationFailed for the field.
 */
export async function refuseHiddenName(
  c: Change,
  incidentId: number,
  texts: Record<string, string | null | undefined>,
  namedAnyway: string | null | undefined,
): Promise<void> {
  const seen = unified(namedAnyway ?? '')
  const given = Object.entries(texts).filter(([, text]) => text && unified(text) !== seen)
  if (given.length === 0) return
  const hidden = await hiddenReporters((sql, values) => c.query(sql, values), incidentId)
  for (const [field, text] of given)
    if (hidden.some((person) => namesPerson(text!, person)))
      throw new ValidationFailed({ [field]: ['names_hidden_reporter'] })
}

/** Browsers do not agree on the line ends of a field that is not typed into. */
const unified = (text: string) => text.replace(/\r\n?/g, '\n').trim()
