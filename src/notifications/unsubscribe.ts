import { z } from 'zod'
import { User } from '../accounts/people/user.js'
import { incidentToFollow, nameOfFollowed } from '../building/followedNames.js'
import { type Change, change } from '../platform/db/change.js'
import type { Context } from '../platform/http/context.js'
import { shape } from '../platform/http/json.js'
import { rawBody } from '../platform/http/route/fields.js'
import { linkRoute } from '../platform/http/route/linkRoute.js'
import { route } from '../platform/http/route/route.js'
import { actorOf, askedBy } from '../platform/http/session/authenticate.js'
import type { EmailLink } from '../platform/links/emailLinks.js'
import { type Changes, changesBetween } from '../vocabulary/audit.js'
import { type FollowedColumns, followedText } from '../vocabulary/email/followed.js'
import { type NotificationSetting, readTopic, type Topic, wants } from '../vocabulary/events.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { orNotFound } from '../vocabulary/validation.js'
import {
  type EmailFollower,
  type Follower,
  findEmailFollower,
  followedAmong,
  followsAny,
} from './follow/followerQueries.js'
import { endFollowing, followByEmail, unfollowByEmail } from './follow/followers.js'

/**
 * Ends (or with `on` restores) the subscription behind an unsubscribe link: an incident with its
 * duplicates, or kinds of email. Every kind means all emails to a person without an account, also
 * what they get for the emails they wrote. Writes nothing when it is so already.
 */
async function setSubscription(ctx: Context, request: UnsubscribeRequest, on: boolean): Promise<void> {
  const actor = 'user' in request ? actorOf(ctx.state, request.user) : guestOf(ctx)
  await change(actor, async (c) => {
    const changes = 'user' in request ? await setForUser(c, request, on) : await setForPerson(c, request, on)
    if (Object.keys(changes).length === 0) c.noop()
    else if ('user' in request)
      c.audit(on ? 'user.resubscribed' : 'user.unsubscribed', request.user.id, changes)
    else c.audit(on ? 'mail_follower.resubscribed' : 'mail_follower.unsubscribed', request.person.id, changes)
  })
}

function setForUser(c: Change, { about, user }: RequestOfUser, on: boolean): Promise<Changes> {
  if ('incidentId' in about) return setFollowing(c, about.incidentId, on)
  if ('followed' in about) return setFollowed(c, { userId: user.id }, about.followed, on)
  return setEmailSettings(c, about.settings, on)
}

function setForPerson(c: Change, { about, person }: RequestOfPerson, on: boolean): Promise<Changes> {
  return 'settings' in about
    ? setAllEmails(c, person.id, on)
    : setFollowed(c, { emailFollowerId: person.id }, followedOf(about), on)
}

/** What the emails about a topic follow, as a list, for a topic that is not a kind of email. */
function followedOf(about: { incidentId: number } | { followed: FollowedColumns[] }): FollowedColumns[] {
  return 'followed' in about ? about.followed : [{ ...about, assetId: null, towerId: null }]
}

async function setAllEmails(c: Change, emailFollowerId: number, on: boolean): Promise<Changes> {
  const follower = c.trx('email_followers').where({ id: emailFollowerId })
  const changed = await (on
    ? follower.where({ stoppedWhy: 'asked' }).update({ stoppedAt: null, stoppedWhy: null })
    : follower.where({ stoppedAt: null }).update({ stoppedAt: c.trx.fn.now(), stoppedWhy: 'asked' }))
  return changed > 0 ? { emails: { before: !on, after: on } } : {}
}

async function setFollowed(
  c: Change,
  who: Follower,
  followed: readonly FollowedColumns[],
  on: boolean,
): Promise<Changes> {
  const set = on ? followByEmail : unfollowByEmail
  const changed: string[] = []
  for (const each of followed) if (await set(c, who, each)) changed.push(followedText(each))
  if (changed.length === 0) return {}
  return { following: on ? { before: [], after: changed } : { before: changed, after: [] } }
}

async function setFollowing(c: Change, incidentId: number, on: boolean): Promise<Changes> {
  const rows = await c.query<{ id: number }>(on ? followSql : familySql, [incidentId, c.actor.id])
  const ids = on
    ? rows.map(({ id }) => id)
    : await endFollowing(
        c,
        rows.map(({ id }) => id),
      )
  if (ids.length === 0) return {}
  return { following: on ? { before: [], after: ids } : { before: ids, after: [] } }
}

