import { createPrivateKey } from 'node:crypto'
import type { ReadVariable } from './variables.js'

const names = ['FCM_PROJECT_ID', 'FCM_CLIENT_EMAIL', 'FCM_PRIVATE_KEY'] as const

/** The key as PEM: an environment file has no line breaks in a value. */
export const pemOf = (key: string) => key.replaceAll('\\n', '\n')

/**
 * What pushes to phones lack, when they are switched on: without it each of them would fail. The
 * key is never repeated.
 */
export function fcmProblems(readVariable: ReadVariable): string[] {
  if (readVariable('PUSH_ENABLED') !== 'true') return []
  const key = readVariable('FCM_PRIVATE_KEY')
  return [
    ...names.filter((name) => !readVariable(name)).map((name) => `${name}: required with PUSH_ENABLED`),
    ...(key && !isRsaKey(pemOf(key)) ? ['FCM_PRIVATE_KEY: not the private key of a service account'] : []),
  ]
}

/** Google's service accounts sign with RSA. */
function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
