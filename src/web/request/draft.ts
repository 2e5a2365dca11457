import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { config } from '../../config.js'
import { limits } from '../../domain/system/limits.js'
import { formerUser as userOfSession } from '../../models/accounts/session.js'
import type { CurrentUser } from '../../models/accounts/user.js'
import type { Limit } from '../../models/system/throttle.js'
import { Problem } from '../answer/problem.js'
import { representationOf } from '../answer/respond.js'
import type { Context, Middleware } from '../context.js'
import { sessionId } from '../session/sessions.js'
import { withoutSecrets } from '../session/signInAgain.js'
import { body, bodyOf, isForm } from './body.js'
import { clientNetwork, countOrRefuse } from './throttle.js'

/**
 * What a browser's form brought after its sender's session had ended: where it was sent and its fields. It goes to the
 * sign-in page as one hidden field and comes back with the sign-in. It is stored nowhere, but for the ten minutes in which
 * the code of a second factor may be asked for.
 */
const Typed = z.object({
  at: z.string().max(200),
  fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  photosKept: z.boolean(),
})
export type Typed = z.output<typeof Typed>

/** Whose form it is: a mark of its own for each person, so that what one typed is shown again to nobody else. */
export function authorTag(userId: number): string {
  return createHmac('sha256', config.sessionSecret).update(`writer:${userId}`).digest('base64url')
}

/** Reading what nobody signed in has sent is a favour: so many times per network. */
const draftLimit: Limit = { name: 'resume', points: 60, seconds: 600 }
const mostBytes = 6 * limits.photoBytes + limits.formBytes

const withPhotos = body({ photos: true, token: false })
const withoutPhotos = body({ photos: 'dropped', token: false })

/**
 * For `allow`: before it refuses a browser's form, takes what was typed along to the sign-in page. Photos are kept, by
 * `rescue`, only for somebody whose session this browser really had and whose form it is. JSON and machines are refused
 * unread, as ever.
 */
export function keepTyped(
  rescue: (ctx: Context, writer: CurrentUser) => Promise<string[]>,
): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    if (representationOf(ctx) === 'json' || !isForm(ctx) || !isBounded(ctx)) return
    try {
      await countOrRefuse(draftLimit, clientNetwork(ctx))
      await readTyped(ctx, rescue)
    } catch (error) {
      // What cannot be read, or comes from another site, is refused like anything else from a stranger.
      if (!(error instanceof Problem)) throw error
    }
  }
}

async function readTyped(
  ctx: Context,
  rescue: (ctx: Context, writer: CurrentUser) => Promise<string[]>,
): Promise<void> {
  const former = await formerUser(ctx)
  const read = former ? withPhotos : withoutPhotos
  await (read as Middleware)(ctx, async () => {
    const { formToken: _formToken, removePhotos: _removed, ...given } = withoutSecrets(bodyOf(ctx))
    const isTheirs = former !== null && given.writer === authorTag(former.id)
    const fields = { ...given, ...(isTheirs ? { stagedPhotos: await rescue(ctx, former) } : {}) }
    const typed = Typed.safeParse({ at: ctx.path, fields, photosKept: isTheirs })
    if (typed.success) ctx.state.typed = typed.data
  })
}

/** Browsers say how long a form is; what does not, or is longer than a report may be, is not read. */
function isBounded(ctx: Context): boolean {
  return Number(ctx.get('Content-Length') || Number.POSITIVE_INFINITY) <= mostBytes
}

/** Whose session this browser's cookie once opened, if it is still known: past its life, idle too long, or ended by them. */
async function formerUser(ctx: Context): Promise<CurrentUser | null> {
  const id = sessionId(ctx)
  return id && userOfSession(id)
}

/** What a sign-in brought along for this person; null when nothing, or when somebody else typed it. */
export function draftOf(carried: string | null | undefined, userId: number): Typed | null {
  if (!carried) return null
  const read = Typed.safeParse(parsed(carried))
  return read.success && read.data.fields.writer === authorTag(userId) ? read.data : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
