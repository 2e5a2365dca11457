/** Signs people type for letters. l and i become one letter, because a 1 may stand for either. */
const signs: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '|': 'i',
  l: 'i',
  '3': 'e',
  '€': 'e',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
  '8': 'b',
}

/** Lengths tried when stripping one end: 0 to 12 characters, then all of them. */
const mostStripped = 12

const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
const undisguised = (text: string) => text.replace(/[\s\S]/gu, (sign) => signs[sign] ?? sign)
const isLetter = (character: string) => /\p{L}/u.test(character)

/**
 * A word in the form used for comparing: lower case, no accents, signs replaced by the letters they resemble.
 */
export function canonical(text: string): string {
  return undisguised(folded(text))
}

/**
 * Words the password may be built on: digits and signs at both ends stripped to every length (some may stand
 * for letters), with and without signs inside. In canonical form, never empty.
 */
export function cores(password: string): string[] {
  const characters = [...folded(password)]
  const first = characters.findIndex(isLetter)
  if (first < 0) return []
  const afterLast = characters.findLastIndex(isLetter) + 1
  const starts = steps(first)
  const ends = steps(characters.length - afterLast).map((cut) => characters.length - cut)
  const found = starts.flatMap((start) =>
    ends.flatMap((end) => {
      const core = characters.slice(start, end).join('')
      return [
        undisguised(core),
        undisguised(core.replace(/[^\p{L}\p{N}]/gu, '')),
        undisguised(core.replace(/\P{L}/gu, '')),
      ]
    }),
  )
  return [...new Set(found)].filter((core) => core !== '')
}

const steps = (most: number) => [...new Set([...Array(Math.min(most, mostStripped) + 1).keys(), most])]

/**
 * The unit a password repeats at least twice (the last time perhaps cut short), else null. Digits and signs
 * around or between do not matter.
 */
export function repeatedUnit(password: string): string | null {
  const whole = folded(password)
  for (const text of [whole, whole.replace(/^\P{L}+|\P{L}+$/gu, ''), whole.replace(/[^\p{L}\p{N}]/gu, '')]) {
    const characters = [...text]
    for (let length = 1; 2 * length <= characters.length; length++)
      if (characters.every((each, i) => i < length || each === characters[i - length]))
        return characters.slice(0, length).join('')
  }
  return null
}

const keyboards = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  '!@#$%^&*()',
  '!"£$%^&*()',
  ...['qwertyuiop[]', 'asdfghjkl;', 'zxcvbnm,./', 'qwertzuiopü', 'asdfghjklñ', 'asdfghjklöä', 'yxcvbnm,.-'],
  ...[
    'azertyuiop',
    'qsdfghjklm',
    'wxcvbn',
    'йцукенгшщзхъ',
    'фывапролджэ',
    'ячсмитьбю',
    'абвгдежзийклмнопрстуфхцчшщъыьэюя',
  ],
  ...['1q2w3e4r5t6y7u8i9o0p', 'q1w2e3r4t5y6u7i8o9p0', 'qawsedrftgyhujikolp'],
  ...['1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/', 'qazwsxedcrfvtgbyhnujmikolp'],
  ...['zaq1xsw2cde3vfr4bgt5nhy6mju7', 'zaqxswcdevfrbgtnhymju', '147258369', '159357', '789456123'],
]
const rows = keyboards.flatMap((row) => {
  const folds = folded(row)
  return [folds, [...folds].reverse().join('')]
})

/** Counts a run of the alphabet, of digits or of neighbouring keys as one piece, as any other character. */
export function pieces(password: string): number {
  const text = folded(password)
  return Math.min(piecesOf(text), piecesOf(text.replace(/([\s\S])\1+/gu, '$1')))
}

const shortestRun = 3

function piecesOf(text: string): number {
  let [count, at] = [0, 0]
  while (at < text.length) {
    const run = Math.max(sameAt(text, at), ...rows.map((row) => runAt(text, at, row)))
    at += run >= shortestRun ? run : 1
    count += 1
  }
  return count
}

function sameAt(text: string, at: number): number {
  let end = at + 1
  while (text[end] === text[at]) end += 1
  return end - at
}

function runAt(text: string, at: number, row: string): number {
  let end = at + shortestRun
  if (end > text.length || !row.includes(text.slice(at, end))) return 0
  while (end < text.length && row.includes(text.slice(at, end + 1))) end += 1
  return end - at
}

/**
 * The password's letters that remain once the words of these texts are removed, read with signs as they stand
 * and as letters. Empty without such a word. Words under three letters are ignored.
 */
export function houseRemainder(password: string, texts: readonly string[]): string[] {
  const words = [...new Set(texts.flatMap((text) => wordsIn(text)))].sort((a, b) => b.length - a.length)
  const plain = undisguised(folded(password).replace(/\P{L}/gu, ''))
  const read = undisguised(wordsOf(password).join('')).replace(/\P{L}/gu, '')
  return [plain, read].flatMap((text) => {
    const rest = words.reduce((left, word) => left.replaceAll(word, ' '), text)
    return rest === text ? [] : [rest.replaceAll(' ', '')]
  })
}

const wordsIn = (text: string) =>
  wordsOf(text.replace(/[^\p{L}\p{N}\p{M}]/gu, ' '))
    .map((word) => undisguised(word).replace(/\P{L}/gu, ''))
    .filter((word) => word.length >= 3)

/** Words without digits and signs at their ends; a sign that may be a letter does not split a word. */
const wordsOf = (text: string) =>
  folded(text)
    .split(/[^\p{L}\p{N}@$!|+€]+/u)
    .map((word) => word.replace(/^\P{L}+|\P{L}+$/gu, ''))
    .filter(Boolean)
