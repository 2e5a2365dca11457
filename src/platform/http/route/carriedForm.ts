import { z } from 'zod'
import { limits } from '../../../vocabulary/limits.js'
import { respond } from '../answer/respond.js'
import type { CarriedForm, Context, Middleware } from '../context.js'
import type { CurrentUser } from '../currentUser.js'
import { Problem } from '../problem.js'
import { isWithin, limitOf } from '../protection/actCounters.js'
import { clientSite } from '../protection/clientNetwork.js'
import { representationOf } from '../representation.js'
import { body, formWithoutPhotos, isBoundedForm, lengthOf } from '../request/body.js'
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

/**
 * For `allow`: before a 401, carries a browser's form over to the sign-in page. `stagePhotos`
 * stores photos of the form's author, proven by a session. `storeGuestForm` stores a guest's form
 * and returns where to go on; null carries it over, too. Its errors are the answer.
 */
export function carryForm(
  stagePhotos: StagePhotos,
  storeGuestForm?: (ctx: Context) => Promise<string | null>,
): (ctx: Context) => Promise<boolean> {
  return async (ctx) => {
    if (representationOf(ctx) === 'json' || !isBoundedForm(ctx)) return false
    let storing: Promise<string | null> | null = null
    try {
      const isCounted = await isWithin(carriedFormLimit, clientSite(ctx))
      if (!isCounted && lengthOf(ctx) > limits.formBytes) return false
      const storeIfGuests = async (form: Record<string, unknown>) => {
        if (!storeGuestForm || form.writer || !isCounted) return false
        requireFormToken(ctx, bodyOf(ctx))
        storing = storeGuestForm(ctx)
        // What fails is thrown below; the files are there until then.
        return (await storing.catch(() => '')) !== null
      }
      const photos =
        isCounted && (storeGuestForm !== undefined || (await formerUser(sessionIdHash(ctx))) !== null)
      await readForm(ctx, photos ? formWithPhotos : formWithoutPhotos, stagePhotos, storeIfGuests)
    } catch (error) {
      // An unreadable or foreign form gets the usual refusal.
      if (!(error instanceof Problem)) throw error
    }
    const location: string | null = await storing
    if (location === null) return false
    await respond(ctx, { location })
    return true
  }
}

/** Reads the form, and leaves it in `ctx.state.signIn` unless it is stored as a guest's. */
async function readForm(
  ctx: Context,
  read: Middleware,
  stagePhotos: StagePhotos,
  storeIfGuests: (form: Record<string, unknown>) => Promise<boolean>,
): Promise<void> {
  await read(ctx, async () => {
    const { formToken: _formToken, removePhotos: _removed, ...form } = withoutSecrets(bodyOf(ctx))
    if (await storeIfGuests(form)) return
    const former = await formerUser(sessionIdHash(ctx))
    const isOwn = former !== null && form.writer === authorTag(former.id)
    const fields = { ...form, ...(isOwn ? { stagedPhotos: await stagePhotos(ctx, former) } : {}) }
    const carried = CarriedFormJson.safeParse({ at: ctx.path, fields, photosKept: isOwn })
    if (carried.success) ctx.state.signIn.carriedForm = carried.data
  })
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
