import { limits } from '../../../vocabulary/limits.js'
import type { Context, Middleware } from '../context.js'
import { refuseForeign, requireAuthor, requireFormToken } from '../session/csrf.js'
import { signInAgainIfAsked } from '../session/secretFields.js'
import { loadBodyParser, parseThen, parsing, requireReadableType } from './bodyParser.js'
import { isReadAsLarge, type LargeBody, readLargeThen } from './largeBody.js'
import { bodyOf, isForm, refuseDeepNesting, refuseJsonAsForm } from './parsedBody.js'
import { fieldsAlone, readPhotosThen, uploadedFiles } from './uploads.js'

const mostFormBytes = 6 * limits.photoBytes + limits.formBytes

/** The bytes a request says its body has; infinitely many when it says nothing. Browsers say it. */
export const contentLength = (ctx: Context) => Number(ctx.get('Content-Length') || Number.POSITIVE_INFINITY)

/** Whether this is an HTML form that is said to be no larger than a report with its photos. */
export const isBoundedForm = (ctx: Context) => isForm(ctx) && contentLength(ctx) <= mostFormBytes

/** For a form that is only shown again: photos are skipped, and no token is asked for. */
export const formWithoutPhotos = body({ photos: 'skip', token: false })

/**
 * Reads a body into `ctx.request.body`, and, where photos are stored, these into
 * `ctx.state.uploads`; their files are removed after the request. `token` false: asks for no form
 * token, as the form is only shown again.
 */
export function body({
  photos = 'refuse',
  large,
  token = true,
}: {
  photos?: 'store' | 'skip' | 'refuse'
  large?: LargeBody
  token?: boolean
} = {}): Middleware {
  // What it reads beside JSON and simple forms.
  const types = large?.types ?? (photos === 'refuse' ? [] : ['multipart/form-data'])
  let parser: Middleware | undefined
  return async (ctx, next) => {
    refuseForeign(ctx)
    await requireReadableType(ctx, types)
    // Before the reading, which must begin at once when it has seen that the connection is open.
    const makeParser = await loadBodyParser()
    parser ??= makeParser(parsing)
    const checkAndContinue = async () => {
      await checkRead(ctx, large, token)
      await next()
    }
    if (large && isReadAsLarge(ctx, large)) await readLargeThen(large, ctx, checkAndContinue)
    else if (photos === 'store' && ctx.is('multipart'))
      await readPhotosThen(makeParser, parsing, ctx, checkAndContinue)
    else if (photos === 'skip')
      await parseThen(makeParser({ ...parsing, ...fieldsAlone(ctx) }), ctx, checkAndContinue)
    else await parseThen(parser, ctx, checkAndContinue)
  }
}

/** Throws for a body that was read and may not go further; else its fields and files are ready. */
async function checkRead(ctx: Context, large: LargeBody | undefined, token: boolean): Promise<void> {
  if (large?.fields) {
    // Also in what the fields leave out.
    refuseDeepNesting(ctx)
    Object.assign(ctx.request, { body: large.fields(bodyOf(ctx)) })
  }
  refuseJsonAsForm(ctx)
  // The parser also keeps the raw text: twice the memory for nothing.
  Object.assign(ctx.request, { rawBody: undefined })
  refuseDeepNesting(ctx)
  ctx.state.uploads = uploadedFiles(ctx)
  if (token) await checkSender(ctx)
}

/**
 * Checks who sends a body, by its fields: the form token, the author of a form, and the password of
 * a sender who signs in again. Throws Problem.
 */
export async function checkSender(ctx: Context): Promise<void> {
  const fields = bodyOf(ctx)
  requireFormToken(ctx, fields)
  if (isForm(ctx) && !ctx.get('Authorization')) requireAuthor(ctx, fields)
  await signInAgainIfAsked(ctx, fields)
}
