/**
 * Mails about one's own account. They cannot be turned off: somebody else may have acted (decision
 * 7.12).
 */
export const securityNotices = [
  'new_device',
  'password_changed',
  'email_changed',
  'second_factor_on',
  'second_factor_off',
  'second_factor_reset',
  'recovery_codes_made',
  'recovery_code_used',
  'identity_linked',
  'identity_unlinked',
] as const
export type Notice = (typeof securityNotices)[number]

/**
 * `by`: the person, or the office (whose device is not named). `to`: the account's address until
 * this act.
 */
export type NoticeFacts = {
  notice: Notice
  by: 'self' | 'office'
  browser: string | null
  system: string | null
  to?: string
}
