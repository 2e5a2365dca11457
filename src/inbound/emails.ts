import { incidentContext } from '../incidents/emails/incidentContext.js'
import type { Reader } from '../notifications/emails/reader.js'
import type { EmailContent } from '../notifications/emails/renderedEmail.js'
import { findEmailFollower } from '../notifications/follow/followerQueries.js'
import { mintLink } from '../platform/mail/emailLinks.js'
import { link } from '../platform/mail/links.js'
import type { OutboxMessage } from '../vocabulary/email/delivery.js'
import { followedText } from '../vocabulary/email/followed.js'

/**
 * To the sender of an email: that it came in, and as what (decision 2.10). It repeats nothing that
 * anyone wrote, because anyone may have put this address into From (decision 7.4). `payload.as`:
 * `created` or `appended`.
 */
export async function renderReceived(reader: Reader, row: OutboxMessage): Promise<EmailContent | null> {
  const { t, who } = reader
  const story = await incidentContext(row)
  if (!story) return null
  const { id } = story.row
  const p = t.emails.received
  const follow = 'mailFollowerId' in who ? await followLink(who.mailFollowerId, id) : null
  return {
    view: 'account',
    subject: p.subject,
    about: { incidentId: id },
    why: p.why,
    stop: { topic: `incident:${id}`, text: t.emails.stop.incident },
    given: {
      title: row.payload.as === 'appended' ? p.appended(id) : p.created(id),
      leads: ['userId' in who ? p.public : p.publicWithoutAddress, follow ? p.follow : p.following],
      button: follow
        ? { href: follow, text: p.followButton(id) }
        : { href: link(`/incidents/${story.survivor.id}`), text: t.emails.button.open(story.survivor.id) },
    },
  }
}

/** Days the link in an acknowledgement is valid, which no one asked for. */
const acknowledgementDays = 30

/** Where a person without an account starts to follow; null when they follow already. */
async function followLink(mailFollowerId: number, incidentId: number): Promise<string | null> {
  const person = await findEmailFollower(mailFollowerId)
  if (person?.clicked) return null
  const followed = followedText({ incidentId, assetId: null, towerId: null })
  const minutes = acknowledgementDays * 24 * 60
  return (await mintLink({ purpose: 'follow', who: { mailFollowerId }, data: { followed }, minutes })).href
}
