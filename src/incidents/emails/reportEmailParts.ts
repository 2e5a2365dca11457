import type { Reader } from '../../notifications/emails/reader.js'
import type { EmailContent } from '../../notifications/emails/renderEmail.js'
import { findEmailFollower } from '../../notifications/follow/followQueries.js'
import { mintLink } from '../../platform/links/emailLinks.js'
import { pageUrl } from '../../platform/links/pageUrl.js'
import type { Text } from '../../text/index.js'
import { own } from '../../vocabulary/collections.js'
import type { OutboxMessage } from '../../vocabulary/email/delivery.js'
import { followedText } from '../../vocabulary/email/followed.js'
import { shorten } from '../../vocabulary/plainText.js'
import type { Button, Fact } from './emailFacts.js'

/**
 * One click ends the receipts of an account; a person without one follows single reports, and ends
 * the emails about this one.
 */
export function unsubscribeChoices(
  { who, t }: Reader,
  incidentId: number,
): Pick<EmailContent, 'unsubscribe' | 'unsubscribeLess'> {
  const thisReport = { topic: `incident:${incidentId}` as const, text: t.emails.stop.incident }
  if (!('userId' in who)) return { unsubscribe: thisReport }
  return { unsubscribe: { topic: 'created', text: t.emails.stop.receipts }, unsubscribeLess: thisReport }
}

/** Days the link to follow works: long, because the reader did not ask for it. */
const followDays = 30

/** What an email with the number of a report offers: a sentence about following, and buttons. */
type FollowOffer = { sentence: string; buttons: Button[]; others: Button[] }

/**
 * A button to the report; for a person without an account who does not follow it, one to follow
 * first.
 */
export async function followOffer(
  reader: Reader,
  incidentId: number,
  survivorId: number,
): Promise<FollowOffer> {
  const { button, received } = reader.t.emails
  const open: Button = { href: pageUrl(`/incidents/${survivorId}`), text: button.open(survivorId) }
  const href = await followLink(reader, incidentId)
  if (href === null) return { sentence: received.following, buttons: [open], others: [] }
  const toFollow: Button = { href, text: received.followButton(incidentId) }
  return { sentence: received.follow, buttons: [toFollow], others: [open] }
}

/** Where a person without an account starts to follow; null for those who follow already. */
async function followLink({ who }: Reader, incidentId: number): Promise<string | null> {
  if (!('emailFollowerId' in who)) return null
  const person = await findEmailFollower(who.emailFollowerId)
  if (person?.hasClicked) return null
  const followed = followedText({ incidentId, assetId: null, towerId: null })
  const minutes = followDays * 24 * 60
  return (await mintLink({ purpose: 'follow', who, data: { followed }, minutes })).href
}

/** Characters of a name: any sender chooses it, so there is no room for a message in it. */
const longestName = 60

type NotTaken = { notTaken?: readonly { name: string; why: string }[]; notTakenMore?: number }

/** The files of an email that were not taken, and why (decision 9.5); none of other reports. */
export function filesNotTaken(t: Text, { payload }: OutboxMessage): Fact[] {
  const { notTaken = [], notTakenMore = 0 } = payload as NotTaken
  if (notTaken.length === 0) return []
  const { fileNotTaken, whyNotTaken } = t.inboundEmail
  const files = notTaken.map(({ name, why }) => {
    return fileNotTaken(shortName(name), own<string>(whyNotTaken, why) ?? whyNotTaken.refused)
  })
  const all = notTakenMore > 0 ? [...files, t.emails.more(notTakenMore)] : files
  return [{ term: t.emails.filesNotTaken, value: all.join('; ') }]
}

/** Without folders, which no file has in an email: they would be a link. */
function shortName(name: string): string {
  const last = name.split(/[\\/]/).at(-1)!.trim()
  return shorten(last || '?', longestName)
}
