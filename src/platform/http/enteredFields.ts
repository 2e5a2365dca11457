import type { Context } from './context.js'

/** The fields of the body, only to be shown again: texts, numbers, booleans and lists of them. */
export function enteredFields(ctx: Context): Record<string, unknown> {
  const { body } = ctx.request as { body?: unknown }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => [value].flat().every((each) => typeof each !== 'object')),
  )
}
