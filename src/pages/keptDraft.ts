import type { Actor } from '../domain/accounts/actor.js'
import { parseId } from '../domain/system/limits.js'
import type { CurrentUser } from '../models/accounts/user.js'
import { Incident } from '../models/incidents/incident.js'
import { stagedPhotos } from '../models/incidents/photo.js'
import type { Answer } from '../web/answer/respond.js'
import type { Context } from '../web/context.js'
import { draftOf, keepTyped, type Typed } from '../web/request/draft.js'
import { askedBy } from '../web/session/authenticate.js'
import { guestOf } from '../web/session/browserCookies.js'
import { guestReportId, keepReport, sendKept } from './incidents/guestReport.js'
import { incidentAnswer } from './incidents/incidentPage.js'
import { rescueFor, StagedPhotos } from './incidents/incidentPhotos.js'
import { reportPage } from './incidents/reportPage.js'

/** For forms people write long texts in: what they typed survives a session that ends meanwhile. */
export const keepsTyped = keepTyped(rescued)
/** For the report form, which guests send, too. */
export const keepsReport = keepTyped(rescued, keepReport)

async function rescued(ctx: Context, writer: CurrentUser): Promise<string[]> {
  return (await rescueFor(ctx, writer, actorOf(ctx, writer))).map(({ id }) => id)
}

/** Keeping the photos is an act of the person whose session ended. */
function actorOf(ctx: Context, { id, name, role }: CurrentUser): Actor {
  return { type: 'user', id, name, role, via: 'web', ...askedBy(ctx.state) }
}

/**
 * What follows a sign-in that `carried` something typed before it: a guest's report is sent, another form is filled in
 * again, to be sent by one press. Null when it carried none by this user. Goes after `signIn`.
 */
export async function resumedForm(
  ctx: Context,
  user: CurrentUser,
  carried: string | null | undefined,
): Promise<Answer | null> {
  const reportId = guestReportId(carried)
  if (reportId !== null)
    return (await sendKept(ctx, user, reportId)) ?? { location: '/report', notice: 'reportGone' }
  const typed = draftOf(carried, user.id)
  if (!typed) return null
  const who = { userId: user.id, browser: guestOf(ctx) }
  ctx.state.staged = await stagedPhotos(who, StagedPhotos.parse(typed.fields).stagedPhotos)
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
