/**
 * Why an email is ignored (decisions 4.5, 6.12, 9.4). `calendar`: an answer to an invitation, or a
 * reaction.
 */
export const ignoreReasons = ['own_address', 'own_mail', 'bounce', 'automatic_reply', 'calendar'] as const
export type IgnoreReason = (typeof ignoreReasons)[number]

/**
 * Why an email waits for the office: its sender, domain or all such senders sent too many within
 * the hour; its incident has no room for more email; every email waits until the office has sorted
 * it (decision 7.13); it replies to an email of ours, which may say what only staff read, and does
 * not say to which report (decision 7.5); its provider or a mail server marked it as spam (9.4).
 */
export const holdReasons = ['sender', 'domain', 'total', 'timeline', 'unsorted', 'reply', 'spam'] as const
export type HoldReason = (typeof holdReasons)[number]

/** Why an email is no person's report: it is ignored or, as spam, held (decisions 6.12, 9.4). */
export type KindReason = IgnoreReason | 'spam'
