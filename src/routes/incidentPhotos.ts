import { requireFew, stageUploads, storePhotos } from '../actions/photos.js'
import type { ReportPhotos } from '../actions/reportIncident.js'
import { type StagedPhoto, stagedPhotos } from '../models/photo.js'
import { bodyOf } from '../web/body.js'
import type { Context } from '../web/context.js'

/** The photos of a report or update: those staged by an earlier try and kept, and those that came now, stored. */
export async function photosOf(ctx: Context): Promise<ReportPhotos> {
  const staged = await keptOf(ctx)
  requireFew(staged.length + ctx.state.uploads.length)
  return { staged, stored: await storePhotos(ctx.state.uploads.map(({ path }) => path)) }
}

/** Stages what a refused form brought, so that the page it is shown on again has it (decision 6.17). */
export async function rescuePhotos(ctx: Context): Promise<void> {
  const uploads = ctx.state.uploads.slice(0, 5).map(({ path }) => path)
  ctx.state.staged = [...(await keptOf(ctx)), ...(await stageUploads(ctx.state.actor, uploads))]
}

/** The staged photos a form names and has not ticked for removal. */
async function keptOf(ctx: Context): Promise<StagedPhoto[]> {
  const removed = idsIn(ctx, 'removePhotos')
  const ids = idsIn(ctx, 'stagedPhotos').filter((id) => !removed.includes(id))
  return ctx.state.user ? stagedPhotos(ctx.state.user.id, ids) : []
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function idsIn(ctx: Context, field: string): string[] {
  return [bodyOf(ctx)[field] ?? []]
    .flat()
    .filter((id): id is string => typeof id === 'string' && uuid.test(id))
}
