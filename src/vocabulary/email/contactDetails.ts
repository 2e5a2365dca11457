import { isEverydayWord, withoutAccents } from './everydayWords.js'
import { escaped, partsOfName, unspaced } from './personNamesInText.js'
import { withoutTelephones } from './telephoneNumbers.js'

/** An email address in a text. Both parts are bounded, so that time is linear. */
const address = /[^\s@<>"'(),;:[\]]{1,64}@[^\s@<>"'(),;:[\]]{1,255}/gu

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
