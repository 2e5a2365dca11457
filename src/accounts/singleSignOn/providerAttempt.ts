import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '../../platform/http/context.js'
import { localPath } from '../../platform/http/paths.js'
import { ensureProviderKey, providerKey } from '../../platform/http/session/browserCookies.js'
import { config, publicAddress } from '../../platform/process/config.js'
import { equalTexts } from '../../platform/process/hashing.js'
import { maxId } from '../../vocabulary/limits.js'

/** Seconds someone may take at the identity provider. */
const attemptLife = 900
/** Characters of a path to return to: it travels in the address, which providers limit. */
const longestNext = 1_000

const key = createHmac('sha256', config.sessionSecret).update('single sign-on').digest()
const mac = (text: string) => createHmac('sha256', key).update(text).digest('base64url')

/**
 * An attempt as its `state` carries it. These fields stay as they are, so that an attempt begun
 * before an update still ends after it.
 */
const State = z.object({
  id: z.string(),
  /** When it began, in epoch seconds. */
  at: z.int(),
  next: z.string().nullable(),
  again: z.boolean(),
  link: z.boolean(),
  userId: z.int().min(1).max(maxId).nullable(),
})

/**
 * What a way to the provider and back is for, and the path to go to then. The account that is
 * signed in, `userId`, signs in again there or links the identity to itself.
 */
export type AttemptPurpose = { next: string | null } & (
  | { kind: 'signIn' }
  | { kind: 'signInAgain' | 'link'; userId: number }
)

/** The address providers lead back to, as it is registered there. */
export const callbackPath = '/sign-in/oidc/callback'

/**
 * Starts a way to the provider. Nothing is stored: `state` carries the purpose, signed; nonce and
 * PKCE verifier follow from it and a cookie of this browser, so that no other browser can end it.
 */
export function beginAttempt(ctx: Context, input: AttemptPurpose) {
  const next = input.next !== null && input.next.length <= longestNext ? input.next : null
  const purpose = { ...input, next }
  const at = Math.floor(Date.now() / 1000)
  const id = randomBytes(16).toString('base64url')
  const state = JSON.stringify({
    id,
    at,
    next,
    again: purpose.kind === 'signInAgain',
    link: purpose.kind === 'link',
    userId: purpose.kind === 'signIn' ? null : purpose.userId,
  } satisfies z.output<typeof State>)
  const browser = ensureProviderKey(ctx, attemptLife)
  const text = Buffer.from(state).toString('base64url')
  return attemptOf(`${text}.${mac(`state:${browser}:${text}`)}`, browser, purpose)
}

/** This browser's attempt that `state` belongs to; null when over, another browser's or forged. */
export function attemptBehind(ctx: Context, state: string): ReturnType<typeof attemptOf> | null {
  const browser = providerKey(ctx)
  const [text = '', sealed = ''] = state.split('.')
  if (!browser || !equalTexts(sealed, mac(`state:${browser}:${text}`))) return null
  const { at, ...carried } = State.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  if (Date.now() / 1000 > at + attemptLife) return null
  return attemptOf(state, browser, purposeOf(carried))
}

function purposeOf({ next: path, link, userId }: Omit<z.output<typeof State>, 'at'>): AttemptPurpose {
  const next = localPath(path)
  if (userId === null) return { next, kind: 'signIn' }
  return { next, kind: link ? 'link' : 'signInAgain', userId }
}

function attemptOf(state: string, browser: string, purpose: AttemptPurpose) {
  return {
    state,
    nonce: mac(`nonce:${browser}:${state}`),
    verifier: mac(`verifier:${browser}:${state}`),
    redirectUri: publicAddress() + callbackPath,
    ...purpose,
  }
}
