import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Problem } from '../answer/problem.js'
import type { Context, Middleware } from '../context.js'
import { bodyOf } from './body.js'

/**
 * Fields that may differ between two sendings of the same form; and passwords, of which a quick digest in a table would
 * be worth guessing at.
 */
const incidental = new Set(['formKey', 'formToken', 'password', 'currentPassword'])

/** Takes the Idempotency-Key header, or a form's one-time key, and a digest of what is asked with it (decision 2.14). */
export function idempotent(): Middleware {
  return async (ctx, next) => {
    const key = ctx.get('Idempotency-Key') || bodyOf(ctx).formKey
    if (key) ctx.state.actor.idempotency = { key: checked(key), digest: await digestOf(ctx) }
    return next()
  }
}

function checked(key: unknown): string {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) throw new Problem(400, 'bad_request')
  return key
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : Number(a > b))

async function digestOf(ctx: Context): Promise<string> {
  const hash = createHash('sha256')
  const fields = Object.entries(bodyOf(ctx)).filter(([name]) => !incidental.has(name))
  hash.update(`${ctx.method} ${ctx.path} ${JSON.stringify(fields.sort(byName))}`)
  for (const file of ctx.state.uploads)
    for await (const chunk of createReadStream(file.path)) hash.update(chunk)
  return hash.digest('base64url')
}
