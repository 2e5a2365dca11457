import { randomBytes } from 'node:crypto'
import { config } from '../../process/config.js'
import { hashOf } from '../../process/hashing.js'
import type { Context } from '../context.js'

/** The `__Host-` prefix binds a cookie to this host; browsers accept it over https only. */
export const cookieNamed = (name: string) => (config.https ? `__Host-${name}` : name)
export const cookieAttributes = {
  httpOnly: true,
  sameSite: 'lax',
  signed: true,
  secure: config.https,
} as const

const pendingCookie = cookieNamed('caretaker-code')
const deviceCookie = cookieNamed('caretaker-device')
const providerCookie = cookieNamed('caretaker-oidc')
const guestCookie = cookieNamed('caretaker-guest')
/** By what an email was asked for. */
const addressCookies = {
  signIn: cookieNamed('caretaker-address'),
  follow: cookieNamed('caretaker-follow-address'),
}
const minute = 60_000
/** 400 days: the longest browsers keep a cookie. */
const deviceLife = 400 * 24 * 60 * minute

const cookieOf = (ctx: Context, name: string) => ctx.cookies.get(name, { signed: true }) || null

function hashOfCookie(ctx: Context, name: string): Buffer | null {
  const secret = cookieOf(ctx, name)
  return secret ? hashOf(secret) : null
}

function forget(ctx: Context, name: string): void {
  if (cookieOf(ctx, name)) ctx.cookies.set(name, '', cookieAttributes)
}

const newSecret = () => randomBytes(24).toString('base64url')

/** Binds a sign-in that waits for its code to this browser; returns the hash to store. */
export function bindPendingSignIn(ctx: Context, minutes: number): Buffer {
  const id = newSecret()
  ctx.cookies.set(pendingCookie, id, { ...cookieAttributes, maxAge: minutes * minute })
  return hashOf(id)
}

/** The hash of this browser's pending sign-in, live or not; null without one. */
export const pendingSignInHash = (ctx: Context) => hashOfCookie(ctx, pendingCookie)

/** Forgets this browser's pending sign-in. */
export const unbindPendingSignIn = (ctx: Context) => forget(ctx, pendingCookie)

/** The id by which accounts know this browser, when it sends one. */
export const presentedDevice = (ctx: Context) => cookieOf(ctx, deviceCookie)

/** A random id that this browser keeps, so that an account knows the browsers it was used in. */
export function deviceOfBrowser(ctx: Context): string {
  const device = presentedDevice(ctx) ?? randomBytes(18).toString('base64url')
  ctx.cookies.set(deviceCookie, device, { ...cookieAttributes, maxAge: deviceLife })
  return device
}

/** The key of this browser's ways to the identity provider; null without one. */
export const providerKey = (ctx: Context) => cookieOf(ctx, providerCookie)

/** This browser's key, or a new one, kept for so many seconds from now. */
export function ensureProviderKey(ctx: Context, seconds: number): string {
  const key = providerKey(ctx) ?? newSecret()
  ctx.cookies.set(providerCookie, key, { ...cookieAttributes, maxAge: seconds * 1000 })
  return key
}

/** Takes the key away, so that nothing started with it is accepted again. */
export const forgetProviderKey = (ctx: Context) => forget(ctx, providerCookie)

/** Minutes a browser keeps the secret that binds its guest's texts and links (decision 7.15). */
const guestMinutes = 60

/** The hash of this browser's secret for guests; null without one. */
export const guestSecretHash = (ctx: Context) => hashOfCookie(ctx, guestCookie)

/**
 * The hash of this browser's secret for guests, which is made when there is none. The browser keeps
 * it for an hour from now.
 */
export function ensureGuestSecret(ctx: Context): Buffer {
  const { secret } = secretOfCookie(ctx, guestCookie)
  ctx.cookies.set(guestCookie, secret, { ...cookieAttributes, maxAge: guestMinutes * minute })
  return hashOf(secret)
}

/**
 * Keeps the address that this browser asked for an email to, as long as its secret for guests: the
 * page that asks for the code of a sign-in email, or says that a link to follow is on its way,
 * names it, and no address of a page has to.
 */
export function rememberAskedAddress(ctx: Context, kind: keyof typeof addressCookies, email: string): void {
  const value = Buffer.from(email).toString('base64url')
  ctx.cookies.set(addressCookies[kind], value, { ...cookieAttributes, maxAge: guestMinutes * minute })
}

/** The address that this browser last asked for such an email to; null for none. */
export function askedAddress(ctx: Context, kind: keyof typeof addressCookies): string | null {
  const value = cookieOf(ctx, addressCookies[kind])
  return value === null ? null : Buffer.from(value, 'base64url').toString()
}

/** Once someone has signed in, no one who uses the browser after them reads their address. */
export function forgetAskedAddresses(ctx: Context): void {
  for (const cookie of Object.values(addressCookies)) forget(ctx, cookie)
}

/** By request, the secrets that it has used, by the names of their cookies. */
const secretsInUse = new WeakMap<Context, Map<string, string>>()

/**
 * The secret in this browser's cookie of that name, or a new one for the whole request; `isNew`,
 * the first time that it is asked for. The caller sets the cookie.
 */
export function secretOfCookie(ctx: Context, name: string): { secret: string; isNew: boolean } {
  const inUse = secretsInUse.get(ctx) ?? new Map<string, string>()
  const known = inUse.get(name)
  if (known !== undefined) return { secret: known, isNew: false }
  const sent = cookieOf(ctx, name)
  const secret = sent ?? newSecret()
  secretsInUse.set(ctx, inUse.set(name, secret))
  return { secret, isNew: sent === null }
}
