import { createHash, randomUUID } from 'node:crypto'
import type { Context, Middleware } from '../context.js'
import { featureHooks } from '../featureHooks.js'
import { Problem } from '../problem.js'
import { representationOf } from '../representation.js'
import { bodyOf, isForm } from './parsedBody.js'

/** Fields that may differ in a second try; and passwords, as a fast hash could be cracked. */
const incidental = new Set(['formKey', 'formToken', 'password', 'currentPassword'])

/**
 * Fields of any form that are others when its page is fetched again, or secret; those of features
 * are in `formFields`.
 */
const notContent = new Set([
  ...incidental,
  'writer',
  'version',
  'shown',
  'previewSnapshot',
  'stagedPhotos',
  'removePhotos',
])

/** The field by which a person sends all the same what they have sent before (decision 9.12). */
export const sendAnyway = 'sendAnyway'

/** What makes two forms the same; by default everything that was typed or chosen. */
export type SameForm = (fields: Record<string, unknown>) => unknown

/**
 * Takes the Idempotency-Key or form key, with the request's digest (decision 2.14), and a digest of
 * what a person typed into a form (decision 9.12). Throws 400.
 */
export function idempotent(sameForm?: SameForm): Middleware {
  return async (ctx, next) => {
    const fields = bodyOf(ctx)
    const isPage = isForm(ctx) && representationOf(ctx) !== 'json'
    const asks = isPage && !fields[sendAnyway]
    const readContent = () => (sameForm ? sameForm(fields) : typedFields(ctx.path, fields))
    const form = asks ? formDigest(readContent()) : undefined
    const key = ctx.get('Idempotency-Key') || fields.formKey || (form && randomUUID())
    if (key) ctx.state.actor.idempotency = { key: requireValidKey(key), digest: requestDigest(ctx), form }
    return next()
  }
}

/** A form that says nothing of its own is a button, and may be pressed again. */
function typedFields(path: string, fields: Record<string, unknown>): unknown {
  const { writtenByPage } = featureHooks.registered().formFields
  const isContent = (name: string) => !notContent.has(name) && !writtenByPage.includes(name)
  const entries = Object.entries(fields).filter(([name, value]) => isContent(name) && value !== '')
  if (entries.length === 0) return null
  return [path, entries.map(([name, value]): [string, unknown] => [name, trimmed(value)]).sort(byName)]
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().replace(/\s+/g, ' ') : value
}

/** A digest of what a form says; undefined when it says nothing. */
export function formDigest(content: unknown): string | undefined {
  if (content === null) return undefined
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url')
}

function requireValidKey(key: unknown): string {
  if (!isValidKey(key)) throw new Problem(400, 'bad_request')
  return key
}

const isValidKey = (key: unknown): key is string =>
  typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)

/** The one-time key of a form that is no request of its sender's session; a new one without. */
export function keyOfForm(ctx: Context): string {
  const { formKey } = bodyOf(ctx)
  return isValidKey(formKey) ? formKey : randomUUID()
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : Number(a > b))

/** A digest of the request's address, fields and files. */
export function requestDigest(ctx: Context): string {
  const fields = Object.entries(bodyOf(ctx)).filter(([name]) => !incidental.has(name) && name !== sendAnyway)
  const hash = createHash('sha256').update(`${ctx.method} ${ctx.path} ${JSON.stringify(fields.sort(byName))}`)
  for (const file of ctx.state.uploads) hash.update(file.hash)
  return hash.digest('base64url')
}
