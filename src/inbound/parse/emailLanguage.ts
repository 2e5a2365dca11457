import type { EmailHeaders } from '../message.js'

/** The language of an email that says so and is one of these; null for any other. */
export function emailLanguage(headers: EmailHeaders | null, known: readonly string[]): string | null {
  const [header = ''] = headers?.get('content-language') ?? []
  const language = header
    .trim()
    .toLowerCase()
    .split(/[-_,;\s]/)[0]!
  return known.includes(language) ? language : null
}
