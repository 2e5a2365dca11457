import { randomUUID } from 'node:crypto'
import type { WaitingReport } from '../../../accounts/signIn/carriedFormHooks.js'
import { idempotently } from '../../../platform/db/idempotently.js'
import type { Answer } from '../../../platform/http/answer/respond.js'
import type { Context } from '../../../platform/http/context.js'
import type { CurrentUser } from '../../../platform/http/currentUser.js'
import { enteredFields } from '../../../platform/http/enteredFields.js'
import { Problem } from '../../../platform/http/problem.js'
import { hour, isWithin, limitOf } from '../../../platform/http/protection/actCounters.js'
import { clientSite } from '../../../platform/http/protection/clientNetwork.js'
import {
  formDigest,
  keyOfForm,
  requestDigest,
  sendAnyway,
} from '../../../platform/http/request/idempotency.js'
import { input } from '../../../platform/http/request/input.js'
import { requireWritten } from '../../../platform/http/request/uploads.js'
import { ensureGuestSecret, guestSecretHash } from '../../../platform/http/session/browserCookies.js'
import { authorTag } from '../../../platform/http/session/csrf.js'
import { withoutSecrets } from '../../../platform/http/session/secretFields.js'
import { config } from '../../../platform/process/config.js'
import { guestReportId, guestReportMinutes, guestReportPrefix } from '../../../vocabulary/guestReports.js'
import type { Idempotency } from '../../../vocabulary/people/actor.js'
import { KeyReused, ValidationFailed } from '../../../vocabulary/validation.js'
import { claimGuestReport, type GuestReport, guestReport, keepGuestReport } from '../../acts/guestReports.js'
import { reportIncident } from '../../acts/reportIncident.js'
import type { Report } from '../../model/entity.js'
import type { StagedPhoto } from '../../model/photos/photos.js'
import { CarriedPhotoIds, mayAddPhotos, stageGuestPhotos } from '../postedPhotos.js'
import { reportFormPage, reportPage } from './reportForm.js'
import { ReportForm, reportOf, sameReport } from './reportRequest.js'

/**
 * Reports kept for guests until they sign in, per site. Above it the text travels with the sign-in
 * page and nothing is stored.
 */
const guestReportsLimit = limitOf('guest-reports', 2 * config.throttles.signIn, hour)

/** The page of the report form, which guests may send as well. */
export const reportAddress = '/report'

/**
 * Stores the report a guest has sent, with its photos, for their browser (decision 7.15). Returns
 * the sign-in page that carries it on; null when no more are stored: then that page carries the
 * text itself, so that no one stops another guest. Throws ValidationFailed, which shows the form
 * again.
 */
export async function storeGuestReport(ctx: Context): Promise<string | null> {
  requireWritten(ctx)
  ctx.state.refusal.form = { ...reportFormPage, conflicts: true }
  const browser = ensureGuestSecret(ctx)
  const photos = await stageGuestPhotos(ctx, browser)
  const report = reportOf(input(ctx, ReportForm))
  // After what is wrong with it: a report that is refused and sent again is one.
  if (photos === null || !(await isWithin(guestReportsLimit, clientSite(ctx)))) return null
  const {
    formToken: _token,
    removePhotos: _removed,
    formKey: _key,
    ...form
  } = withoutSecrets(enteredFields(ctx))
  const fields = { ...form, stagedPhotos: photos.map(({ id }) => id) }
  const content = { formKey: keyOfForm(ctx), digest: requestDigest(ctx), fields, report }
  const id = await keepGuestReport(ctx.state.actor, browser, content)
  return id && signInCarrying(id)
}

/** The sign-in page that carries this guest's report. */
const signInCarrying = (reportId: string) => `/sign-in?typed=${guestReportPrefix}${reportId}`

/**
 * Sends what this guest typed before the sign-in, once however often it is asked. Null when it is
 * not there any more, another browser's, or another person's by now. A report that cannot be stored
 * is shown again as it was typed.
 */
