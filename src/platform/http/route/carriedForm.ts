import { z } from 'zod'
import { limits } from '../../../vocabulary/limits.js'
import { respond } from '../answer/respond.js'
import type { CarriedForm, Context } from '../context.js'
import type { CurrentUser } from '../currentUser.js'
import { Problem } from '../problem.js'
import { isWithin, limitOf } from '../protection/actCounters.js'
import { clientSite } from '../protection/clientNetwork.js'
import { representationOf } from '../representation.js'
import { body, contentLength, formWithoutPhotos, isBoundedForm } from '../request/body.js'
import { bodyOf } from '../request/parsedBody.js'
import { authorTag, requireFormToken } from '../session/csrf.js'
import { withoutSecrets } from '../session/secretFields.js'
import { sessionIdHash } from '../session/sessionCookie.js'
import { formerUser } from '../session/sessionTable.js'

const CarriedFormJson: z.ZodType<CarriedForm> = z.object({
  at: z.string().max(200),
  fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  photosKept: z.boolean(),
})

/**
 * Forms read for senders without a session, per site: 60 in 600 s. Above it only small ones are
 * read, without their photos, and none is stored.
 */
const carriedFormLimit = limitOf('resume', 60, 600)

const formWithPhotos = body({ photos: 'store', token: false })

/** Stores the photos of a form for the person who wrote it, and returns their ids. */
type StagePhotos = (ctx: Context, writer: CurrentUser) => Promise<string[]>

/** Stores a guest's form and returns where to go on; null when it is not to be stored. */
type StoreGuestForm = (ctx: Context) => Promise<string | null>

/** What became of a guest's form. `refused`: its error is the answer. */
type GuestForm = { as: 'notStored' } | { as: 'stored'; location: string } | { as: 'refused'; error: unknown }

/**
 * For `allow`: before a 401, stores the form of a guest where `storeGuestForm` does, and carries
 * any other over to the sign-in page. Returns whether it has answered. `stagePhotos` stores photos
 * of the form's author, proven by a session.
 */
export function carryForm(
  stagePhotos: StagePhotos,
  storeGuestForm?: StoreGuestForm,
): (ctx: Context) => Promise<boolean> {
  return async (ctx) => {
    if (representationOf(ctx) === 'json' || !isBoundedForm(ctx)) return false
    const isWithinLimit = await isWithin(carriedFormLimit, clientSite(ctx))
    if (!isWithinLimit && contentLength(ctx) > limits.formBytes) return false
    const storesGuests = isWithinLimit ? storeGuestForm : undefined
    let guestForm = { as: 'notStored' } as GuestForm
    try {
      const read = (await mayHavePhotos(ctx, isWithinLimit, storesGuests))
        ? formWithPhotos
        : formWithoutPhotos
      // Its files are there until this is done.
      await read(ctx, async () => {
        const form = fieldsToCarry(ctx)
        if (storesGuests && !form.writer) guestForm = await storeFormOfGuest(ctx, storesGuests)
        if (guestForm.as === 'notStored') await carryOver(ctx, form, stagePhotos)
      })
    } catch (error) {
      // An unreadable or foreign form gets the usual refusal.
      if (!(error instanceof Problem)) throw error
    }
    if (guestForm.as === 'refused') throw guestForm.error
    if (guestForm.as === 'notStored') return false
    await respond(ctx, { location: guestForm.location })
    return true
  }
}

/** Photos are read for guests whose form is stored, and for whoever had a session. */
async function mayHavePhotos(
  ctx: Context,
  isWithinLimit: boolean,
  storesGuests: StoreGuestForm | undefined,
): Promise<boolean> {
  if (!isWithinLimit) return false
  return storesGuests !== undefined || (await formerUser(sessionIdHash(ctx))) !== null
}

/** Throws 403 for another site's form. What fails in the storing is kept apart from that. */
async function storeFormOfGuest(ctx: Context, store: StoreGuestForm): Promise<GuestForm> {
  requireFormToken(ctx, bodyOf(ctx))
  try {
    const location = await store(ctx)
    return location === null ? { as: 'notStored' } : { as: 'stored', location }
  } catch (error) {
    return { as: 'refused', error }
  }
}

/** The fields of the form, without secrets and without what is only of the page that sent it. */
function fieldsToCarry(ctx: Context): Record<string, unknown> {
  const { formToken: _formToken, removePhotos: _removed, ...form } = withoutSecrets(bodyOf(ctx))
  return form
}

/** Leaves the form in `ctx.state.signIn`, with the photos of whoever wrote it. */
async function carryOver(
  ctx: Context,
  form: Record<string, unknown>,
  stagePhotos: StagePhotos,
): Promise<void> {
  const former = await formerUser(sessionIdHash(ctx))
  const isOwn = former !== null && form.writer === authorTag(former.id)
  const stagedPhotos = isOwn ? await stagePhotos(ctx, former) : undefined
  const fields = stagedPhotos === undefined ? form : { ...form, stagedPhotos }
  const photosKept = isOwn || !(ctx.state.refusal.hadPhotos || ctx.state.uploads.length > 0)
  const carried = CarriedFormJson.safeParse({ at: ctx.path, fields, photosKept })
  if (carried.success) ctx.state.signIn.carriedForm = carried.data
}

/**
 * The form that a sign-in carries, read from its JSON; null when it is none or another person
 * typed it. What a guest typed on `guestPage` names no one: it is shown to who signs in, who sends
 * it by one press.
 */
export function readCarriedForm(
  carriedForm: string | null | undefined,
  { userId, guestPage }: { userId: number; guestPage: string },
): CarriedForm | null {
  if (!carriedForm) return null
  const read = CarriedFormJson.safeParse(parsed(carriedForm))
  if (!read.success) return null
  const { at, fields } = read.data
  const isGuests = at === guestPage && !fields.writer
  return isGuests || fields.writer === authorTag(userId) ? read.data : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
