import type { CarriedForm, Context } from '../context.js'

/** Milliseconds that a form waits for the press that sends it. */
const draftMs = 3_600_000

/** A form that a sign-in has brought back, in its session. `since`: as `Date.now()`. */
export type FormDraft = CarriedForm & { since: number }

/**
 * Keeps a form that was sent after its session had ended, so that its own page shows it again, also
 * after a reload. One at a time; it is gone with the session.
 */
export function keepDraft(ctx: Context, form: CarriedForm): void {
  if (ctx.session) ctx.session.draft = { ...form, since: Date.now() } satisfies FormDraft
}

/** The form that waits to be sent to this address, for an hour; null when there is none. */
export function draftFor(ctx: Context, address: string): FormDraft | null {
  const draft = ctx.session?.draft as FormDraft | undefined
  return draft?.at === address && Date.now() - draft.since < draftMs ? draft : null
}

/** Forgets the form that waits to be sent to this address: it was sent. */
export function dropDraft(ctx: Context, address: string): void {
  if (ctx.session && draftFor(ctx, address)) delete ctx.session.draft
}
