import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../../platform/http/context.js'
import { sessionFormSecret } from '../../platform/http/session/sessionCookie.js'
import { config } from '../../platform/process/config.js'
import { equalTexts } from '../../platform/process/hashing.js'
import { freshMinutes } from '../../vocabulary/people/actor.js'
import { type Claims, claimedAddress } from '../../vocabulary/people/identity.js'

const Offer = z.object({ at: z.int(), iss: z.string(), sub: z.string(), email: z.string().nullable() })

/**
 * A checked identity for a form of this session, which confirms that it is to be linked. Nothing is
 * stored: it is signed for the account and the session, and good for `freshMinutes`.
 */
export function offerLink(ctx: Context, claims: Claims): string {
  const { iss, sub } = claims
  const offer = { at: Date.now(), iss, sub, email: claimedAddress(claims) } satisfies z.output<typeof Offer>
  const text = Buffer.from(JSON.stringify(offer)).toString('base64url')
  return `${text}.${mac(ctx, text)}`
}

/** The identity that was offered; null when the offer is over, another session's or forged. */
export function offeredLink(ctx: Context, offer: string): Claims | null {
  const [text = '', sealed = ''] = offer.split('.')
  if (!equalTexts(sealed, mac(ctx, text))) return null
  const { at, ...claims } = Offer.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  return Date.now() - at > freshMinutes * 60_000 ? null : claims
}

/** The secret of a session's forms outlives a renewal of its id. */
function mac(ctx: Context, text: string): string {
  const whose = `${ctx.state.user!.id}:${sessionFormSecret(ctx)}`
  return createHmac('sha256', config.sessionSecret).update(`link offer:${whose}:${text}`).digest('base64url')
}
