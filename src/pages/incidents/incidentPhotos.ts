import { z } from 'zod'
import { requireFew, stageUploads, storePhotos } from '../../actions/incidents/photos.js'
import type { ReportPhotos } from '../../actions/incidents/reportIncident.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { limits } from '../../domain/system/limits.js'
import { ValidationFailed } from '../../domain/system/validation.js'
import type { CurrentUser } from '../../models/accounts/user.js'
import { type StagedPhoto, stagedPhotos } from '../../models/incidents/photo.js'
import type { Context } from '../../web/context.js'
import { input } from '../../web/request/input.js'
import { mayAddPhotos } from '../../web/request/throttle.js'

/**
 * The photos of a report or update: those staged by an earlier try and kept, and those that came now, stored. Throws
 * Invalid when they are too many, for this post or for today.
 */
export async function photosOf(ctx: Context): Promise<ReportPhotos> {
  const { user, uploads } = ctx.state
  const staged = await keptOf(ctx, user)
  requireFew(staged.length + uploads.length)
  if (user && !(await mayAddPhotos(ctx, user, uploads.length)))
    throw new ValidationFailed({ photos: ['photos_spent'] })
  return { staged, stored: await storePhotos(ctx.state.uploads.map(({ path }) => path)) }
}

/** Stages what a refused form brought, so that the page it is shown on again has it (decision 6.17). */
export async function rescuePhotos(ctx: Context): Promise<void> {
  ctx.state.staged = await rescueFor(ctx, ctx.state.user, ctx.state.actor)
}

/** Stages a form's photos as this user's, who need not be the one asking; with those it had staged before. */
export async function rescueFor(
  ctx: Context,
  user: CurrentUser | null,
  actor: Actor,
): Promise<StagedPhoto[]> {
  const given = ctx.state.uploads.slice(0, limits.photosPerPost).map(({ path }) => path)
  const uploads = user && (await mayAddPhotos(ctx, user, given.length)) ? given : []
  return [...(await keptOf(ctx, user)), ...(await stageUploads(actor, uploads))]
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The ids of staged photos, whatever else stands among them. */
const photoIds = z
  .array(z.unknown())
  .default([])
  .catch([])
  .transform((given) => given.filter((id): id is string => typeof id === 'string' && uuid.test(id)))

/** What a form carries of the photos an earlier try of it brought. */
export const StagedPhotos = z.object({ stagedPhotos: photoIds, removePhotos: photoIds })

/** The staged photos a form names and has not ticked for removal. */
async function keptOf(ctx: Context, user: { id: number } | null): Promise<StagedPhoto[]> {
  const { stagedPhotos: carried, removePhotos: removed } = input(ctx, StagedPhotos)
  const ids = carried.filter((id) => !removed.includes(id))
  return user ? stagedPhotos(user.id, ids) : []
}
