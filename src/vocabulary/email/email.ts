/**
 * A finished email to one person, who without an account has no name. Ids are in angle brackets;
 * `headers` are written as they stand.
 */
export type Email = {
  /** The building's name: who people see it is from. */
  fromName: string
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  messageId: string
  date: Date
  replyTo: string | null
  inReplyTo: string | null
  headers: Record<string, string>
  /** Paths of stored photos that go with it, reduced. */
  photos?: readonly string[]
}
