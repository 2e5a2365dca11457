import type { SingleSignOn } from '../../../src/config/singleSignOn.js'
import { query } from '../../../src/database.js'

/** A provider for tests that show its name and go nowhere. */
export const unusedProvider: SingleSignOn = {
  ...{ issuer: 'https://provider.example', clientId: 'x', clientSecret: 'x', name: 'Provider' },
  ...{ linkByEmail: false, roleClaim: null, only: false },
}

let subjects = 0

/** Links an identity of that provider to an account; its id. */
export async function linkedIdentity(userId: number): Promise<number> {
  const [row] = await query<{ id: number }>(
    'insert into identities (user_id, issuer, subject, email) values ($1, $2, $3, $4) returning id',
    [userId, unusedProvider.issuer, `subject ${++subjects}`, 'somebody@provider.example'],
  )
  return row!.id
}
