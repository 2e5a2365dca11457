import { z } from 'zod'
import { User } from '../../accounts/users/user.js'
import { incidentToFollow, nameOfFollowed } from '../../building/followedNames.js'
import type { Context } from '../../platform/http/context.js'
import { shape } from '../../platform/http/json.js'
import { rawBody } from '../../platform/http/route/fields.js'
import { linkRoute } from '../../platform/http/route/linkRoute.js'
import { route } from '../../platform/http/route/route.js'
import { actorOf, askedBy } from '../../platform/http/session/authenticate.js'
import type { EmailLink } from '../../platform/links/emailLinks.js'
import { readTopic } from '../../vocabulary/email/unsubscribeTopics.js'
import { type NotificationSetting, wants } from '../../vocabulary/notificationSettings.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { findEmailFollower, followedAmong, followsAny } from '../follow/followQueries.js'
import { type EmailSubscription, setSubscription } from './setSubscription.js'

/** The topic of a link (an incident, a kind of email, or all), and whether its emails are sent. */
const SubscriptionJson = shape('Subscription', { topic: z.string(), subscribed: z.boolean() })

const shared = {
  permission: 'unsubscribe.use',
  answer: SubscriptionJson,
  ...linkRoute('unsubscribe', subscriptionOfLink),
} as const

/**
 * The unsubscribe link of our emails (RFC 8058). The token is the only credential: no cookie or
 * body is read, so no form token is needed.
 */
export const unsubscribeRoutes = [
  route({
    ...shared,
    method: 'get',
    paths: '/unsubscribe/:token',
    summary: 'Shows which emails an unsubscribe link stops.',
    handle: ({ params, subject }) => subscriptionPage(subject, params.token, null),
  }),

  subscriptionRoute('/unsubscribe/:token', 'Unsubscribes from those emails.', false),
  subscriptionRoute('/unsubscribe/:token/undo', 'Resubscribes to those emails.', true),
]

function subscriptionRoute<P extends '/unsubscribe/:token' | '/unsubscribe/:token/undo'>(
  paths: P,
  summary: string,
  on: boolean,
) {
  return route({
    ...shared,
    method: 'post',
    paths,
    summary,
    body: rawBody,
    handle: async ({ ctx, subject }) => {
      const { reader } = subject
      const actor = 'user' in reader ? actorOf(ctx.state, reader.user) : guestOf(ctx)
      await setSubscription(actor, subject, on)
      return subscriptionPage(subject, ctx.params.token!, on ? 'resumed' : 'stopped')
    },
  })
}

/** Null when nothing is known any more of whom the link is for. */
async function subscriptionOfLink(link: EmailLink<'unsubscribe'>): Promise<EmailSubscription | null> {
  const { topic } = link.data
  const about = readTopic(topic)!
  if ('userId' in link) {
    const user = await User.query().findById(link.userId)
    return user && user.erasedAt === null ? { topic, about, reader: { user } } : null
  }
  const emailFollower = await findEmailFollower(link.emailFollowerId)
  return emailFollower && { topic, about, reader: { emailFollower } }
}

/** The page names no one, because emails are forwarded with their links. */
async function subscriptionPage(subscription: EmailSubscription, token: string, done: string | null) {
  const { incident = null, names = [], subscribed } = await subscriptionState(subscription)
  return {
    data: { topic: subscription.topic, subscribed },
    view: 'notifications/unsubscribe',
    extras: { incident, names, done, action: `/unsubscribe/${token}` },
  }
}

type SubscriptionState = { incident?: { id: number; title: string }; names?: string[]; subscribed: boolean }

async function subscriptionState({ about, reader }: EmailSubscription): Promise<SubscriptionState> {
  if ('settings' in about) return { subscribed: await getsEmails(reader, about.settings) }
  const follower =
    'user' in reader ? { userId: reader.user.id } : { emailFollowerId: reader.emailFollower.id }
  if ('incidentId' in about) {
    const { id, title } = orNotFound(await incidentToFollow(about.incidentId))
    const subscribed = (await followedAmong(follower, [id])).has(id)
    return { incident: { id, title }, subscribed }
  }
  const names = await Promise.all(about.followed.map(nameOfFollowed))
  return {
    names: names.filter((name) => name !== null),
    subscribed: await followsAny(follower, about.followed),
  }
}

/** Read again: after a POST, what the link was looked up with is what was before it. */
async function getsEmails(
  reader: EmailSubscription['reader'],
  settings: NotificationSetting[],
): Promise<boolean> {
  if ('emailFollower' in reader) {
    const { stopped } = orNotFound(await findEmailFollower(reader.emailFollower.id))
    return stopped === null
  }
  const { notifications } = orNotFound(await User.query().findById(reader.user.id))
  return settings.some((setting) => wants(notifications, setting))
}

/** Acts for a person without an account, whoever is signed in. */
function guestOf(ctx: Context): Actor {
  return { type: 'system', id: null, name: 'Guest', role: null, via: 'web', ...askedBy(ctx.state) }
}