export async function sendGuestReport(ctx: Context, user: CurrentUser, id: string): Promise<Answer | null> {
  const browser = guestSecretHash(ctx)
  const report = browser && (await guestReport(id, browser))
  if (!report) return null
  const photoIds = CarriedPhotoIds.parse(report.fields).stagedPhotos
  const staged = await claimGuestReport(ctx.state.actor, browser, { id, photoIds })
  if (!staged) return null
  try {
    return { location: `/incidents/${await reportOnce(ctx, user, report, staged)}`, notice: 'reported' }
  } catch (error) {
    if (!(error instanceof ValidationFailed || error instanceof KeyReused)) throw error
    ctx.state.staged = staged
    ctx.state.signIn.returnTo = undefined
    const { fields } = report
    const extras = { values: fields, notice: 'resumed', path: reportAddress, url: reportAddress }
    // `fields` has no form key, so the page gives the form a new one: this key belongs to the
    // refused report.
    ctx.state.refusal.form = {
      view: reportFormPage.view,
      wording: reportFormPage.wording,
      load: async (at) => ({ ...(await reportPage(at, fields)), ...extras }),
    }
    throw error
  }
}

/** The guest's report that a sign-in carries, if it still waits in this browser. */
export async function carriedGuestReport(
  ctx: Context,
  carriedForm: string | null | undefined,
): Promise<GuestReport | null> {
  const id = guestReportId(carriedForm)
  const browser = guestSecretHash(ctx)
  return id && browser ? guestReport(id, browser) : null
}

/** The title and end of a guest's report that a sign-in carries; null once it has been sent. */
export async function waitingReport(
  ctx: Context,
  carriedForm: string | null | undefined,
): Promise<WaitingReport | null> {
  const report = await carriedGuestReport(ctx, carriedForm)
  if (!report || report.userId !== null) return null
  const end = report.keptAt.getTime() + guestReportMinutes * 60_000
  return { title: String(report.fields.title), keptUntil: new Date(end).toISOString() }
}

/**
 * Where the guest's report is that an earlier sign-in of this user carried and sent, or the page
 * that sends it when it was interrupted; null when there is none.
 */
export async function resumeAgain(
  ctx: Context,
  user: CurrentUser,
  carriedForm: string | null,
): Promise<Answer | null> {
  const report = await carriedGuestReport(ctx, carriedForm)
  if (!report) return null
  if (report.userId === null) return { location: signInCarrying(report.id) }
  return report.userId === user.id ? sendGuestReport(ctx, user, report.id) : null
}

/** A guest's report, and the one with the same words that its author had sent at `sentAt`. */
type SentBefore = Pick<GuestReport, 'fields'> & {
  staged: readonly StagedPhoto[]
  firstId: number
  sentAt: Date
}

async function reportOnce(
  ctx: Context,
  user: CurrentUser,
  { formKey, digest, report, fields }: GuestReport,
  staged: readonly StagedPhoto[],
): Promise<number> {
  const form = fields[sendAnyway] ? undefined : formDigest(sameReport(fields))
  const idempotency: Idempotency = { key: formKey, digest, form }
  const actor = { ...ctx.state.actor, idempotency }
  const act = async () => {
    const wanted = CarriedPhotoIds.parse(fields).stagedPhotos.length
    if (staged.length < wanted) throw new ValidationFailed({ photos: ['photo_staged_gone'] })
    if (!(await mayAddPhotos(ctx, user, staged.length)))
      throw new ValidationFailed({ photos: ['photos_spent'] })
    return (await reportIncident(actor, report as Report, { staged, stored: [] })).incident.id
  }
  const id = await idempotently(actor, act)
  if (idempotency.sentBefore)
    askToSendAgain(ctx, user, { fields, staged, firstId: id, sentAt: idempotency.sentBefore })
  return id
}

/** Throws the same question as after a report sent twice from a signed-in form (decision 9.12). */
function askToSendAgain(
  ctx: Context,
  user: CurrentUser,
  { fields, staged, firstId, sentAt }: SentBefore,
): never {
  ctx.state.refusal.sendInstead = {
    action: reportAddress,
    fields: {
      ...(fields as Record<string, string>),
      writer: authorTag(user.id),
      stagedPhotos: staged.map((photo) => photo.id),
      formKey: randomUUID(),
      [sendAnyway]: 'true',
    },
    label: ctx.state.text.sentBefore.send,
  }
  const first = { location: `/incidents/${firstId}`, sentAt: sentAt.toISOString() }
  throw new Problem(409, 'sent_before', { members: { first } })
}
