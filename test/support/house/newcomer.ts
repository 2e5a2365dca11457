import type { Role } from '../../../src/vocabulary/people/permissions.js'
import type { Asking } from './asking.js'
import { things } from './things.js'

/** The password of everyone who is new. */
export const ownPassword = 'a quiet rainy afternoon'

export type Newcomer = { id: number; email: `${string}@${string}`; cookie: string }

/** Numbers those who are given no name. */
let count = 0

export function newcomersOf({ signIn }: Asking) {
  return {
    /**
     * Someone new with an account and a password of their own, signed in: a resident by default.
     * What a test does to their account concerns no other test.
     */
    async newcomer(fields: { name?: string; role?: Role; locale?: string } = {}): Promise<Newcomer> {
      const email = `newcomer${++count}@outside.test` as const
      const name = fields.name ?? `Newcomer Number${count}`
      const id = await things.user({ ...fields, name, email, password: ownPassword })
      return { id, email, cookie: await signIn(email) }
    },
  }
}
