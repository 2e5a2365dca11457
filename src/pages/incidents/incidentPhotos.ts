import { z } from 'zod'
import { requireFew, stageUploads, storePhotos } from '../../actions/incidents/photos.js'
import type { ReportPhotos } from '../../actions/incidents/reportIncident.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { limits } from '../../domain/system/limits.js'
import { ValidationFailed } from '../../domain/system/validation.js'
import type { CurrentUser } from '../../models/accounts/user.js'
import { type StagedPhoto, stagedPhotos } from '../../models/incidents/photo.js'
import type { Context, UploadedFile } from '../../web/context.js'
import { input } from '../../web/request/input.js'
import { mayAddPhotos } from '../../web/request/throttle.js'

/**
 * The photos of a report or update: staged ones that were kept, and new ones, stored. Throws ValidationFailed
 * when there are too many, in this post or today.
 */
export async function photosOf(ctx: Context): Promise<ReportPhotos> {
  const { user, uploads } = ctx.state
  const staged = await keptOf(ctx, user)
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

/** Stages a form's photos for this user, who may not be the caller; returns them with earlier ones. */
export async function rescueFor(
  ctx: Context,
  user: CurrentUser | null,
  actor: Actor,
): Promise<StagedPhoto[]> {
  const given = ctx.state.uploads.slice(0, limits.photosPerPost).map(asUpload)
  const uploads = user && (await mayAddPhotos(ctx, user, given.length)) ? given : []
  return [...(await keptOf(ctx, user)), ...(await stageUploads(actor, uploads))]
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Ids of staged photos; anything else in the list is dropped. */
const photoIds = z
  .array(z.unknown())
  .default([])
  .catch([])
  .transform((given) => given.filter((id): id is string => typeof id === 'string' && uuid.test(id)))

/** The photos of earlier tries that a form carries. */
export const StagedPhotos = z.object({ stagedPhotos: photoIds, removePhotos: photoIds })

/** The staged photos a form names, without those ticked for removal. */
async function keptOf(ctx: Context, user: { id: number } | null): Promise<StagedPhoto[]> {
  const { stagedPhotos: carried, removePhotos: removed } = input(ctx, StagedPhotos)
  const ids = carried.filter((id) => !removed.includes(id))
  return user ? stagedPhotos(user.id, ids) : []
}
