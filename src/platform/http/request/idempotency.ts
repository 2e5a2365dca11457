import { createHash } from 'node:crypto'
import { Problem } from '../answer/problem.js'
import type { Context, Middleware } from '../context.js'
import { bodyOf } from './body.js'

/** Fields that may differ in a second try; and passwords, as a fast hash could be cracked. */
const incidental = new Set(['formKey', 'formToken', 'password', 'currentPassword'])

/** Takes the Idempotency-Key or form key, with the request's digest (decision 2.14). Throws 400. */
export function idempotent(): Middleware {
  return async (ctx, next) => {
    const key = ctx.get('Idempotency-Key') || bodyOf(ctx).formKey
    if (key) ctx.state.actor.idempotency = { key: checked(key), digest: requestDigest(ctx) }
    return next()
  }
}

function checked(key: unknown): string {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) throw new Problem(400, 'bad_request')
  return key
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : Number(a > b))

/** A digest of the request's address, fields and files. */
export function requestDigest(ctx: Context): string {
  const fields = Object.entries(bodyOf(ctx)).filter(([name]) => !incidental.has(name))
  const hash = createHash('sha256').update(`${ctx.method} ${ctx.path} ${JSON.stringify(fields.sort(byName))}`)
  for (const file of ctx.state.uploads) hash.update(file.hash)
  return hash.digest('base64url')
}
