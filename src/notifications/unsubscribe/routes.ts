import { z } from 'zod'
import { incidentToFollow, nameOfFollowed } from '../../building/followedNames.js'
import { Problem } from '../../platform/http/answer/problem.js'
import type { Context } from '../../platform/http/context.js'
import { shape } from '../../platform/http/json.js'
import { rawBody } from '../../platform/http/route/fields.js'
import { route } from '../../platform/http/route/route.js'
import { askedBy } from '../../platform/http/session/authenticate.js'
import { readUnsubscribeToken } from '../../platform/http/session/unsubscribeToken.js'
import { User } from '../../platform/http/session/user.js'
import { type NotificationSetting, readTopic, type Topic, wants } from '../../vocabulary/notifications.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { follows } from '../effects/notification.js'
import { findMailFollower, followsAny, type MailFollower } from '../follow/followerQueries.js'
import { followedOf, setSubscription, setSubscriptionByAddress } from './unsubscribe.js'

/** The topic of a link (an incident, a kind of mail, or all), and whether its mails are sent. */
const SubscriptionJson = shape('Subscription', { topic: z.string(), subscribed: z.boolean() })

const shared = {
  permission: 'unsubscribe.use',
  confidential: true,
  params: { token: z.string() },
  answer: SubscriptionJson,
} as const

/**
 * The unsubscribe link of our mails (RFC 8058). GET changes nothing, because mail scanners open
 * links; POST does. The token is the only credential: no cookie or body is read, so no form token
 * is needed.
 */
export const unsubscribeRoutes = [
  route({
    ...shared,
    method: 'get',
    paths: '/unsubscribe/:token',
    summary: 'Shows which emails an unsubscribe link stops.',
    handle: async ({ params }) => shown(await ticketOf(params.token), null),
  }),

  route({
    ...shared,
    method: 'post',
    paths: '/unsubscribe/:token',
    summary: 'Unsubscribes from those emails.',
    body: rawBody,
    handle: async ({ ctx, params }) => {
      const ticket = await ticketOf(params.token)
      await set(ctx, ticket, false)
      return shown(ticket, 'stopped')
    },
  }),

  route({
    ...shared,
    method: 'post',
    paths: '/unsubscribe/:token/undo',
    summary: 'Resubscribes to those emails.',
    body: rawBody,
    handle: async ({ ctx, params }) => {
      const ticket = await ticketOf(params.token)
      await set(ctx, ticket, true)
      return shown(ticket, 'resumed')
    },
  }),
]

type UnsubscribeRequest = { token: string; topic: Topic } & ({ user: User } | { person: MailFollower })

/**
 * Whose mails a token is about. Throws 404 for a forged one, and when nothing is known of them any
 * more.
 */
async function ticketOf(token: string): Promise<UnsubscribeRequest> {
  const given = readUnsubscribeToken(token)
  const user = given && 'userId' in given ? await User.query().findById(given.userId) : null
  if (given && user && user.erasedAt === null) return { token, topic: given.topic, user }
  const person = given && 'mailFollowerId' in given ? await findMailFollower(given.mailFollowerId) : null
  if (given && person) return { token, topic: given.topic, person }
  throw new Problem(404, 'unsubscribe_link_over')
}

async function set(ctx: Context, ticket: UnsubscribeRequest, on: boolean): Promise<void> {
  if ('user' in ticket) await setSubscription(actorOf(ctx, ticket.user), ticket.topic, on)
  else await setSubscriptionByAddress(guestOf(ctx), ticket.person.id, ticket.topic, on)
}

/** The page names nobody, because mails are forwarded with their links. */
async function shown(ticket: UnsubscribeRequest, done: string | null) {
  const { token, topic } = ticket
  const { incident = null, names = [], subscribed } = await standingOf(ticket)
  return {
    data: { topic, subscribed },
    view: 'accounts/unsubscribe',
    extras: { incident, names, done, action: `/unsubscribe/${token}` },
  }
}

type Standing = { incident?: { id: number; title: string }; names?: string[]; subscribed: boolean }

async function standingOf(ticket: UnsubscribeRequest): Promise<Standing> {
  const about = readTopic(ticket.topic)!
  if ('settings' in about) return { subscribed: await getsMails(ticket, about.settings) }
  const who = 'user' in ticket ? { userId: ticket.user.id } : { mailFollowerId: ticket.person.id }
  if ('incidentId' in about) {
    const { id, title } = orNotFound(await incidentToFollow(about.incidentId))
    const subscribed =
      'userId' in who ? await follows(who.userId, id) : await followsAny(who, followedOf(about))
    return { incident: { id, title }, subscribed }
  }
  const names = await Promise.all(about.followed.map(nameOfFollowed))
  return {
    names: names.filter((name) => name !== null),
    subscribed: await followsAny(who, about.followed),
  }
}

async function getsMails(ticket: UnsubscribeRequest, settings: NotificationSetting[]): Promise<boolean> {
  if ('person' in ticket) return ticket.person.stopped === null
  const { notifications } = orNotFound(await User.query().findById(ticket.user.id))
  return settings.some((setting) => wants(notifications, setting))
}

/** Acts as the person the link was made for, whoever is signed in. */
function actorOf(ctx: Context, { id, name, role }: User): Actor {
  return { type: 'user', id, name, role, via: 'web', ...askedBy(ctx.state) }
}

/** Acts for a person without an account, whoever is signed in. */
function guestOf(ctx: Context): Actor {
  return { type: 'system', id: null, name: 'Guest', role: null, via: 'web', ...askedBy(ctx.state) }
}
