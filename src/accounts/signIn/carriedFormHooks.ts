import type { Answer } from '../../platform/http/answer/respond.js'
import type { Context } from '../../platform/http/context.js'
import type { CurrentUser } from '../../platform/http/currentUser.js'
import { extensionPoint } from '../../platform/process/extensionPoint.js'

/** A report that is not sent yet, as a page names it. `keptUntil`: when it is deleted otherwise. */
export type WaitingReport = { title: string; keptUntil: string }

/** What becomes of a form that was typed before a sign-in: the feature whose form it is knows. */
export type CarriedForms = {
  /** The page whose form guests may send as well: it carries no name. */
  guestPage: string
  /** The page or redirect after the sign-in; null when it carried no form of this user. */
  resume(ctx: Context, user: CurrentUser, carriedForm: string | null | undefined): Promise<Answer | null>
  /** The guest's report that a sign-in carries, while it waits for it in this browser. */
  waitingReport(ctx: Context, carriedForm: string | null | undefined): Promise<WaitingReport | null>
  /** Where the report is that an earlier sign-in of this user sent; null when there is none. */
  resumeAgain(ctx: Context, user: CurrentUser, carriedForm: string | null): Promise<Answer | null>
}

/** How forms that were typed before a sign-in go on after it. */
export const carriedForms = extensionPoint<CarriedForms>('forms carried through a sign-in')
