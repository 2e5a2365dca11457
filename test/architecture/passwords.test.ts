import { describe, expect, it } from 'vitest'
import { sourcesIn } from './sources.js'

describe('a password', () => {
  it('is hashed by nobody but the function that looks at it first, and the demo', () => {
    expect(filesWith(/\bhashPassword\(/)).toEqual([
      'src/accounts/users/passwords.ts',
      'src/demo/buildDirectory.ts',
    ])
    expect(filesWith(/@node-rs\/argon2/)).toEqual(['src/accounts/users/passwords.ts'])
  })

  it('is set at the known doors only', () => {
    const hashing = 'src/accounts/users/passwords.ts'
    expect(filesWith(/\bnewPasswordHash\(/)).toEqual([...doors, hashing].sort())
  })
})

it('an address is folded by the database alone where accounts are told apart', () => {
  const folding = /(mail|address)\w*(\.trim\(\))?\.to(Locale)?LowerCase\(/i
  expect(filesWith(folding)).toEqual([])
})

const sources = sourcesIn(['src', 'jobs'])

const filesWith = (words: RegExp) =>
  sources
    .filter(({ text }) => words.test(text))
    .map(({ path }) => path)
    .sort()

/**
 * The doors at which a password is set (decision 7.12). A new one is added here, and to the
 * test of what it refuses.
 */
const doors = [
  'src/accounts/account/ownAccount.ts',
  'src/accounts/signIn/passwordLink.ts',
  'src/accounts/people/makeAdmin.ts',
  'src/accounts/people/manageUsers.ts',
]
