import { isEverydayWord, withoutAccents } from './everydayWords.js'
import { withoutTelephones } from './telephoneNumbers.js'

/** The domain of an address, by which strangers are counted; empty without an address. */
export function domainOf(address: string | null): string {
  return (address ?? '').split('@').at(-1)!.replace(/\.$/, '')
}

/** An email address in a text. Both parts are bounded, so that time is linear. */
const address = /[^\s@<>"'(),;:[\]]{1,64}@[^\s@<>"'(),;:[\]]{1,255}/gu
/** Letters in a part of a name that is replaced even where it stands alone. */
const shortestPart = 3

/**
 * The text with every email address and telephone number replaced, and the name in the sender's own
 * From header (decision 7.5). Nothing in the result depends on who has an account.
 */
export function withoutContactDetails(text: string, senderName: string | null, instead: string): string {
  const replaced = withoutTelephones(text.replace(address, instead), instead)
  const name = senderName?.trim()
  return name ? withoutName(replaced, name, instead) : replaced
}

/**
 * Replaces the whole name anywhere, and each part of it that is no ordinary word. A part that is
 * one ("It will be worse in May" by Will May) is replaced where it stands on a line of its own, as
 * in a signature. Case and accents make no difference; "Maya's" loses "Maya".
 */
function withoutName(text: string, name: string, instead: string): string {
  const parts = partsOfName(name)
  const ordinary = parts.filter(isEverydayWord)
  const unusual = parts.filter((part) => !isEverydayWord(part))
  // Decomposed, so that a letter is followed by its accents, or by none.
  const withoutWhole = spellingsOf(name).reduce(
    (rest, spelling) => rest.replace(wholeWords(spelling), () => instead),
    text.normalize('NFD'),
  )
  const withoutParts = unusual.reduce(
    (rest, part) => rest.replace(wholeWords([part]), () => instead),
    withoutWhole,
  )
  return ordinary
    .reduce(
      (rest, part) => rest.replace(ownLine(part), (_line, before) => `${before}${instead}`),
      withoutParts,
    )
    .normalize('NFC')
}

/**
 * The words of a name in the orders it is written in: Will A. May; May Will A.; Will May; May Will.
 */
function spellingsOf(name: string): string[][] {
  const words = name.split(/[\s,]+/u).filter(Boolean)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (words.length < 2) return [words]
  const rotated = [last, ...words.slice(0, -1)]
  const backwards = [...words.slice(1), first]
  return [words, rotated, backwards, [first, last], [last, first]]
}

/** These words one after another, as whole words of a decomposed text. */
function wholeWords(words: readonly string[]): RegExp {
  const pattern = words.map(spelled).join(String.raw`[\s,]+`)
  if (unspaced.test(words.join(''))) return new RegExp(pattern, 'giu')
  return new RegExp(`(?<![\\p{L}\\p{N}\\p{M}])${pattern}(?![\\p{L}\\p{N}\\p{M}])`, 'giu')
}

/** A word alone on its line, with what people put around a signature: "– May", "Will." */
const ownLine = (word: string) =>
  new RegExp(String.raw`^([ \t>*_~\-\u2010-\u2015]*)${spelled(word)}(?=[ \t.,!*_~]*$)`, 'gimu')

/** A word letter by letter, with or without accents; a letter such as ł also as l. */
const spelled = (word: string) =>
  [...withoutAccents(word.normalize('NFD'))]
    .map((letter) => `${lettersLike[letter] ?? escaped(letter)}\\p{M}*`)
    .join('')

const lettersLike: Record<string, string> = {
  l: '[lł]',
  o: '[oø]',
  d: '[dđð]',
  i: '[iı]',
  "'": "['’ʼ]",
  '’': "['’ʼ]",
}

const escaped = (letters: string) => letters.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/** The words of a name, and the halves of those with a hyphen: García-López, García, López. */
function partsOfName(name: string): string[] {
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
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u

function wholeWord(word: string, flags: string): RegExp {
  const pattern = escaped(word).replace(/\s+/gu, String.raw`\s+`)
  if (unspaced.test(word)) return new RegExp(pattern, flags)
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, flags)
}
