import { describe, expect, it } from 'vitest'
import { passwordProblem } from '../../src/accounts/users/passwordRules.js'
import { commonPasswords } from '../../src/accounts/users/passwords.js'
import { texts } from '../../src/text/index.js'

const list = await commonPasswords()
const judges = {
  person: { name: 'Zoë Zieliński', email: 'somebody@example.com' },
  building: ['Larkspur Court', '21 Tidewell Street, London', 'caretaker-demo'],
  common: new Set(list),
}
const problemOf = (password: string) => passwordProblem(password, judges)
const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
/** Common passwords that are words: digits around digits make another number. */
const words = list.filter((word) => /^\p{L}.*\p{L}$/u.test(word))

describe('a password that many have', () => {
  it('is known: the whole list', () => {
    expect(list.length).toBeGreaterThan(49_000)
    expect(list.slice(0, 3)).toEqual(['123456', 'password', '12345678'])
  })

  it.each<[string, (word: string) => string]>([
    ['digits behind', (word) => `${word}111111111111`],
    ['a capital, a year and marks', (word) => `${capital(word)}  2024!!!!`],
    ['digits before, in capitals', (word) => `2024 2024 #${word.toUpperCase()}`],
  ])('is refused with %s, whichever it is', (_how, decorate) => {
    expect(words.length).toBeGreaterThan(25_000)
    expect(words.filter((word) => problemOf(decorate(word)) === null)).toEqual([])
  })

  it('is refused as it is, when it is long enough', () => {
    const long = list.filter((each) => each.length >= 12)
    expect(long.length).toBeGreaterThan(300)
    expect(long.filter((each) => problemOf(each) === null)).toEqual([])
  })
})

describe('a password that everyone could think of', () => {
  it.each([
    ['111111111111', 'password_repeats'],
    ['            ', 'password_repeats'],
    ['四四四四四四四四四四四四', 'password_repeats'],
    ['xyxyxyxyxyxy', 'password_repeats'],
    ['x7Qx7Qx7Qx7Qx', 'password_repeats'],
    ['kettle!kettle!', 'password_common'],
    ['101100111010', 'password_repeats'],
    ['aaaaaabbbbbb', 'password_repeats'],
    ['123456789012', 'password_common'],
    ['1234567890123', 'password_sequence'],
    ['098765432109', 'password_sequence'],
    ['789012345678', 'password_sequence'],
    ['111222333444555', 'password_common'],
    ['112233445566', 'password_common'],
    ['aaabbbcccdddeee', 'password_sequence'],
    ['abcdefghijkl', 'password_sequence'],
    ['ZYXWVUTSRQPO', 'password_sequence'],
    ['uvwxyzabcdef', 'password_sequence'],
    ['qwertyuiopas', 'password_sequence'],
    ['poiuytrewqlkj', 'password_sequence'],
    ['azertyuiopqs', 'password_sequence'],
    ['1q2w3e4r5t6y', 'password_common'],
    ['2w3e4r5t6y7u', 'password_sequence'],
    ['1qaz2wsx3edc', 'password_common'],
    ['4rfv5tgb6yhn', 'password_sequence'],
    ['0okm9ijn8uhb', 'password_sequence'],
    ['абвгдеёжзийк', 'password_sequence'],
    ['йцукенгшщзхъ', 'password_sequence'],
    ['!@#$%^&*()!@', 'password_sequence'],
    ['abc123xyz789', 'password_sequence'],
    ['123456789Kxq', 'password_sequence'],
    ['unbelievable', 'password_common'],
    ['Unbelievable!', 'password_common'],
    ['passwordpassword', 'password_common'],
    ['password!Password!', 'password_common'],
    ['Password1Password2', 'password_common'],
    ['sunshinesunshinesun', 'password_common'],
    ['passwordxxxxx', 'password_common'],
    ['aaaapassword', 'password_common'],
    ['sunshinekate', 'password_common'],
    ['abcdSunshine1', 'password_common'],
  ])('%s is refused', (password, problem) => {
    expect(problemOf(password)).toBe(problem)
  })

  it('is refused in every word that says why, in each language', () => {
    for (const { fields } of Object.values(texts))
      expect(new Set([fields.password_common, fields.password_repeats, fields.password_sequence]).size).toBe(
        3,
      )
  })
})

describe('a new password', () => {
  it.each([
    ['x'.repeat(11), 'password_short'],
    ['👩‍🚒'.repeat(3), 'password_short'],
    ['x'.repeat(201), 'password_long'],
    ['password1234', 'password_common'],
    ['...SunShine!!2024', 'password_common'],
    ['Larkspur Court', 'password_house'],
    ['larkspurcourtlarkspurcourt', 'password_house'],
    ['tidewellstreet', 'password_house'],
    ['21 Tidewell Street', 'password_house'],
    ['London-Larkspur-7', 'password_house'],
    ['caretaker-demo', 'password_house'],
    ['my.caretaker.99', 'password_house'],
    ['zieliński zoe 1987', 'password_house'],
    ['ZIELINSKI-1987!', 'password_house'],
    ['Somebody@Example.com', 'password_house'],
    [' somebody@example.com ', 'password_house'],
    ['example-somebody', 'password_house'],
  ])('%s is %s', (password, problem) => {
    expect(problemOf(password)).toBe(problem)
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
    'correct horse battery staple',
    'we were there',
    'free trees reddest deer',
    'dragonkettle',
    'purple rain!',
    'orange teapot 1987',
    'mom has 3 red hats',
    'monkey sees monkey does',
    '7Gdk#92+4-81',
    'a1b2-Xk39-qq',
    'property-first-student',
    'tres tristes tigres',
    'Mississippi river',
    'abcdef Kitten Lamp',
    '3141592653589793',
  ])('%s will do', (password) => {
    expect(problemOf(password)).toBeNull()
  })
})
