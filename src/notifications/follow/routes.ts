import { z } from 'zod'
import { incidentToFollow, nameOfFollowed } from '../../building/followedNames.js'
import type { Context } from '../../platform/http/context.js'
import { shape } from '../../platform/http/json.js'
import { both, isApi } from '../../platform/http/paths.js'
import { hour, limitOf } from '../../platform/http/protection/actCounters.js'
import { clientSite, siteTag } from '../../platform/http/protection/clientNetwork.js'
import { countOrRefuse } from '../../platform/http/protection/throttle.js'
import { queryId, queryOf } from '../../platform/http/request/query.js'
import { noContent, page } from '../../platform/http/route/answerContent.js'
import { emptyBody, rawBody } from '../../platform/http/route/fields.js'
import { linkRoute } from '../../platform/http/route/linkRoute.js'
import { route, routePair } from '../../platform/http/route/route.js'
import { askedAddress, rememberAskedAddress } from '../../platform/http/session/browserCookies.js'
import { config } from '../../platform/process/config.js'
import { type FollowedColumns, followedText, readFollowed } from '../../vocabulary/email/followed.js'
import { maskedAddress } from '../../vocabulary/email/mailbox.js'
import { emailAddress, exactlyOneOf, flag, id } from '../../vocabulary/inputRules.js'
import { refuseMerged } from '../../vocabulary/lifecycle.js'
import { orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import { followBox, kindOfFollowed, pageOfFollowed } from './followBox.js'
import { followAsUser, unfollowAsUser } from './followers.js'
import { type Confirmation, confirmFollowing, sendFollowLink } from './followLink.js'
import { findEmailFollower, followsAny } from './followQueries.js'

/**
 * Links to follow by email that may be asked for from a site. Above its share of the budget the
 * emails wait (`allowEmail`), so that this many only bounds what is stored.
 */
export const followLimit = limitOf('follows', 10 * config.throttles.follows, hour)

const assetId = id('asset').nullish()
const towerId = id('tower').nullish()
const incidentId = id('incident').nullish()
const building = flag('building').default(false)
const FollowRequest = z
  .object({ email: emailAddress, building, assetId, towerId, incidentId })
  .meta({ id: 'FollowRequest', ...oneFollowed('assetId', 'towerId', 'incidentId') })
const FollowOfAccount = z
  .object({ building, assetId, towerId })
  .meta({ id: 'AccountFollow', ...oneFollowed('assetId', 'towerId') })

/** In the description: the whole building, or exactly one of these. */
function oneFollowed(...names: string[]) {
  const none = Object.fromEntries(names.map((name) => [name, { type: 'null' }]))
  const all = { required: ['building'], properties: { building: { const: true }, ...none } }
  const single = exactlyOneOf(...names).oneOf.map(({ required, properties }) => ({
    required,
    properties: { building: { const: false }, ...properties },
  }))
  return { oneOf: [all, ...single] }
}
const FollowQuery = z.object({
  assetId: queryId.optional(),
  towerId: queryId.optional(),
  incidentId: queryId.optional(),
})
const ConfirmationJson = shape('FollowConfirmation', { followed: z.string(), following: z.boolean() })

const confirmation = {
  paths: both('/follow/:token'),
  group: 'notifications',
  permission: 'email.follow',
  answer: ConfirmationJson,
  ...linkRoute('follow', async (link): Promise<Confirmation | null> => {
    if (link.isOver || !('emailFollowerId' in link)) return null
    return { link, emailFollowerId: link.emailFollowerId, followed: link.data.followed }
  }),
} as const

/**
 * Following by email (decision 7.4): for anyone through a link to their address, for an account at
 * once.
 */
export const emailFollowRoutes = [
  route({
    method: 'get',
    paths: '/follow',
    summary: 'The form to get email updates about the building, a tower, an asset or an incident.',
    permission: 'email.follow',
    query: FollowQuery,
    answer: page,
    handle: async ({ ctx, query }) => ({
      view: 'notifications/follow/index',
      extras: await formFor(ctx, atMostOneFollowed(query)),
    }),
  }),

  route({
    method: 'post',
    paths: both('/follow'),
    group: 'notifications',
    summary: 'Emails a link that confirms email updates. The response is the same for every address.',
    permission: 'email.follow',
    body: FollowRequest,
    answer: { 202: shape('FollowAsked', { linkSent: z.boolean() }) },
    form: {
      view: 'notifications/follow/index',
      load: (ctx) => formFor(ctx, atMostOneFollowed(queryOf(ctx, FollowQuery))),
    },
    handle: async ({ ctx, body: { email, ...ids }, actor }) => {
      const followed = exactlyOneFollowed(ids)
      await countOrRefuse(followLimit, clientSite(ctx))
      await requireThere(followed)
      const { locale } = ctx.state
      await sendFollowLink(actor, { address: email, locale, network: siteTag(ctx), followed })
      if (!isApi(ctx.path)) rememberAskedAddress(ctx, 'follow', email)
      return { data: { linkSent: true }, location: formAddress(followed), notice: 'followLinkSent' }
    },
  }),

  route({
    ...confirmation,
    method: 'get',
    summary: 'Shows which email updates a link confirms.',
    handle: ({ params, subject }) => confirmationPage(subject, params.token),
  }),

  route({
    ...confirmation,
    method: 'post',
    summary: 'Confirms email updates.',
    body: rawBody,
    handle: async ({ params, subject, actor }) => {
      await confirmFollowing(actor, subject)
      return confirmationPage(subject, params.token)
    },
  }),

  route({
    method: 'post',
    paths: both('/follows'),
    group: 'notifications',
    summary: 'Turns on email updates about the building, a tower or an asset for your account.',
    permission: 'account.manage',
    throttle: 'writes',
    body: FollowOfAccount,
    answer: z.strictObject({ following: z.boolean() }),
    handle: async ({ body, actor }) => {
      const followed = exactlyOneFollowed(body)
      await requireThere(followed)
      await followAsUser(actor, followed)
      return { data: { following: true }, location: formAddress(followed), notice: 'followingEmails' }
    },
  }),

  ...routePair({
    method: 'delete',
    paths: '/api/follows/:id',
    group: 'notifications',
    fromForm: '/follows/:id/end',
    summary: 'Turns off those email updates.',
    permission: 'account.manage',
    throttle: 'writes',
    body: emptyBody,
    answer: noContent,
    handle: async ({ params, actor }) => {
      await unfollowAsUser(actor, params.id)
      return { location: '/account?tab=notifications', notice: 'unfollowedEmails' }
    },
  }),
]

type Ids = { [N in keyof FollowedColumns]?: number | null | undefined }

/** Throws ValidationFailed for more than one thing to follow. */
function atMostOneFollowed({ incidentId = null, assetId = null, towerId = null }: Ids): FollowedColumns {
  const chosen = Object.entries({ incidentId, assetId, towerId }).filter(([, value]) => value !== null)
  if (chosen.length > 1) throw new ValidationFailed({ [chosen[1]![0]]: ['follow_one_thing'] })
  return { incidentId, assetId, towerId }
}

/** Throws ValidationFailed unless it is one of the ids, or the building. */
function exactlyOneFollowed({ building, ...ids }: Ids & { building: boolean }): FollowedColumns {
  const followed = atMostOneFollowed(ids)
  if (building !== (followedText(followed) === 'building'))
    throw new ValidationFailed({ building: ['follow_one_thing'] })
  return followed
}

/** Throws ValidationFailed when it is not there, Conflict on a merged duplicate. */
async function requireThere(followed: FollowedColumns): Promise<void> {
  const { incidentId, assetId, towerId } = followed
  if (incidentId !== null) {
    const incident = await incidentToFollow(incidentId)
    if (incident) refuseMerged(incident)
  }
  if ((await nameOfFollowed(followed)) !== null) return
  if (incidentId !== null) throw new ValidationFailed({ incidentId: ['incident_unknown'] })
  throw new ValidationFailed(
    assetId === null && towerId !== null ? { towerId: ['tower_unknown'] } : { assetId: ['asset_unknown'] },
  )
}

function formAddress(followed: FollowedColumns): string {
  const [chosen] = Object.entries(followed).filter(([, value]) => value !== null)
  return chosen ? `/follow?${chosen[0]}=${chosen[1]}` : '/follow'
}

async function formFor(ctx: Context, followed: FollowedColumns): Promise<Record<string, unknown>> {
  return {
    follow: orNotFound(await followBox(ctx, followed)),
    askedFor: askedAddress(ctx, 'follow'),
    formAddress: formAddress(followed),
  }
}

/** The page masks whom the link was sent to, because emails are forwarded with their links. */
async function confirmationPage({ emailFollowerId, followed }: Confirmation, token: string) {
  const columns = readFollowed(followed)!
  const following = await followsAny({ emailFollowerId }, [columns])
  const name = orNotFound(await nameOfFollowed(columns))
  const follower = orNotFound(await findEmailFollower(emailFollowerId))
  return {
    data: { followed: followedText(columns), following },
    view: 'notifications/follow/confirm',
    extras: {
      kind: kindOfFollowed(followed),
      name,
      action: `/follow/${token}`,
      address: maskedAddress(follower.address),
      page: pageOfFollowed(columns, name),
    },
  }
}
