import { describe, expect, it } from 'vitest'
import { commonPasswords } from '../../../src/adapters/accounts/commonPasswords.js'
import { canonical } from '../../../src/domain/accounts/guessable.js'
import { passwordProblem } from '../../../src/domain/accounts/password.js'
import { sampled } from '../../support/suite/extent.js'
import { computed } from '../../support/suite/ticking.js'

const list = await commonPasswords()
const judges = {
  person: { name: 'Zoë Zieliński', email: 'somebody@example.com' },
  house: ['Larkspur Court', 'caretaker demo', 'resident board manager admin'],
  common: new Set(list.map(canonical)),
}
const problemOf = (password: string) => passwordProblem(password, judges)

/** As long as a password has to be, by what people put behind a word. */
const padded = (word: string, pad: string) =>
  word + pad.repeat(12).slice(0, Math.max(pad.length, 12 - [...word].length))
const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

const decorations: [string, (word: string) => string][] = [
  ['digits behind', (word) => padded(word, '1')],
  ['a year and marks behind', (word) => padded(word, '2024!')],
  ['a capital and marks', (word) => padded(capital(word), '!?')],
  ['capitals, digits before', (word) => `2024${padded(word.toUpperCase(), '7#')}`],
  ['blanks and marks around', (word) => ` **${padded(word, '*')} `],
  ['signs for letters', (word) => padded(disguised(word), '123!')],
  ['said twice or more', (word) => word.repeat(Math.max(2, Math.ceil(12 / word.length)))],
]
const signs: Record<string, string> = { a: '@', o: '0', i: '1', l: '1', e: '3', s: '$' }
const disguised = (word: string) => word.replace(/[aolies]/g, (letter) => signs[letter]!)

describe('a password that many have', () => {
  it('is known: the first ten thousand', () => {
    expect(list).toHaveLength(10_000)
    expect(list.slice(0, 3)).toEqual(['123456', 'password', '12345678'])
  })

  it.each(decorations)('is refused with %s, whichever it is', (_how, decorate) => {
    const accepted = sampled(list, 20)
      .filter((word) => problemOf(decorate(word)) === null)
      .map(decorate)
    expect(accepted).toEqual([])
  })
})

describe('a password of a few words', () => {
  it('is welcome, a thousand drawn at random', async () => {
    const { dictionary } = await import('@zxcvbn-ts/language-common')
    const words = dictionary['diceware-common'].map(String)
    let seed = 20_261_122
    const draw = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % most
    }
    const phrases = Array.from({ length: 1000 }, () =>
      Array.from({ length: 4 }, () => words[draw(words.length)]!).join(['-', ' ', '', '.'][draw(4)]),
    ).filter((phrase) => phrase.length >= 12)
    expect(phrases.length).toBeGreaterThan(900)
    expect(
      phrases.flatMap((phrase) => (problemOf(phrase) === null ? [] : [`${phrase}: ${problemOf(phrase)}`])),
    ).toEqual([])
  })

  it.each([
    'a quiet rainy afternoon',
    'kX9$mQ2wPr5t',
    'V7-hb2_Zq!8Ltx',
    'пять синих слонов',
    '四只蓝色的大象在雨中慢慢走过',
    '🔑🌧️🐘🚲🎻🧊🪁🫖🥝🧭🪐🦉',
    'x7Qm larkspur tin whistle',
    'Zieliński buys seven kites',
  ])('%s will do', (password) => {
    expect(problemOf(password)).toBeNull()
  })
})

describe('a new password', () => {
  it.each([
    ['x'.repeat(11), 'password_short'],
    ['👩‍🚒'.repeat(3), 'password_short'],
    ['x'.repeat(201), 'password_long'],
    ['Somebody@Example.com', 'password_is_email'],
    [' somebody@example.com ', 'password_is_email'],
    ['x'.repeat(12), 'password_simple'],
    ['🔑'.repeat(12), 'password_simple'],
    ['839205718264', 'password_simple'],
    ['24.12.1987 !', 'password_simple'],
    ['123456789012', 'password_simple'],
    ['abcabcabcabc', 'password_simple'],
    ['correctcorrect', 'password_simple'],
    ['qwertyqwerty', 'password_simple'],
    ['qwertyuiop12', 'password_simple'],
    ['1q2w3e4r5t6y', 'password_simple'],
    ['zyxwvutsrqpo', 'password_simple'],
    ['abc123xyz789', 'password_simple'],
    ['aabbccddeeff', 'password_simple'],
    ['йцукенгшщзхъ', 'password_simple'],
    ['password1234', 'password_common'],
    ['P@$$w0rd 2026!', 'password_common'],
    ['...SunShine!!2024', 'password_common'],
    ['i love you 2024', 'password_common'],
    ['Larkspur Court', 'password_house'],
    ['l4rk$pur-c0urt-1204', 'password_house'],
    ['caretaker-demo', 'password_house'],
    ['my.caretaker.99', 'password_house'],
    ['admin-manager-1', 'password_house'],
    ['larkspur-dragon', 'password_house'],
    ['zieliński zoe 1987', 'password_house'],
    ['somebody@example.com!', 'password_house'],
    ['example-somebody', 'password_house'],
  ])('%s is %s', (password, problem) => {
    expect(problemOf(password)).toBe(problem)
  })

  it('that repeats a good one is as good as that one', () => {
    expect(problemOf('a quiet rainy day'.repeat(2))).toBeNull()
    expect(problemOf('larkspurcourt'.repeat(2))).toBe('password_house')
  })

  it('of any shape is judged in an instant', () => {
    const slowest = [
      `${'1'.repeat(199)}x`,
      '!a'.repeat(100),
      `${'ab'.repeat(99)}cd`,
      `${'1'.repeat(90)}password${'!'.repeat(90)}`,
    ]
    const began = computed()
    for (const password of slowest) problemOf(password)
    expect(computed() - began).toBeLessThan(2000)
  })
})
