import { describe, expect, it } from 'vitest'
import { commonPasswords } from '../../src/accounts/links/accountLinks.js'
import { passwordProblem } from '../../src/accounts/signIn/passwords.js'

const list = await commonPasswords()
const judges = {
  person: { name: 'Zoë Zieliński', email: 'somebody@example.com' },
  house: ['Larkspur Court', '21 Tidewell Street, London', 'caretaker-demo'],
  common: new Set(list),
}
const problemOf = (password: string) => passwordProblem(password, judges)
const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
/** Common passwords that are words: digits around digits make another number. */
const words = list.filter((word) => /^\p{L}.*\p{L}$/u.test(word))

describe('a password that many have', () => {
  it('is known: the first ten thousand', () => {
    expect(list).toHaveLength(10_000)
    expect(list.slice(0, 3)).toEqual(['123456', 'password', '12345678'])
  })

  it.each<[string, (word: string) => string]>([
    ['digits behind', (word) => `${word}111111111111`],
    ['a capital, a year and marks', (word) => `${capital(word)}  2024!!!!`],
    ['digits before, in capitals', (word) => `2024 2024 #${word.toUpperCase()}`],
  ])('is refused with %s, whichever it is', (_how, decorate) => {
    expect(words.length).toBeGreaterThan(5_000)
    expect(words.filter((word) => problemOf(decorate(word)) === null)).toEqual([])
  })

  it('is refused as it is, when it is long enough', () => {
    const long = list.filter((each) => each.length >= 12)
    expect(long.length).toBeGreaterThan(20)
    expect(long.filter((each) => problemOf(each) === null)).toEqual([])
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
  ])('%s will do', (password) => {
    expect(problemOf(password)).toBeNull()
  })
})
