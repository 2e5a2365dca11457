import { createRequire } from 'node:module'

/**
 * Argon2 at its least cost, in place of the package: hashing was most of what the tests of accounts
 * did. Hashes carry their cost with them. A test of the cost itself sets TEST_ARGON2=real.
 */
const real: typeof import('@node-rs/argon2') = createRequire(import.meta.url)('@node-rs/argon2')

type Options = Parameters<typeof real.hash>[1]

const least = (options: Options) =>
  process.env.TEST_ARGON2 === 'real' ? options : { ...options, memoryCost: 64, timeCost: 1 }

export const { verify } = real
export const hash = (password: string, options?: Options) => real.hash(password, least(options))
export const hashRaw = (password: string, options?: Options) => real.hashRaw(password, least(options))
