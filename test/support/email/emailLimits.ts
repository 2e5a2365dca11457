import { emailLimits } from '../../../src/inbound/limits.js'
import type { SenderStanding } from '../../../src/inbound/senderStanding.js'

/** What each limit of emails that come in counts, with its row in the table and the standing. */
const limits = {
  'emails of an account': ['hourOfSender', 'account'],
  'proven emails of a domain': ['hourOfDomain', 'address'],
  'unproven emails of a domain': ['hourOfDomain', 'unproven'],
  'proven emails': ['hour', 'address'],
  'unproven emails': ['hour', 'unproven'],
  'reports of an account': ['reportsOfSender', 'account'],
  'reports of a proven address': ['reportsOfSender', 'address'],
  'reports of an unproven address': ['reportsOfSender', 'unproven'],
  'proven reports': ['reports', 'address'],
  'unproven reports': ['reports', 'unproven'],
  'comments of an account': ['commentsOfSender', 'account'],
  'comments of a proven address': ['commentsOfSender', 'address'],
  'comments of an unproven address': ['commentsOfSender', 'unproven'],
  'proven comments': ['comments', 'address'],
  'unproven comments': ['comments', 'unproven'],
  'assignee replies of an account': ['assigneeReplies', 'account'],
  'proven assignee replies': ['assigneeReplies', 'address'],
  'unproven assignee replies': ['assigneeReplies', 'unproven'],
  'waiting emails of an account': ['waitingOfSender', 'account'],
  'waiting proven emails of a domain': ['waitingOfDomain', 'address'],
  'waiting unproven emails of a domain': ['waitingOfDomain', 'unproven'],
  'waiting proven emails': ['waiting', 'address'],
  'waiting unproven emails': ['waiting', 'unproven'],
  'waiting proven spam': ['waitingSpam', 'address'],
  'waiting unproven spam': ['waitingSpam', 'unproven'],
} as const satisfies Record<string, [keyof typeof emailLimits, SenderStanding]>

export type EmailLimitTitle = keyof typeof limits

/** The title of every limit. */
export const emailLimitTitles = Object.keys(limits) as EmailLimitTitle[]

/** Every limit of the table, as `hour unproven`. */
export const limitsOfTable: readonly string[] = Object.entries(emailLimits).flatMap(([row, { most }]) =>
  Object.keys(most).map((standing) => `${row} ${standing}`),
)

/** Every limit that has a title, in the same form. */
export const limitsWithTitle: readonly string[] = Object.values(limits).map((limit) => limit.join(' '))

/** The limit with this title. */
export function emailLimit(title: EmailLimitTitle): { most: number; otherwise: string } {
  const [row, standing] = limits[title]
  const most: Partial<Record<SenderStanding, number>> = emailLimits[row].most
  return { most: most[standing]!, otherwise: emailLimits[row].otherwise }
}
