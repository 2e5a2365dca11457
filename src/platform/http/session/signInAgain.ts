import { config } from '../../ops/config.js'
import type { Context } from '../context.js'

/** Fields any form may carry to sign its sender in again (decision 7.12). */
const fields = { password: 'againPassword', code: 'againCode' } as const

/** Fields that are asked for again: no secret is ever written into a page. */
const secret = new Set(['password', 'currentPassword', 'code'])

/**
 * Signs the sender in again when the body has these fields, and removes them from it. Throws
 * Problem.
 */
export async function signInAgainIfAsked(ctx: Context, body: Record<string, unknown>): Promise<void> {
  const { [fields.password]: password, [fields.code]: code } = body
  if (password === undefined || !ctx.state.user || ctx.get('Authorization')) return
  delete body[fields.password]
  delete body[fields.code]
  // Left empty by people who signed in again at the provider; the act itself asks once more if they
  // have not.
  if (config.singleSignOn && password === '') return
  await ctx.state.signInAgain({ password: textOf(password), code: textOf(code) })
}

/** What the page that asks for it carries: the fields sent, and the secrets to type again. */
export function sentBefore(body: Record<string, unknown>): {
  kept: [name: string, value: string][]
  askedAgain: string[]
} {
  const given = Object.entries(body).filter(([name]) => name !== 'formToken')
  const kept = given
    .filter(([name]) => !secret.has(name))
    .flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, textOf(each)]))
  return {
    kept,
    askedAgain: given.filter(([name, value]) => secret.has(name) && value !== '').map(([name]) => name),
  }
}

/** The fields without secrets, for a form kept during sign-in. */
export function withoutSecrets(body: Record<string, unknown>): Record<string, unknown> {
  const names = new Set<string>([...secret, ...Object.values(fields)])
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
