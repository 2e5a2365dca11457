import type { Context } from '../context.js'
import { Problem } from '../problem.js'

/** The parsed body as an object. Throws 400 for any other JSON. */
export function bodyOf(ctx: Context): Record<string, unknown> {
  const { body } = ctx.request as { body?: unknown }
  if (body === undefined || body === '') return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem(400, 'malformed_body')
  return body as Record<string, unknown>
}

/** Whether the fields came from an HTML form, where every value is text. */
export function isForm(ctx: Context): boolean {
  return Boolean(ctx.is('urlencoded', 'multipart'))
}

/** Levels of nesting; code that recurses into a body relies on this limit. */
const deepest = 50

/** Throws 400 for a body nested too deeply; checks it level by level, without recursion. */
export function refuseDeepNesting(ctx: Context): void {
  let level: unknown[] = [bodyOf(ctx)]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw new Problem(400, 'malformed_body')
    level = level.flatMap((box) => (Array.isArray(box) ? box : Object.values(box as object)).filter(isBox))
  }
}

const isBox = (value: unknown) => typeof value === 'object' && value !== null

/** JSON sent as a form, as curl does without a type, would be one field with a strange name. */
export function refuseJsonAsForm(ctx: Context): void {
  const [field = ''] = Object.keys(bodyOf(ctx))
  if (ctx.is('urlencoded') && /^\s*[[{]/.test(field)) throw new Problem(422, 'type_missing')
}
