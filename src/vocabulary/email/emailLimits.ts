/**
 * What people without an account are sent before they have pressed a button of ours, each with its
 * own budget.
 */
export type EmailBudget = 'confirmation' | 'acknowledgement'

/**
 * Emails to people without an account who have pressed no button of ours yet (decision 7.4): to one
 * address in a day, and of each budget in an hour, of which one domain can spend a quarter.
 */
export const strangerEmails = {
  perDay: 5,
  perHour: { confirmation: 200, acknowledgement: 200 },
  share: 0.25,
} as const

/** Emails refused for good after which nothing more is sent to an address. */
export const mostRefusals = 3

/** Days the link to follow in an acknowledgement is valid, which no one asked for. */
export const acknowledgementDays = 30
