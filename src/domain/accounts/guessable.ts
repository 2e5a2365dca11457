/** Signs that stand for letters; l and i become one, because a 1 is either. */
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

/** Characters that are stripped one by one from either end; beyond them, all at once. */
const mostStripped = 12

const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
const undisguised = (text: string) => text.replace(/[\s\S]/gu, (sign) => signs[sign] ?? sign)
const isLetter = (character: string) => /\p{L}/u.test(character)

/** A word as it is compared with others: small letters without accents, signs read as the letters they stand for. */
export function canonical(text: string): string {
  return undisguised(folded(text))
}

/**
 * The words a password may be made around: without digits and signs before and after it, as many of them as may be
 * meant as letters; with and without signs in between. Each in canonical form, none empty.
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
 * What a password repeats, when it is nothing but that, at least twice, perhaps broken off, and perhaps with digits and
 * signs around; else null.
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

/** How many pieces a password is made of: a run of the alphabet, of digits or of neighbouring keys is one, as is any other character. */
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
 * The letters of a password beside the words of these texts, read both as it stands and with its signs for letters;
 * none when it has no such word. Words of fewer than three letters are nobody's.
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

/** The words of a text without the digits and signs around each; a sign for a letter does not end one. */
const wordsOf = (text: string) =>
  folded(text)
    .split(/[^\p{L}\p{N}@$!|+€]+/u)
    .map((word) => word.replace(/^\P{L}+|\P{L}+$/gu, ''))
    .filter(Boolean)
