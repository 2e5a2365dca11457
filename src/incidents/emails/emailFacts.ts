import type { Reader } from '../../notifications/emails/reader.js'
import type { Text } from '../../text/index.js'
import type { ListedIncident } from '../model/entity.js'
import type { IncidentContext } from './incidentContext.js'

/** The severity as a fact of an email, with what it means. */
export const severityFact = (t: Text, { severity }: Pick<ListedIncident, 'severity'>) => ({
  term: t.emails.severity,
  value: `${t.severity[severity]}. ${t.severityMeaning[severity]}`,
})

/** A line of the table that an email ends with, and a button or link of it. */
export type Fact = { term: string; value: string }

export type Button = { href: string; text: string }

/**
 * Replies are public, and so is what they may quote: a hidden flat is on the page alone, for staff
 * too (decision 7.5).
 */
export function placeFacts({ t, h }: Reader, { incident }: IncidentContext): Fact[] {
  const where = incident.assetName ?? incident.unitName
  return [
    ...(where ? [{ term: t.emails.where, value: where }] : []),
    { term: t.emails.reported, value: h.moment(incident.createdAt) },
  ]
}
