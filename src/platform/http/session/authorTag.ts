import { createHmac } from 'node:crypto'
import { config } from '../../ops/config.js'
import { Problem } from '../answer/problem.js'
import type { Context } from '../context.js'
import { equalTexts } from './equalTexts.js'

/**
 * A tag of the form's author: one person's typed fields are never shown to another, nor sent in
 * another's name.
 */
export function authorTag(userId: number): string {
  return createHmac('sha256', config.sessionSecret).update(`writer:${userId}`).digest('base64url')
}

/**
 * Throws 409 when a form names another author than who is signed in now: the browser may have
 * changed hands since it was opened. A guest's form names no one, and is whoever's sends it.
 */
export function requireAuthor({ state: { user } }: Context, { writer }: Record<string, unknown>): void {
  if (typeof writer !== 'string' || writer === '' || !user) return
  if (!equalTexts(writer, authorTag(user.id))) throw new Problem(409, 'other_author')
}
