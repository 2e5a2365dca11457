import { config } from '../../process/config.js'
import type { Context } from '../context.js'
import { featureHooks } from '../featureHooks.js'

/** Fields any form may carry to sign its sender in again (decision 7.12). */
const signInAgainFields = { password: 'againPassword', code: 'againCode' } as const

/** Fields that are asked for again: no secret is ever written into a page. */
const secretFields = new Set(['password', 'currentPassword', 'code'])

/** Signs the sender in again when the body has these fields, and removes them. Throws Problem. */
export async function signInAgainIfAsked(ctx: Context, body: Record<string, unknown>): Promise<void> {
  const { [signInAgainFields.password]: password, [signInAgainFields.code]: code } = body
  if (password === undefined || !ctx.state.user || ctx.get('Authorization')) return
  delete body[signInAgainFields.password]
  delete body[signInAgainFields.code]
  // Left empty by people who signed in again at the provider; the act itself asks once more if they
  // have not.
  if (config.singleSignOn && password === '') return
  await featureHooks.registered().signInAgain(ctx, { password: textOf(password), code: textOf(code) })
}

/** What a page carries of a form that is sent again: its fields, and the secrets to type again. */
export function fieldsToSendAgain(body: Record<string, unknown>): {
  fields: [name: string, value: string][]
  secretNames: string[]
} {
  const entries = Object.entries(body).filter(([name]) => name !== 'formToken')
  const fields = entries
    .filter(([name]) => !secretFields.has(name))
    .flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, textOf(each)]))
  const secrets = entries.filter(([name, value]) => secretFields.has(name) && value !== '')
  return { fields, secretNames: secrets.map(([name]) => name) }
}

/** The fields without secrets, for a form kept during sign-in. */
export function withoutSecrets(body: Record<string, unknown>): Record<string, unknown> {
  const names = new Set<string>([...secretFields, ...Object.values(signInAgainFields)])
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
