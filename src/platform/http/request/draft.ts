import { z } from 'zod'
import { limits } from '../../../vocabulary/limits.js'
import { Problem } from '../answer/problem.js'
import { representationOf, respond } from '../answer/respond.js'
import type { CarriedForm, Context, Middleware } from '../context.js'
import { clientSite, isWithin, limitOf } from '../protection/throttle.js'
import { withoutSecrets } from '../session/authenticate.js'
import { authorTag, requireFormToken } from '../session/csrf.js'
import type { CurrentUser } from '../session/currentUser.js'
import { sessionIdHash } from '../session/sessionCookie.js'
import { formerUser } from '../session/sessionTable.js'
import { body, bodyOf, formWithoutPhotos, isBoundedForm, lengthOf } from './body.js'

const CarriedFormJson: z.ZodType<CarriedForm> = z.object({
  at: z.string().max(200),
  fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  photosKept: z.boolean(),
})

/**
 * Forms read for senders without a session, per site: 60 in 600 s. Above it only small ones are
 * read, without their photos, and none is stored.
 */
const draftLimit = limitOf('resume', 60, 600)

const formWithPhotos = body({ photos: true, token: false })

type Rescue = (ctx: Context, writer: CurrentUser) => Promise<string[]>

/**
 * For `allow`: before a 401, carries a browser's form over to the sign-in page. `rescue` stores
 * photos of the form's author, proven by a session. `keepGuests` keeps a guest's form and returns
 * where to go on; null carries it over, too. Its errors are the answer.
 */
export function carryForm(
  rescue: Rescue,
  keepGuests?: (ctx: Context) => Promise<string | null>,
): (ctx: Context) => Promise<boolean> {
  return async (ctx) => {
    if (representationOf(ctx) === 'json' || !isBoundedForm(ctx)) return false
    let kept: Promise<string | null> | null = null
    try {
      const isCounted = await isWithin(draftLimit, clientSite(ctx))
      if (!isCounted && lengthOf(ctx) > limits.formBytes) return false
      const isGuests = async (form: Record<string, unknown>) => {
        if (!keepGuests || form.writer || !isCounted) return false
        requireFormToken(ctx, bodyOf(ctx))
        kept = keepGuests(ctx)
        // What fails is thrown below; the files are there until then.
        return (await kept.catch(() => '')) !== null
      }
      const photos =
        isCounted && (keepGuests !== undefined || (await formerUser(sessionIdHash(ctx))) !== null)
      await readForm(ctx, photos ? formWithPhotos : formWithoutPhotos, rescue, isGuests)
    } catch (error) {
      // An unreadable or foreign form gets the usual refusal.
      if (!(error instanceof Problem)) throw error
    }
    const location: string | null = await kept
    if (location === null) return false
    await respond(ctx, { location })
    return true
  }
}

async function readForm(
  ctx: Context,
  read: Middleware,
  rescue: Rescue,
  isGuests: (form: Record<string, unknown>) => Promise<boolean>,
): Promise<void> {
  await read(ctx, async () => {
    const { formToken: _formToken, removePhotos: _removed, ...given } = withoutSecrets(bodyOf(ctx))
    if (await isGuests(given)) return
    const former = await formerUser(sessionIdHash(ctx))
    const isTheirs = former !== null && given.writer === authorTag(former.id)
    const fields = { ...given, ...(isTheirs ? { stagedPhotos: await rescue(ctx, former) } : {}) }
    const form = CarriedFormJson.safeParse({ at: ctx.path, fields, photosKept: isTheirs })
    if (form.success) ctx.state.carriedForm = form.data
  })
}

/**
 * The draft a sign-in brought along; null when there is none or another person typed it. What a
 * guest typed on `guestPage` names no one: it is shown to who signs in, who sends it by one press.
 */
export function carriedFormOf(
  carried: string | null | undefined,
  { userId, guestPage }: { userId: number; guestPage: string },
): CarriedForm | null {
  if (!carried) return null
  const read = CarriedFormJson.safeParse(parsed(carried))
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
