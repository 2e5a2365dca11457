/** Whether a text an operator typed can be someone's email address. */
export const isMailAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)

/** The domain of an address, by which strangers are counted; empty without an address. */
export function domainOf(address: string | null): string {
  return (address ?? '').split('@').at(-1)!.replace(/\.$/, '')
}

/** An email address in a text. Both parts are bounded, so that time is linear. */
const address = /[^\s@<>"'(),;:[\]]{1,64}@[^\s@<>"'(),;:[\]]{1,255}/gu
/** Seven digits or more, and what people write between them: +44 20 7946 0018, (0171) 555-12.34. */
const telephone = /(?<![\p{L}\p{N}])\+?\(?\d(?:[\s()./\u2010-\u2015-]{0,3}\d){6,19}(?![\p{L}\p{N}])/gu
/** A date or a date with a time is no telephone number. */
const moment = /^\d{4}-\d{1,2}-\d{1,2}|^\d{1,2}[./]\d{1,2}[./]\d{4}/
/** Letters in a part of a name that is replaced even where it stands alone. */
const shortestPart = 3

/**
 * The text with every email address and telephone number replaced, and the name in the sender's own
 * From header (decision 7.5). Nothing in the result depends on who has an account.
 */
export function withoutContactDetails(text: string, senderName: string | null, instead: string): string {
  const replaced = text
    .replace(address, instead)
    .replace(telephone, (found) => (moment.test(found) ? found : instead))
  const name = senderName?.trim()
  if (!name) return replaced
  // Where it stands as a whole word, in any letter case; "Maya's" loses "Maya".
  return [name, ...partsOfName(name)].reduce(
    (rest, part) => rest.replace(wholeWord(part, 'giu'), () => instead),
    replaced,
  )
}

const partsOfName = (name: string) => name.split(/[\s,]+/u).filter((part) => [...part].length >= shortestPart)

/** Whether a text names this person: by name, part of it with its capital letter, or address. */
export function namesPerson(text: string, { name, email }: { name: string; email: string }): boolean {
  return (
    wholeWord(name, 'iu').test(text) ||
    wholeWord(email, 'iu').test(text) ||
    partsOfName(name).some((part) => wholeWord(part, 'u').test(text))
  )
}

/** Scripts that put no blanks between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u

function wholeWord(word: string, flags: string): RegExp {
  const escaped = word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replace(/\s+/gu, String.raw`\s+`)
  if (unspaced.test(word)) return new RegExp(escaped, flags)
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, flags)
}
