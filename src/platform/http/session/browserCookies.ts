import { randomBytes } from 'node:crypto'
import { config } from '../../ops/config.js'
import { hashOf } from '../../ops/sealing.js'
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
const attemptCookie = cookieNamed('caretaker-oidc')
const guestCookie = cookieNamed('caretaker-guest')
const minute = 60_000
/** 400 days: the longest browsers keep a cookie. */
const deviceLife = 400 * 24 * 60 * minute

/** Binds a sign-in that waits for its code to this browser; returns the hash to store. */
export function bindPending(ctx: Context, minutes: number): Buffer {
  const id = randomBytes(24).toString('base64url')
  ctx.cookies.set(pendingCookie, id, { ...cookieAttributes, maxAge: minutes * minute })
  return hashOf(id)
}

/** The hash of this browser's pending sign-in, live or not; null without one. */
export function pendingOf(ctx: Context): Buffer | null {
  const id = ctx.cookies.get(pendingCookie, { signed: true })
  return id ? hashOf(id) : null
}

/** Forgets this browser's pending sign-in. */
export function unbindPending(ctx: Context): void {
  if (pendingOf(ctx)) ctx.cookies.set(pendingCookie, '', cookieAttributes)
}

/** The id by which accounts know this browser, when it sends one. */
export function presentedDevice(ctx: Context): string | null {
  return ctx.cookies.get(deviceCookie, { signed: true }) || null
}

/** A random id that this browser keeps, so that an account knows the browsers it was used in. */
export function deviceOfBrowser(ctx: Context): string {
  const device = presentedDevice(ctx) ?? randomBytes(18).toString('base64url')
  ctx.cookies.set(deviceCookie, device, { ...cookieAttributes, maxAge: deviceLife })
  return device
}

/** The key of this browser's ways to the identity provider; null without one. */
export function attemptKey(ctx: Context): string | null {
  return ctx.cookies.get(attemptCookie, { signed: true }) || null
}

/** This browser's key, or a new one, kept for so many seconds from now. */
export function keptAttemptKey(ctx: Context, seconds: number): string {
  const key = attemptKey(ctx) ?? randomBytes(24).toString('base64url')
  ctx.cookies.set(attemptCookie, key, { ...cookieAttributes, maxAge: seconds * 1000 })
  return key
}

/** Takes the key away, so that nothing started with it is accepted again. */
export function forgetAttempts(ctx: Context): void {
  if (attemptKey(ctx)) ctx.cookies.set(attemptCookie, '', cookieAttributes)
}

/**
 * Minutes a browser keeps the secret that what its guest typed, and links to sign in, are bound to
 * (decision 7.15).
 */
const guestMinutes = 60

/** The hash of this browser's secret for guests; null without one. */
export function guestOf(ctx: Context): Buffer | null {
  const secret = ctx.cookies.get(guestCookie, { signed: true })
  return secret ? hashOf(secret) : null
}

/** The secret that a request gave its guest's browser. */
const given = new WeakMap<Context, string>()

/** The same, made where there is none, and kept for an hour from now. */
export function bindGuest(ctx: Context): Buffer {
  const secret =
    given.get(ctx) || ctx.cookies.get(guestCookie, { signed: true }) || randomBytes(24).toString('base64url')
  given.set(ctx, secret)
  ctx.cookies.set(guestCookie, secret, { ...cookieAttributes, maxAge: guestMinutes * minute })
  return hashOf(secret)
}
