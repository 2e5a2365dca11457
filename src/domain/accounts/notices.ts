/** What people are mailed of their own account, whether they want to or not: somebody else may have done it (decision 7.12). */
export const notices = [
  'new_device',
  'password_changed',
  'email_changed',
  'second_factor_on',
  'second_factor_off',
  'second_factor_reset',
  'recovery_codes_made',
  'recovery_code_used',
] as const
export type Notice = (typeof notices)[number]

/**
 * What such a mail knows besides its time. `by`: the person themself, or somebody else for them, whose device is nothing
 * to them. `to`: the address the account had until then.
 */
export type NoticeFacts = {
  notice: Notice
  by: 'self' | 'office'
  browser: string | null
  system: string | null
  to?: string
}
