import type { Actor } from '../domain/accounts/actor.js'
import { parseId } from '../domain/system/limits.js'
import type { CurrentUser } from '../models/accounts/user.js'
import { Incident } from '../models/incidents/incident.js'
import { stagedPhotos } from '../models/incidents/photo.js'
import type { Answer } from '../web/answer/respond.js'
import type { Context } from '../web/context.js'
import { draftOf, keepTyped, type Typed } from '../web/request/draft.js'
import { incidentAnswer } from './incidents/incidentPage.js'
import { rescueFor, StagedPhotos } from './incidents/incidentPhotos.js'
import { reportPage } from './incidents/reportPage.js'

/** For the routes whose forms people write long texts in: nothing typed is lost to a session that ended meanwhile. */
export const keepsTyped = keepTyped(async (ctx, writer) =>
  (await rescueFor(ctx, writer, actorOf(ctx, writer))).map(({ id }) => id),
)

/** The staged photos are theirs, whose session ended: so is the act of keeping them. */
function actorOf(ctx: Context, { id, name, role }: CurrentUser): Actor {
  const { requestId, client } = ctx.state
  return { type: 'user', id, name, role, via: 'web', requestId, client }
}

/**
 * The form somebody had typed into before they had to sign in, filled in as it was, for one press to send it; null when
 * this sign-in `carried` none of theirs. Goes after `signIn`.
 */
export async function resumedForm(
  ctx: Context,
  user: CurrentUser,
  carried: string | null | undefined,
): Promise<Answer | null> {
  const typed = draftOf(carried, user.id)
  if (!typed) return null
  ctx.state.staged = await stagedPhotos(user.id, StagedPhotos.parse(typed.fields).stagedPhotos)
  const answer = await formAt(ctx, typed)
  const notice = typed.photosKept ? 'resumed' : 'resumedWithoutPhotos'
  const address = typed.at.replace(/\/updates$/, '')
  const filled = address === typed.at ? undefined : 'comment'
  const shown = { filled, values: typed.fields, notice, path: address, url: address }
  return answer && { ...answer, extras: { ...answer.extras, ...shown } }
}

async function formAt(ctx: Context, { at, fields }: Typed): Promise<Answer | null> {
  if (at === '/report') return { view: 'incidents/new', extras: await reportPage(ctx, fields) }
  const id = parseId(/^\/incidents\/(\d+)\/updates$/.exec(at)?.[1])
  const incident = id === null ? null : await Incident.find(id)
  return incident && incidentAnswer(ctx, incident.mergedIntoId ?? incident.id)
}
