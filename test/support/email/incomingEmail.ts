/**
 * An email that comes in, in the fields of the building's own contract. Tests of odd emails send
 * other values, and fields that the contract does not know.
 */
export type IncomingEmail = { from?: unknown; subject?: unknown; text?: unknown; [field: string]: unknown }

let emails = 0

/**
 * An email that no one has sent before, but for what is given; each is of another stranger and from
 * another domain, so that no limit of a sender counts it.
 */
export function newEmail(given: IncomingEmail = {}): IncomingEmail {
  emails += 1
  return {
    from: `Ada <ada@outside${emails}.example>`,
    subject: `Smell ${emails}`,
    text: `Words ${emails}.`,
    messageId: `<email-${emails}@outside.example>`,
    ...given,
  }
}
