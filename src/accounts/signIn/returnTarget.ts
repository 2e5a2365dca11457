import { z } from 'zod'
import { localPath } from '../../platform/http/paths.js'
import { readCarriedForm } from '../../platform/http/route/carriedForm.js'
import { guestReportId } from '../../vocabulary/guestReports.js'
import type { ProviderProof } from '../../vocabulary/people/identity.js'
import { carriedForms } from './carriedFormHooks.js'

/**
 * How a sign-in ends. `next`: the path of this site to go to. `carriedForm`: the form filled in
 * before, as it travels. `notice`: of the page. `proof`: of the identity the sign-in is by.
 */
export type ReturnTarget = {
  next: string | null
  carriedForm: string | null | undefined
  notice?: string
  proof?: ProviderProof | null
}

/** Where a sign-in leads, as addresses have it: a path of ours and, in `typed`, a carried form. */
export const ReturnQuery = z.object({
  next: z.string('not_acceptable').optional(),
  typed: z.string('not_acceptable').optional(),
})

/** The same, to be written: of carried forms, only a guest's report is carried in an address. */
export function returnQuery({
  next,
  carriedForm,
}: {
  next?: string | null | undefined
  carriedForm?: string | null | undefined
}): { next?: string; typed?: string } {
  const path = localPath(next)
  const isGuestReport = carriedForm && guestReportId(carriedForm)
  return { ...(path ? { next: path } : {}), ...(isGuestReport ? { typed: carriedForm } : {}) }
}

/**
 * The report or form that this user continues after signing in: a guest's report or their own form;
 * null for anything else.
 */
export function carriedFormOf(carriedForm: string | null | undefined, userId: number): string | null {
  if (!carriedForm) return null
  const { guestPage } = carriedForms.registered()
  const isOwn = guestReportId(carriedForm) ?? readCarriedForm(carriedForm, { userId, guestPage })
  return isOwn ? carriedForm : null
}
