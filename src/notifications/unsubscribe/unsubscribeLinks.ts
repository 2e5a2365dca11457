import { type Addressee, mintLinks, type NewLink } from '../../platform/links/emailLinks.js'
import type { Topic } from '../../vocabulary/email/unsubscribeTopics.js'

/**
 * The links that end emails on these topics, by topic. They are the same in every email to this
 * person, so that their rows count people and topics, and not emails.
 */
export async function unsubscribeLinks(
  who: Addressee,
  topics: readonly Topic[],
): Promise<Map<Topic, string>> {
  const made = await mintLinks(topics.map((topic) => unsubscribeLink(who, topic)))
  return new Map(topics.map((topic, i) => [topic, made[i]!.href]))
}

/** The link that ends this person's emails on a topic (RFC 8058). */
export function unsubscribeLink(who: Addressee, topic: Topic): NewLink<'unsubscribe'> {
  const whose = 'userId' in who ? `${who.userId}` : `m${who.emailFollowerId}`
  return { purpose: 'unsubscribe', who, data: { topic }, seed: `${whose}.${topic}` }
}
