/**
 * Every security event, the `event` of its log line. Refusals are warnings, so the embedded default
 * logs them too. A test makes each of them happen.
 */
export const securityEvents = {
  'sign_in.succeeded': 'info',
  'sign_in.failed': 'warn',
  'password.wrong': 'warn',
  'code.wrong': 'warn',
  'link.wrong': 'warn',
  'session.ended': 'info',
  throttled: 'warn',
  'csrf.refused': 'warn',
  'credential.refused': 'warn',
  'permission.refused': 'warn',
  'email_secret.wrong': 'warn',
  'webhook_address.refused': 'warn',
  'push_address.refused': 'warn',
} as const satisfies Record<string, 'info' | 'warn'>

export type SecurityEvent = keyof typeof securityEvents
