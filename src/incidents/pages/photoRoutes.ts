import { z } from 'zod'
import { matchesEtag } from '../../platform/http/answer/compression.js'
import type { Context, UploadedFile } from '../../platform/http/context.js'
import type { CurrentUser } from '../../platform/http/currentUser.js'
import { clientSite } from '../../platform/http/protection/clientNetwork.js'
import { hour, isWithin, limitOf } from '../../platform/http/protection/counters.js'
import { input } from '../../platform/http/request/input.js'
import { answeredByHandler, file } from '../../platform/http/route/answerContent.js'
import { route } from '../../platform/http/route/route.js'
import { guestOf } from '../../platform/http/session/browserCookies.js'
import { config } from '../../platform/process/config.js'
import { bounds, limits } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import { orNotFound, ValidationFailed } from '../../vocabulary/validation.js'
import {
  findPhoto,
  type PostedPhotos,
  requireFew,
  type StagedPhoto,
  type Stager,
  stagedPhotos,
  stageUploads,
  storePhotos,
} from '../model/photos.js'

const photosOfDay = limitOf('photos', bounds.photosPerDay, 24 * hour)
const photosOfPhones = limitOf('phones-photos', bounds.photosPerDayOfPhones, 24 * hour)

/** Photos kept for guests until they sign in, per site. */
const guestPhotosLimit = limitOf('guest-photos', 6 * config.throttles.signIn, hour)

/** Whether the user may add so many photos today. They count even if they are refused. */
export async function mayAddPhotos(ctx: Context, user: CurrentUser, count: number): Promise<boolean> {
  if (isStaff(user.role)) return true
  return ctx.state.principal === 'mobile'
    ? isWithin(photosOfPhones, clientSite(ctx), count)
    : isWithin(photosOfDay, String(user.id), count)
}

/** The photos of earlier tries that the form of this request carries, without removed ones. */
export const carriedPhotos = (ctx: Context): Promise<StagedPhoto[]> => stagedEarlier(ctx, stagerOf(ctx))

/**
 * The photos of a report or update: staged ones that were kept, and new ones, stored. Throws
 * ValidationFailed when there are too many, in this post or today.
 */
export async function photosOfRequest(ctx: Context): Promise<PostedPhotos> {
  const { user, uploads } = ctx.state
  const staged = await carriedPhotos(ctx)
  requireFew(staged.length + uploads.length)
  if (user && !(await mayAddPhotos(ctx, user, uploads.length)))
    throw new ValidationFailed({ photos: ['photos_spent'] })
  return { staged, stored: await storePhotos(ctx.state.uploads.map(asUpload)) }
}

const asUpload = ({ path, name }: UploadedFile) => ({ content: path, name })

/** Stages the photos of a refused form for the page that shows it again (decision 6.17). */
export async function rescuePhotos(ctx: Context): Promise<void> {
  ctx.state.staged = await rescueFor(ctx, ctx.state.user, ctx.state.actor)
}

/**
 * Stages a form's photos for this user, who may not be the caller. Returns them after the photos
 * staged earlier.
 */
export async function rescueFor(
  ctx: Context,
  user: CurrentUser | null,
  actor: Actor,
): Promise<StagedPhoto[]> {
  if (!user) return []
  const sent = uploadsOf(ctx)
  const uploads = (await mayAddPhotos(ctx, user, sent.length)) ? sent : []
  const who = { userId: user.id }
  const earlier = await stagedEarlier(ctx, { ...who, browser: guestOf(ctx) })
  return [...earlier, ...(await stageUploads(actor, who, uploads)).staged]
}

/**
 * Stages a guest's photos for their browser, for this page and the next. Returns them with earlier
 * ones; null when no more are kept for their site. Throws ValidationFailed or PhotoRefused when
 * some cannot be kept; then the others stay with the form.
 */
export async function keepForGuest(ctx: Context, browser: Buffer): Promise<StagedPhoto[] | null> {
  ctx.state.staged = await stagedEarlier(ctx, { browser })
  requireFew(ctx.state.staged.length + ctx.state.uploads.length)
  const uploads = uploadsOf(ctx)
  if (!(await isWithin(guestPhotosLimit, clientSite(ctx), uploads.length))) return null
  const { staged, refused } = await stageUploads(ctx.state.actor, { browser }, uploads)
  const all = [...ctx.state.staged, ...staged] as StagedPhoto[]
  ctx.state.staged = all
  if (refused !== undefined) throw refused
  return all
}

const uploadsOf = (ctx: Context) => ctx.state.uploads.slice(0, limits.photosPerPost).map(asUpload)

/**
 * Whose staged photos a caller may see and send: their account's, and their browser's from when
 * they were a guest.
 */
function stagerOf(ctx: Context): Stager | null {
  const browser = guestOf(ctx)
  if (ctx.state.user) return { userId: ctx.state.user.id, browser }
  return browser && { browser }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Ids of staged photos; anything else in the list is dropped. */
const photoIds = z
  .array(z.unknown())
  .default([])
  .catch([])
  .transform((ids) => ids.filter((id): id is string => typeof id === 'string' && uuid.test(id)))

/** The photos of earlier tries that a form carries. */
export const StagedPhotos = z.object({ stagedPhotos: photoIds, removePhotos: photoIds })

/** The staged photos a form names, without those selected for removal. */
async function stagedEarlier(ctx: Context, who: Stager | null): Promise<StagedPhoto[]> {
  const { stagedPhotos: carried, removePhotos: removed } = input(ctx, StagedPhotos)
  const ids = carried.filter((id) => !removed.includes(id))
  return who ? stagedPhotos(who, ids) : []
}

/**
 * GET /api/photos/<path>: a photo or thumbnail (spec §4, decision 2.12). Photos of incidents are
 * public.
 */
export const photoRoutes = [
  route({
    method: 'get',
    paths: '/api/photos/{*path}',
    group: 'incidents',
    otherSites: true,
    summary: 'A photo, or its thumbnail at <path>.thumb.jpg.',
    permission: 'photo.read',
    answer: file('image/jpeg'),
    handle: async ({ ctx, viewer }) => {
      const path = orNotFound(decoded(ctx.path.slice('/api/photos/'.length)))
      const photo = orNotFound(await findPhoto(path, stagerOf(ctx), viewer))
      // Bytes never change, so a client that has them is answered without asking the store.
      const known = matchesEtag(ctx.get('If-None-Match'), path)
      const file = known ? null : orNotFound(await photo.open())
      ctx.state.response.isSameForEveryone = photo.forAnybody
      ctx.set(
        'Cache-Control',
        photo.forAnybody ? 'private, max-age=31536000, immutable' : 'private, no-store',
      )
      ctx.set('Content-Security-Policy', "default-src 'none'; sandbox")
      ctx.set('Content-Disposition', 'inline; filename="photo.jpg"')
      ctx.set('ETag', `"${path}"`)
      ctx.status = file ? 200 : 304
      if (!file) return answeredByHandler
      ctx.type = 'image/jpeg'
      ctx.length = file.size
      if (ctx.method === 'HEAD') file.stream.destroy()
      else ctx.body = file.stream
      return answeredByHandler
    },
  }),
]

/**
 * The path of a photo, which clients may encode with its slashes; null when it cannot be decoded.
 */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
