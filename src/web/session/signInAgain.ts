import type { Context } from '../context.js'

/** Fields any form of ours may carry besides its own: what signs its sender in again (decision 7.12). */
const fields = { password: 'againPassword', code: 'againCode' } as const

/** Fields that are asked for anew instead of being written into a page: nothing secret is ever echoed. */
const secret = new Set(['password', 'currentPassword', 'code'])

/** Signs the sender in again where the body brings what that takes, and takes it out of the body. */
export async function signInAgainIfAsked(ctx: Context, body: Record<string, unknown>): Promise<void> {
  const { [fields.password]: password, [fields.code]: code } = body
  if (password === undefined || !ctx.state.user || ctx.get('Authorization')) return
  delete body[fields.password]
  delete body[fields.code]
  await ctx.state.signInAgain({ password: textOf(password), code: textOf(code) })
}

/** What the page that asks for it carries along: what was sent, and which secrets of it are to be typed again. */
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

/** What was sent without anything secret, for a form that is kept while its sender signs in. */
export function withoutSecrets(body: Record<string, unknown>): Record<string, unknown> {
  const names = new Set<string>([...secret, ...Object.values(fields)])
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
