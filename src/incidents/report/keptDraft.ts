import { type CarriedForms, guestReportId } from '../../accounts/signIn/carriedForm.js'
import type { Answer } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { draftOf, keepTyped, type Typed } from '../../platform/http/request/draft.js'
import { askedBy } from '../../platform/http/session/authenticate.js'
import { guestOf } from '../../platform/http/session/browserCookies.js'
import type { CurrentUser } from '../../platform/http/session/user.js'
import { parseId } from '../../vocabulary/limits.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { Incident } from '../incident.js'
import { incidentAnswer } from '../page/page.js'
import { rescueFor, StagedPhotos } from '../photos/page.js'
import { stagedPhotos } from '../photos/queries.js'
import { isKeptHere, keepReport, sendKept, sentBefore } from './guestReportPage.js'
import { reportPage } from './page.js'

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
async function resumedForm(
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

/** The report and comment forms, for the sign-in. */
export const carriedIncidentForms: CarriedForms = { resume: resumedForm, isKeptHere, sentBefore }
