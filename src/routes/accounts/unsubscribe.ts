import { z } from 'zod'
import { setSubscription } from '../../actions/accounts/unsubscribe.js'
import type { Actor } from '../../domain/accounts/actor.js'
import {
  type NotificationSetting,
  readTopic,
  type Topic,
  wants,
} from '../../domain/accounts/notifications.js'
import { orNotFound } from '../../domain/system/validation.js'
import { follows } from '../../models/accounts/notification.js'
import { User } from '../../models/accounts/user.js'
import { Incident } from '../../models/incidents/incident.js'
import { shape } from '../../presenters/json.js'
import type { Context } from '../../web/context.js'
import { unread } from '../../web/route/fields.js'
import { route } from '../../web/route/route.js'
import { readUnsubscribeToken } from '../../web/session/unsubscribeToken.js'

/** The topic of a link (an incident, a kind of mail, or all), and whether its mails are sent. */
const SubscriptionJson = shape('Subscription', { topic: z.string(), subscribed: z.boolean() })

const shared = {
  permission: 'unsubscribe.use',
  params: { token: z.string() },
  answer: SubscriptionJson,
} as const

/**
 * The unsubscribe link of our mails (RFC 8058). GET changes nothing, because mail scanners open links; POST
 * does. The token is the only credential: no cookie or body is read, so no form token is needed.
 */
export const unsubscribeRoutes = [
  route({
    ...shared,
    method: 'get',
    paths: '/unsubscribe/:token',
    summary: 'What the link at the end of a mail would stop.',
    handle: async ({ params }) => shown(await ticketOf(params.token), null),
  }),

  route({
    ...shared,
    method: 'post',
    paths: '/unsubscribe/:token',
    summary: 'Stops those mails.',
    body: unread,
    handle: async ({ ctx, params }) => {
      const ticket = await ticketOf(params.token)
      await setSubscription(actorOf(ctx, ticket.user), ticket.topic, false)
      return shown(ticket, 'stopped')
    },
  }),

  route({
    ...shared,
    method: 'post',
    paths: '/unsubscribe/:token/undo',
    summary: 'Begins those mails again.',
    body: unread,
    handle: async ({ ctx, params }) => {
      const ticket = await ticketOf(params.token)
      await setSubscription(actorOf(ctx, ticket.user), ticket.topic, true)
      return shown(ticket, 'resumed')
    },
  }),
]

type UnsubscribeRequest = { token: string; user: User; topic: Topic }

async function ticketOf(token: string): Promise<UnsubscribeRequest> {
  const { userId, topic } = orNotFound(readUnsubscribeToken(token))
  return { token, topic, user: orNotFound(await User.query().findById(userId)) }
}

/** The page names nobody, because mails are forwarded with their links. */
async function shown({ token, user, topic }: UnsubscribeRequest, done: string | null) {
  const about = readTopic(topic)!
  const { incident, subscribed } =
    'incidentId' in about
      ? await followingOf(user.id, about.incidentId)
      : await mailsOf(user.id, about.settings)
  return {
    data: { topic, subscribed },
    view: 'accounts/unsubscribe',
    extras: { incident, done, action: `/unsubscribe/${token}` },
  }
}

async function followingOf(userId: number, incidentId: number) {
  const { id, title } = orNotFound(await Incident.find(incidentId))
  return { incident: { id, title }, subscribed: await follows(userId, incidentId) }
}

async function mailsOf(userId: number, settings: NotificationSetting[]) {
  const { notifications } = orNotFound(await User.query().findById(userId))
  return { incident: null, subscribed: settings.some((setting) => wants(notifications, setting)) }
}

/** Acts as the person the link was made for, whoever is signed in. */
function actorOf(ctx: Context, { id, name, role }: User): Actor {
  const { requestId, client } = ctx.state
  return { type: 'user', id, name, role, via: 'web', requestId, client }
}
