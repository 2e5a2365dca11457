import { incidentContext } from '../incidents/emails/incidentContext.js'
import type { Reader } from '../notifications/emails/reader.js'
import type { EmailContent } from '../notifications/emails/renderedEmail.js'
import { findMailFollower, mintConfirmation } from '../notifications/follow/followerQueries.js'
import { link } from '../platform/mail/links.js'
import { config } from '../platform/ops/config.js'
import type { OutboxMessage } from '../vocabulary/email/delivery.js'
import { acknowledgementHours } from '../vocabulary/email/emailLimits.js'
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
  const p = t.mails.received
  const follow = 'mailFollowerId' in who ? await followLink(who.mailFollowerId, id) : null
  return {
    view: 'account',
    subject: p.subject,
    about: { incidentId: id },
    why: p.why,
    stop: { topic: `incident:${id}`, text: t.mails.stop.incident },
    given: {
      title: row.payload.as === 'appended' ? p.appended(id) : p.created(id),
      leads: [
        'userId' in who ? p.public : p.publicWithoutAddress,
        ...(follow ? [p.follow] : [p.following]),
        ...(config.mail.inboundAddress ? [] : [p.noReplies]),
      ],
      button: follow
        ? { href: follow, text: p.followButton(id) }
        : { href: link(`/incidents/${story.survivor.id}`), text: t.mails.button.open(story.survivor.id) },
    },
  }
}

/**
 * Where a person without an account begins to follow; null when they do already, having pressed a
 * button before.
 */
async function followLink(mailFollowerId: number, incidentId: number): Promise<string | null> {
  const person = await findMailFollower(mailFollowerId)
  if (person?.clicked) return null
  const followed = followedText({ incidentId, assetId: null, towerId: null })
  const { token } = await mintConfirmation(mailFollowerId, followed, acknowledgementHours)
  return link(`/follow/${token}`)
}
