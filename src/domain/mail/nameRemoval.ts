import { spelledAddresses } from './spelledAddresses.js'

/** Somebody whose name must not appear in a text. `alsoSingle`: their first or last name alone goes too. */
export type Person = { name: string; email: string; alsoSingle: boolean }

/** Parts of names that are ordinary words: they name nobody alone, and may stand between two parts. */
const particles = new Set(
  'da das de del della den der di do dos du ibn bin bint la las le los mac mc san van von und y zu'.split(
    ' ',
  ),
)
/** Shortest single name removed, in letters: when capitalised, and when in lower case. */
const [shortest, shortestInLowerCase] = [4, 6]
/** Shortest mailbox name removed by itself, in letters. */
const shortestMailbox = 5

type Names = {
  /** By part of a name: the indexes of the people who have it. */
  owners: Map<string, Set<number>>
  /** By part of a name: the first letters of its people's other names. */
  initials: Map<string, Set<string>>
  /** Parts that are removed even alone. */
  singles: Set<string>
  /** Mailboxes and full names in one word, as a text may hold them. */
  handles: Set<string>
  addresses: Set<string>
  /** Names in scripts without blanks between words. */
  unspaced: string[]
}

type Span = { start: number; end: number }

/**
 * Replaces these people's names and addresses (decision 7.5): any case, order and accents, across line
 * breaks, with initials or particles between, in one word. Short single names only with a capital.
 */
export function withoutNames(text: string, people: readonly Person[], instead: string): string {
  const names = namesOf(people)
  const spans = [
    ...addressSpans(text, names),
    ...spelledAddresses(text, names.addresses),
    ...unspacedSpans(text, names),
    ...wordSpans(text, names),
  ].sort((a, b) => a.start - b.start)
  let kept = ''
  let at = 0
  for (const { start, end } of spans) {
    if (end <= at) continue
    const between = text.slice(at, Math.max(at, start))
    const goesOn = at > 0 && /^[\s,.\-_>|]*$/u.test(between)
    if (!goesOn) kept += between + instead
    at = end
  }
  return kept + text.slice(at)
}

function namesOf(people: readonly Person[]): Names {
  const names: Names = {
    owners: new Map(),
    initials: new Map(),
    singles: new Set(),
    handles: new Set(),
    addresses: new Set(),
    unspaced: [],
  }
  for (const [id, person] of people.entries()) addPerson(names, id, person)
  return names
}

function addPerson(names: Names, id: number, { name, email, alsoSingle }: Person): void {
  const all = wordsOf(name).map(({ folded }) => folded)
  const parts = partsOf(all)
  for (const part of parts) names.owners.set(part, (names.owners.get(part) ?? new Set()).add(id))
  for (const part of parts) {
    const letters = all.filter((word) => word !== part && !particles.has(word)).map(([letter]) => letter!)
    names.initials.set(part, new Set([...(names.initials.get(part) ?? []), ...letters]))
  }
  if (parts.length === 1 || alsoSingle)
    for (const part of parts)
      if (parts.length === 1 || (part.length >= shortest && !particles.has(part))) names.singles.add(part)
  if (parts.length > 1)
    for (const whole of [all, all.toReversed(), [parts[0]!, parts.at(-1)!], [parts.at(-1)!, parts[0]!]])
      names.handles.add(whole.join(''))
  if (unspacedScript.test(name)) names.unspaced.push(name.normalize('NFKC').replace(/\s+/gu, ''))
  names.addresses.add(untagged(email.toLowerCase()))
  const mailbox = email.slice(0, email.lastIndexOf('@')).replace(/\+.*/, '')
  const letters = fold(mailbox)
  const tells = /[\d._-]/.test(mailbox) || parts.some((part) => part.length > 2 && letters.includes(part))
  if (letters.length >= shortestMailbox && tells) names.handles.add(letters)
}

/** The words of a name that name its person; a particle where the name would be one word without it, as in “Anita Das”. */
function partsOf(words: readonly string[]): string[] {
  const parts = words.filter((word) => word.length > 1 && !particles.has(word))
  return parts.length > 1 ? parts : words.filter((word) => word.length > 1)
}

const unspacedScript =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]{2}/u
const untagged = (address: string) => address.replace(/\+[^@]*(?=@)/, '')

/** Letters without a removable accent, and what people type instead. */
const letters: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}

/** A word without case, accents, apostrophes and invisible characters. */
function fold(word: string): string {
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[łøđðıßæœþ]/gu, (letter) => letters[letter]!)
}

type Word = Span & { folded: string; alone: string[]; capital: boolean }

