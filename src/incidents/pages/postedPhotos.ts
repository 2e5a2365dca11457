import { z } from 'zod'
import type { Context, UploadedFile } from '../../platform/http/context.js'
import type { CurrentUser } from '../../platform/http/currentUser.js'
import { hour, isWithin, limitOf } from '../../platform/http/protection/actCounters.js'
import { clientSite } from '../../platform/http/protection/clientNetwork.js'
import { input } from '../../platform/http/request/input.js'
import { guestSecretHash } from '../../platform/http/session/browserCookies.js'
import { config } from '../../platform/process/config.js'
import { bounds, limits } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { isStaff } from '../../vocabulary/people/permissions.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { type PostedPhotos, requireFew, type StagedPhoto, storePhotos } from '../model/photos/photos.js'
import { type Stager, stagedPhotos, stageUploads } from '../model/photos/stagedPhotos.js'

/** Photos of a user. */
const dailyPhotosLimit = limitOf('photos', bounds.photosPerDay, 24 * hour)

/** Photos of the residents' phones, which share one account, per site. */
const phonePhotosLimit = limitOf('phones-photos', bounds.photosPerDayOfPhones, 24 * hour)

/** Photos kept for guests until they sign in, per site. */
const guestPhotosLimit = limitOf('guest-photos', 6 * config.throttles.signIn, hour)

/** Whether the user may add so many photos today. They count even if they are refused. */
export async function mayAddPhotos(ctx: Context, user: CurrentUser, count: number): Promise<boolean> {
  if (isStaff(user.role)) return true
  return ctx.state.principal === 'mobile'
    ? isWithin(phonePhotosLimit, clientSite(ctx), count)
    : isWithin(dailyPhotosLimit, String(user.id), count)
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
  return { staged, stored: await storePhotos(uploads.map(asUpload)) }
}

const asUpload = ({ path, name }: UploadedFile) => ({ content: path, name })

/** Stages the photos of a refused form for the page that shows it again (decision 6.17). */
export async function stageRefusedPhotos(ctx: Context): Promise<void> {
  ctx.state.staged = await stagePhotosFor(ctx, ctx.state.user, ctx.state.actor)
}

/**
 * Stages a form's photos for this user, who may not be the caller. Returns them after the photos
 * staged earlier.
 */
export async function stagePhotosFor(
  ctx: Context,
  user: CurrentUser | null,
  actor: Actor,
): Promise<StagedPhoto[]> {
  if (!user) return []
  const sent = uploadsOf(ctx)
  const uploads = (await mayAddPhotos(ctx, user, sent.length)) ? sent : []
  const who = { userId: user.id }
  const earlier = await stagedEarlier(ctx, { ...who, browser: guestSecretHash(ctx) })
  return [...earlier, ...(await stageUploads(actor, who, uploads)).staged]
}

/**
 * Stages a guest's photos for their browser, for this page and the next. Returns them with earlier
 * ones; null when no more are kept for their site. Throws ValidationFailed or PhotoRefused when
 * some cannot be kept; then the others stay with the form.
 */
export async function stageGuestPhotos(ctx: Context, browser: Buffer): Promise<StagedPhoto[] | null> {
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
export function stagerOf(ctx: Context): Stager | null {
  const browser = guestSecretHash(ctx)
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
export const CarriedPhotoIds = z.object({ stagedPhotos: photoIds, removePhotos: photoIds })

/** The staged photos a form names, without those selected for removal. */
async function stagedEarlier(ctx: Context, who: Stager | null): Promise<StagedPhoto[]> {
  const { stagedPhotos: carried, removePhotos: removed } = input(ctx, CarriedPhotoIds)
  const ids = carried.filter((id) => !removed.includes(id))
  return who ? stagedPhotos(who, ids) : []
}
