import type { CarriedForms } from '../../../accounts/signIn/carriedFormHooks.js'
import type { Answer } from '../../../platform/http/answer/respond.js'
import type { CarriedForm, Context } from '../../../platform/http/context.js'
import type { CurrentUser } from '../../../platform/http/currentUser.js'
import { carryForm, readCarriedForm } from '../../../platform/http/route/carriedForm.js'
import { askedBy } from '../../../platform/http/session/authenticate.js'
import { guestSecretHash } from '../../../platform/http/session/browserCookies.js'
import { keepDraft } from '../../../platform/http/session/formDraft.js'
import { guestReportId } from '../../../vocabulary/guestReports.js'
import { parseId } from '../../../vocabulary/limits.js'
import { findListedIncident } from '../../model/listedIncidents.js'
import { stagedPhotos } from '../../model/photos/stagedPhotos.js'
import { CarriedPhotoIds, stagePhotosFor } from '../postedPhotos.js'
import {
  reportAddress,
  resumeAgain,
  sendGuestReport,
  storeGuestReport,
  waitingReport,
} from './guestReportFlow.js'
import { reportPage } from './reportForm.js'

/** For the form of an update: what people typed survives a session that ends meanwhile. */
export const carryUpdateForm = carryForm(stageFormPhotos)

/** For the report form, which guests send, too. */
export const carryReportForm = carryForm(stageFormPhotos, storeGuestReport)

async function stageFormPhotos(ctx: Context, writer: CurrentUser): Promise<string[]> {
  const { id, name, role } = writer
  // Storing the photos is an act of the person whose session ended.
  const actor = { type: 'user', id, name, role, via: 'web', ...askedBy(ctx.state) } as const
  return (await stagePhotosFor(ctx, writer, actor)).map((photo) => photo.id)
}

/**
 * What follows a sign-in that carried a form through: a guest's report is sent, another form is
 * filled in again, to be sent by one press. Null when it carried none by this user. Goes after
 * `startSession`.
 */
async function resumeForm(
  ctx: Context,
  user: CurrentUser,
  carriedForm: string | null | undefined,
): Promise<Answer | null> {
  const reportId = guestReportId(carriedForm)
  if (reportId !== null)
    return (await sendGuestReport(ctx, user, reportId)) ?? { location: '/report', notice: 'reportGone' }
  const form = readCarriedForm(carriedForm, { userId: user.id, guestPage: reportAddress })
  if (!form) return null
  return form.at === reportAddress ? resumeReport(ctx, user, form) : resumeUpdate(ctx, form)
}

async function resumeReport(
  ctx: Context,
  user: CurrentUser,
  { fields, photosKept }: CarriedForm,
): Promise<Answer> {
  const who = { userId: user.id, browser: guestSecretHash(ctx) }
  ctx.state.staged = await stagedPhotos(who, CarriedPhotoIds.parse(fields).stagedPhotos)
  const notice = photosKept ? 'resumed' : 'resumedWithoutPhotos'
  const extras = { values: fields, notice, path: reportAddress, url: reportAddress }
  return { view: 'incidents/new', extras: { ...(await reportPage(ctx, fields)), ...extras } }
}

/**
 * Leads to the form of an update, which the page of its incident shows again; null when that is
 * gone.
 */
async function resumeUpdate(ctx: Context, form: CarriedForm): Promise<Answer | null> {
  const id = parseId(/^\/incidents\/(\d+)\/updates$/.exec(form.at)?.[1])
  const incident = id === null ? null : await findListedIncident(id)
  if (!incident) return null
  const page = `/incidents/${incident.mergedIntoId ?? incident.id}`
  keepDraft(ctx, { ...form, at: `${page}/updates` })
  // A browser gives the focus to the field that an address names.
  return { location: `${page}#comment-body` }
}

/** The report and comment forms, for the sign-in. */
export const carriedIncidentForms: Omit<CarriedForms, 'guestPage'> = {
  resume: resumeForm,
  waitingReport,
  resumeAgain,
}