/** Words: letters and digits, with apostrophes and invisible characters inside. */
function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{Cf}'’ʼ`]*/gu)].map(({ 0: word, index }) => {
    const folded = fold(word)
    // Possessive in English, German and Dutch: Maya's, Okafors, James'.
    const bare = fold(word.replace(/['’ʼ`]s?$/u, ''))
    const alone = [...new Set([bare, folded, ...(folded.endsWith('s') ? [folded.slice(0, -1)] : [])])]
    const capital = !/^\p{Ll}/u.test(word)
    return { start: index, end: index + word.length, folded, alone, capital }
  })
}

function wordSpans(text: string, names: Names): Span[] {
  const words = wordsOf(text)
  return words.flatMap((word, i): Span[] => {
    const partner = partnerOf(words, i, names)
    if (partner) return [{ start: word.start, end: partner.end }]
    const withInitial = beforeInitial(text, words, i, names) ?? afterInitial(text, words, i, names)
    if (withInitial) return [withInitial]
    const named = word.alone.find((each) => names.singles.has(each))
    const isSingle = named !== undefined && (word.capital || named.length >= shortestInLowerCase)
    return isSingle || word.alone.some((each) => names.handles.has(each)) ? [word] : []
  })
}

/** Initials and particles that may stand between two parts of a name. */
const mostBetween = 3

/** The next part of the same person's name, if it follows. */
function partnerOf(words: readonly Word[], at: number, { owners }: Names): Word | null {
  const first = words[at]!.alone.filter((part) => owners.has(part))
  if (first.length === 0) return null
  for (const next of words.slice(at + 1, at + 2 + mostBetween)) {
    const isPartner = first.some((part) =>
      next.alone.some((other) => other !== part && meet(owners.get(part), owners.get(other))),
    )
    if (isPartner) return next
    if (next.folded.length > 1 && !particles.has(next.folded)) return null
  }
  return null
}

/** Letters that are words by themselves in English or Spanish: without a full stop they are no initials. */
const wordLetters = new Set('aeiouy')

/** A name and the initial after it: "Okafor, M.". */
function beforeInitial(text: string, words: readonly Word[], at: number, names: Names): Span | null {
  const [word, initial] = [words[at]!, words[at + 1]]
  if (!initial || text[initial.end] !== '.' || !(word.capital && initial.capital)) return null
  const isNear = /^,?\s{1,3}$/u.test(text.slice(word.end, initial.start))
  return isNear && isOf(initial, word, names) ? { start: word.start, end: initial.end + 1 } : null
}

/** Initials and the name after them: "M. J. Okafor"; in small letters only joined, as in "m.okafor". */
function afterInitial(text: string, words: readonly Word[], at: number, names: Names): Span | null {
  const initial = words[at]!
  const name = words.slice(at + 1, at + 2 + mostBetween).find(({ folded }) => folded.length !== 1)
  if (!name || initial.folded.length !== 1 || !isOf(initial, name, names)) return null
  const between = text.slice(initial.end, name.start)
  if (/^[._-]$/.test(between)) return { start: initial.start, end: name.end }
  const isInitial = between.startsWith('.') || !wordLetters.has(initial.folded)
  const isNear = /^(\.|\s|-|\p{Lu})*$/u.test(between) && between.length < 16
  return isNear && isInitial && initial.capital && name.capital
    ? { start: initial.start, end: name.end }
    : null
}

const isOf = ({ folded }: Word, { alone }: Word, { initials }: Names) =>
  alone.some((part) => initials.get(part)?.has(folded))

function meet(some: ReadonlySet<number> = new Set(), others: ReadonlySet<number> = new Set()): boolean {
  const [few, many] = some.size < others.size ? [some, others] : [others, some]
  for (const id of few) if (many.has(id)) return true
  return false
}

/** In characters; longer than any address with the punctuation after it. */
const mostAddress = 400

function addressSpans(text: string, { addresses }: Names): Span[] {
  return [...text.matchAll(/[^\s@<>"'(),;:[\]]+(@[^\s@<>"'(),;:[\]]+)?/gu)].flatMap(({ 0: found, index }) => {
    const address = found.slice(0, mostAddress).replace(/[^\p{L}\p{N}]+$/u, '')
    return addresses.has(untagged(address.toLowerCase()))
      ? [{ start: index, end: index + address.length }]
      : []
  })
}

function unspacedSpans(text: string, { unspaced }: Names): Span[] {
  return unspaced.flatMap((name) => {
    const signs = [...name].map((sign) => sign.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    return [...text.matchAll(new RegExp(signs.join('\\s*'), 'giu'))].map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
    }))
  })
}
