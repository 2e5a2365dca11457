/**
 * What is sent to people without an account who have pressed no button of ours yet (decision 7.4): mails to one
 * address in a day, and to all of them in an hour.
 */
export const strangerMails = { perDay: 5, inAllPerHour: 200 } as const

/** Mails refused for good after which nothing more is sent to an address. */
export const mostRefusals = 3

/** Hours a link to confirm is valid. */
export const confirmationHours = 24
