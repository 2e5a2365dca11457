/** Letters in a part of a name that is replaced even where it stands alone. */
const shortestPart = 3

export const escaped = (letters: string) => letters.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/** The words of a name, and the halves of those with a hyphen: García-López, García, López. */
export function partsOfName(name: string): string[] {
  const words = name.split(/[\s,]+/u)
  const halves = words.flatMap((word) => word.split(/[-\u2010-\u2015]/u))
  return [...new Set([...words, ...halves])].filter((part) => [...part].length >= shortestPart)
}

/** Whether a text names this person: by name, part of it with its capital letter, or address. */
export function namesPerson(text: string, { name, email }: { name: string; email: string }): boolean {
  return (
    wholeWord(name, 'iu').test(text) ||
    wholeWord(email, 'iu').test(text) ||
    partsOfName(name).some((part) => wholeWord(part, 'u').test(text))
  )
}

/** Scripts that put no blanks between words. */
export const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u

function wholeWord(word: string, flags: string): RegExp {
  const pattern = escaped(word).replace(/\s+/gu, String.raw`\s+`)
  if (unspaced.test(word)) return new RegExp(pattern, flags)
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, flags)
}
