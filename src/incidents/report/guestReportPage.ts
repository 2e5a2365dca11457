import { randomUUID } from 'node:crypto'
import { carriedAs, guestReportId } from '../../accounts/signIn/carriedForm.js'
import { idempotently } from '../../platform/db/idempotently.js'
import type { Answer } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import { digestOf } from '../../platform/http/request/idempotency.js'
import { input, typedIn } from '../../platform/http/request/input.js'
import { requireWritten } from '../../platform/http/request/receivedFiles.js'
import {
  clientNetwork,
  countOrRefuse,
  guestReportsLimit,
  mayAddPhotos,
} from '../../platform/http/request/throttle.js'
import { bindGuest, guestOf } from '../../platform/http/session/browserCookies.js'
import { withoutSecrets } from '../../platform/http/session/signInAgain.js'
import type { CurrentUser } from '../../platform/http/session/user.js'
import { KeyReused, ValidationFailed } from '../../vocabulary/validation.js'
import { keepForGuest, StagedPhotos } from '../photos/page.js'
import { type GuestReport, guestReport } from './guestReport.js'
import { claimGuestReport, keepGuestReport } from './guestReports.js'
import { reportPage } from './page.js'
import { type Report, reportIncident } from './reportIncident.js'
import { placed, ReportForm } from './reportRequest.js'

/**
 * Keeps the report a guest has sent, with its photos, for their browser (decision 7.15). Returns the sign-in page that
 * carries it on. Throws ValidationFailed, which shows the form again, Conflict, 429.
 */
export async function keepReport(ctx: Context): Promise<string> {
  requireWritten(ctx)
  ctx.state.form = { view: 'incidents/new', load: reportPage, conflicts: true }
  const browser = bindGuest(ctx)
  const photos = await keepForGuest(ctx, browser)
  const report = placed(input(ctx, ReportForm))
  // After what is wrong with it: a report that is refused and sent again is one.
  await countOrRefuse(guestReportsLimit, clientNetwork(ctx))
  const { formToken: _token, removePhotos: _removed, formKey, ...typed } = withoutSecrets(typedIn(ctx))
  const fields = { ...typed, stagedPhotos: photos.map(({ id }) => id) }
  const kept = { formKey: keyFrom(formKey), digest: digestOf(ctx), fields, report }
  return `/sign-in?typed=${carriedAs}${await keepGuestReport(ctx.state.actor, browser, kept)}`
}

function keyFrom(given: unknown): string {
  return typeof given === 'string' && /^[\x21-\x7e]{1,255}$/.test(given) ? given : randomUUID()
}

/**
 * Sends what this guest typed before the sign-in, once however often it is asked. Null when it is not there any more,
 * another browser's, or another person's by now. A report that cannot be stored is shown again as it was typed.
 */
export async function sendKept(ctx: Context, user: CurrentUser, id: string): Promise<Answer | null> {
  const browser = guestOf(ctx)
  const kept = browser && (await guestReport(id, browser))
  if (!kept) return null
  const photoIds = StagedPhotos.parse(kept.fields).stagedPhotos
  const staged = await claimGuestReport(ctx.state.actor, browser, { id, photoIds })
  if (!staged) return null
  try {
    return { location: `/incidents/${await reportOnce(ctx, user, kept, staged)}`, notice: 'reported' }
  } catch (error) {
    if (!(error instanceof ValidationFailed || error instanceof KeyReused)) throw error
    ctx.state.staged = staged
    ctx.state.goesOn = undefined
    ctx.state.form = { view: 'incidents/new', load: (at) => asTyped(at, kept) }
    throw error
  }
}

/** Whether the guest's report that a sign-in carries still waits for it in this browser. */
export async function isKeptHere(ctx: Context, typed: string | null | undefined): Promise<boolean> {
  const [id, browser] = [guestReportId(typed), guestOf(ctx)]
  return id !== null && browser !== null && (await guestReport(id, browser)) !== null
}

/**
 * Where the guest's report is that an earlier sign-in of this user carried and sent, or the page that sends it when it
 * was interrupted; null when there is none.
 */
export async function sentBefore(
  ctx: Context,
  user: CurrentUser,
  typed: string | null,
): Promise<Answer | null> {
  const [id, browser] = [guestReportId(typed), guestOf(ctx)]
  const kept = id && browser && (await guestReport(id, browser))
  if (!kept) return null
  if (kept.userId === null) return { location: `/sign-in?typed=${carriedAs}${kept.id}` }
  return kept.userId === user.id ? sendKept(ctx, user, kept.id) : null
}

async function reportOnce(
  ctx: Context,
  user: CurrentUser,
  { formKey, digest, report, fields }: GuestReport,
  staged: NonNullable<Awaited<ReturnType<typeof claimGuestReport>>>,
): Promise<number> {
  const actor = { ...ctx.state.actor, idempotency: { key: formKey, digest } }
  const again = async (madeId: number) => madeId
  const act = async () => {
    const wanted = StagedPhotos.parse(fields).stagedPhotos.length
    if (staged.length < wanted) throw new ValidationFailed({ photos: ['photo_staged_gone'] })
    if (!(await mayAddPhotos(ctx, user, staged.length)))
      throw new ValidationFailed({ photos: ['photos_spent'] })
    return (await reportIncident(actor, report as Report, { staged, stored: [] })).incident.id
  }
  return idempotently(actor, act, again)
}

/** The report form as it was typed before the sign-in, with what is wrong with it now. Its key is a new one. */
async function asTyped(ctx: Context, { fields }: GuestReport): Promise<Record<string, unknown>> {
  const shown = { values: fields, notice: 'resumed', path: '/report', url: '/report' }
  return { ...(await reportPage(ctx, fields)), ...shown }
}
