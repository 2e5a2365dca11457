import { Problem } from '../../platform/http/answer/problem.js'
import type { Context } from '../../platform/http/context.js'
import { guestOf } from '../../platform/http/session/browserCookies.js'
import { readSignInLinkToken } from '../../platform/http/session/signInLinkToken.js'

/**
 * What `find` knows of a mailed link, when this browser asked for it (decision 7.15). Throws 404
 * when there is none, 403 in another browser.
 */
export async function linkHere<Link extends { isHere: boolean }>(
  ctx: Context,
  token: string,
  find: (id: string, browser: Buffer | null) => Promise<Link | null>,
): Promise<{ link: Link; id: string; browser: Buffer }> {
  const browser = guestOf(ctx)
  const id = readSignInLinkToken(token)
  const link = id ? await find(id, browser) : null
  // Who is nobody yet asks for another one where this one is refused.
  const isHere = link ? link.isHere : false
  if (!isHere && !ctx.state.user) ctx.state.goesOn = { next: null, typed: null }
  if (!link || !id) throw new Problem(404, 'sign_in_link_over')
  if (!isHere || !browser) throw new Problem(403, 'sign_in_link_elsewhere')
  return { link, id, browser }
}
