import { setSubscription } from '../../actions/accounts/unsubscribe.js'
import type { Actor } from '../../domain/accounts/actor.js'
import {
  type NotificationSetting,
  readTopic,
  type Topic,
  wants,
} from '../../domain/accounts/notifications.js'
import { found } from '../../domain/system/invalid.js'
import { follows } from '../../models/accounts/notification.js'
import { User } from '../../models/accounts/user.js'
import { Incident } from '../../models/incidents/incident.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { readUnsubscribeToken } from '../../web/session/unsubscribeToken.js'

/**
 * The link at the end of our mails (RFC 8058). Opening it changes nothing, because programs that check mails open
 * links; the button and a mail provider's one-click POST do it at once. The token is the whole credential: no cookie is
 * looked at and no body is read, so there is nothing another site could misuse, and no form token to ask for.
 */
export function unsubscribeRoutes(router: AppRouter): void {
  router.get('/unsubscribe/:token', allow('unsubscribe.use'), async (ctx) => {
    await show(ctx, await ticketOf(ctx), null)
  })

  router.post('/unsubscribe/:token', allow('unsubscribe.use'), async (ctx) => {
    const ticket = await ticketOf(ctx)
    await setSubscription(actorOf(ctx, ticket.user), ticket.topic, false)
    await show(ctx, ticket, 'stopped')
  })

  router.post('/unsubscribe/:token/undo', allow('unsubscribe.use'), async (ctx) => {
    const ticket = await ticketOf(ctx)
    await setSubscription(actorOf(ctx, ticket.user), ticket.topic, true)
    await show(ctx, ticket, 'resumed')
  })
}

type Ticket = { token: string; user: User; topic: Topic }

async function ticketOf(ctx: Context): Promise<Ticket> {
  const token = ctx.params.token!
  const { userId, topic } = found(readUnsubscribeToken(token))
  return { token, topic, user: found(await User.query().findById(userId)) }
}

/** The page names nobody: mails are forwarded, and links with them. */
async function show(ctx: Context, { token, user, topic }: Ticket, done: string | null): Promise<void> {
  const about = readTopic(topic)!
  const { incident, subscribed } =
    'incidentId' in about
      ? await followingOf(user.id, about.incidentId)
      : await mailsOf(user.id, about.settings)
  await respond(ctx, {
    data: { topic, subscribed },
    view: 'accounts/unsubscribe',
    extras: { incident, done, action: `/unsubscribe/${token}` },
  })
}

async function followingOf(userId: number, incidentId: number) {
  const { id, title } = found(await Incident.find(incidentId))
  return { incident: { id, title }, subscribed: await follows(userId, incidentId) }
}

async function mailsOf(userId: number, settings: NotificationSetting[]) {
  const { notifications } = found(await User.query().findById(userId))
  return { incident: null, subscribed: settings.some((setting) => wants(notifications, setting)) }
}

/** Acts as the person the link was made for, whoever else may be signed in here. */
function actorOf(ctx: Context, { id, name, role }: User): Actor {
  const { requestId, client } = ctx.state
  return { type: 'user', id, name, role, via: 'web', requestId, client }
}
