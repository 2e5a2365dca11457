import { isPublicKey, publicKeyOf } from '../webPushKeys.js'
import type { ReadVariable, Values } from './variables.js'

/** For pushes to browsers. `subject`: `mailto:` or `https:`, whom a push service may write to. */
export type WebPush = { publicKey: string; privateKey: string; subject: string }

const keys = ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'] as const
const advice = 'both are made by npm run admin -- --push-keys'

/**
 * What is missing of the group or does not fit together (decision 7.19); a key is never repeated.
 */
export function webPushProblems(readVariable: ReadVariable): string[] {
  const first = [...keys, 'VAPID_SUBJECT'].find(readVariable)
  if (!first) return []
  const missing = keys.filter((name) => !readVariable(name))
  const malformed = keys.filter((name) => readVariable(name) && !isKey[name](readVariable(name)))
  const [publicKey, privateKey] = keys.map(readVariable)
  const problems = [
    ...missing.map((name) => `${name}: required with ${first}`),
    ...malformed.map((name) => `${name}: not a key; ${advice}`),
  ]
  if (problems.length === 0 && publicKeyOf(privateKey!) !== publicKey)
    problems.push('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY: must be of one pair')
  if (!readVariable('VAPID_SUBJECT') && !/^https:/i.test(readVariable('PUBLIC_URL')))
    problems.push(`VAPID_SUBJECT: required with ${first}, or an https address as PUBLIC_URL`)
  if (readVariable('SERVICE_WORKER') === 'off')
    problems.push(`SERVICE_WORKER: must be on with ${first}, as browsers show what is pushed by it`)
  return problems
}

const isKey = {
  VAPID_PUBLIC_KEY: isPublicKey,
  VAPID_PRIVATE_KEY: (text: string) => publicKeyOf(text) !== null,
}

/** Null: browsers get no push messages. */
export function webPushOf(values: Values): WebPush | null {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = values
  const subject = values.VAPID_SUBJECT ?? values.PUBLIC_URL
  return publicKey && privateKey && subject ? { publicKey, privateKey, subject } : null
}