/** A merged duplicate continues in its survivor, so the survivor is followed. */
const followSql = `
  with forgotten as (
    delete from unfollows u using incidents i
    where i.id = $1 and u.incident_id in (i.id, i.merged_into_id) and u.user_id = $2
  )
  insert into followers (incident_id, user_id)
  select coalesce(merged_into_id, id), $2 from incidents where id = $1
  on conflict do nothing returning incident_id as id`

/** The incident and what it was merged into, as far as the user follows them. */
const familySql = `
  select f.incident_id as id from incidents i join followers f on f.incident_id in (i.id, i.merged_into_id)
  where i.id = $1 and f.user_id = $2`

async function setEmailSettings(c: Change, settings: NotificationSetting[], on: boolean): Promise<Changes> {
  const [user] = await c.query<{ notifications: Record<string, unknown> }>(
    'select notifications from users where id = $1 for no key update',
    [c.actor.id],
  )
  const states = (of: (setting: NotificationSetting) => boolean) =>
    Object.fromEntries(settings.map((setting) => [setting, of(setting)]))
  const after = states(() => on)
  const changes = changesBetween(
    states((setting) => wants(user!.notifications, setting)),
    after,
  )
  if (Object.keys(changes).length > 0)
    await c.query('update users set notifications = notifications || $2::jsonb where id = $1', [
      c.actor.id,
      JSON.stringify(after),
    ])
  return changes
}

/** The topic of a link (an incident, a kind of email, or all), and whether its emails are sent. */
const SubscriptionJson = shape('Subscription', { topic: z.string(), subscribed: z.boolean() })

const shared = {
  permission: 'unsubscribe.use',
  answer: SubscriptionJson,
  ...linkRoute('unsubscribe', ticketOf),
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
    handle: ({ params, subject }) => shown(subject, params.token, null),
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
      await setSubscription(ctx, subject, on)
      return shown(subject, ctx.params.token!, on ? 'resumed' : 'stopped')
    },
  })
}

type RequestAbout = { topic: Topic; about: NonNullable<ReturnType<typeof readTopic>> }
type RequestOfUser = RequestAbout & { user: User }
type RequestOfPerson = RequestAbout & { person: EmailFollower }
type UnsubscribeRequest = RequestOfUser | RequestOfPerson

/** Whose emails a link is about; null when nothing is known of them any more. */
async function ticketOf(link: EmailLink<'unsubscribe'>): Promise<UnsubscribeRequest | null> {
  const { topic } = link.data
  const about = readTopic(topic)!
  if ('userId' in link) {
    const user = await User.query().findById(link.userId)
    return user && user.erasedAt === null ? { topic, about, user } : null
  }
  const person = await findEmailFollower(link.emailFollowerId)
  return person && { topic, about, person }
}

/** The page names no one, because emails are forwarded with their links. */
async function shown(ticket: UnsubscribeRequest, token: string, done: string | null) {
  const { topic } = ticket
  const { incident = null, names = [], subscribed } = await standingOf(ticket)
  return {
    data: { topic, subscribed },
    view: 'notifications/unsubscribe',
    extras: { incident, names, done, action: `/unsubscribe/${token}` },
  }
}

async function standingOf(
  ticket: UnsubscribeRequest,
): Promise<{ incident?: { id: number; title: string }; names?: string[]; subscribed: boolean }> {
  const { about } = ticket
  if ('settings' in about) return { subscribed: await getsEmails(ticket, about.settings) }
  const who = 'user' in ticket ? { userId: ticket.user.id } : { emailFollowerId: ticket.person.id }
  if ('incidentId' in about) {
    const { id, title } = orNotFound(await incidentToFollow(about.incidentId))
    const subscribed = (await followedAmong(who, [id])).has(id)
    return { incident: { id, title }, subscribed }
  }
  const names = await Promise.all(about.followed.map(nameOfFollowed))
  return {
    names: names.filter((name) => name !== null),
    subscribed: await followsAny(who, about.followed),
  }
}

async function getsEmails(ticket: UnsubscribeRequest, settings: NotificationSetting[]): Promise<boolean> {
  if ('person' in ticket) return ticket.person.stopped === null
  const { notifications } = orNotFound(await User.query().findById(ticket.user.id))
  return settings.some((setting) => wants(notifications, setting))
}

/** Acts for a person without an account, whoever is signed in. */
function guestOf(ctx: Context): Actor {
  return { type: 'system', id: null, name: 'Guest', role: null, via: 'web', ...askedBy(ctx.state) }
}
