import { limits } from '../../../vocabulary/limits.js'
import type { Context } from '../context.js'
import { sentBefore } from '../session/signInAgain.js'
import { body, isForm } from './body.js'
import { typedIn } from './input.js'

/** What a page needs to send a form again as it was typed. `said`: the texts among the fields, to be read and copied. */
export type TypedAgain = { fields: [name: string, value: string][]; said: string[]; withoutPhotos: boolean }

const texts = ['title', 'description', 'body']
const mostBytes = 6 * limits.photoBytes + limits.formBytes
const unread = body({ photos: 'dropped', token: false })

/**
 * A browser's form that met a service which is away; read here when nobody had come to that. Null for what is no
 * form, comes from another site, or has a secret in it, which no page may show.
 */
export async function typedAgain(ctx: Context): Promise<TypedAgain | null> {
  if (ctx.method !== 'POST' || !isForm(ctx)) return null
  const isBounded = Number(ctx.get('Content-Length') || Number.POSITIVE_INFINITY) <= mostBytes
  const { body: read } = ctx.request as { body?: unknown }
  if (read === undefined && isBounded) await Promise.resolve(unread(ctx, async () => {})).catch(() => {})
  const typed = typedIn(ctx)
  const { kept, askedAgain } = sentBefore(typed)
  const secret = askedAgain.length > 0 || kept.some(([name]) => /secret|password|token/i.test(name))
  if (kept.length === 0 || secret) return null
  const token =
    typeof typed.formToken === 'string' ? [['formToken', typed.formToken] as [string, string]] : []
  const said = texts.map((name) => typed[name]).filter((value) => typeof value === 'string' && value !== '')
  return { fields: [...token, ...kept], said: said as string[], withoutPhotos: Boolean(ctx.is('multipart')) }
}
