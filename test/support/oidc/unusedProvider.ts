import { offerLink } from '../../../src/accounts/singleSignOn/linkConfirmation.js'
import { query } from '../../../src/platform/db/database.js'
import type { Context } from '../../../src/platform/http/context.js'
import type { SingleSignOn } from '../../../src/platform/process/config/singleSignOn.js'
import { scalar } from '../rows.js'

/** A provider for tests that show its name and go nowhere. */
export const unusedProvider: SingleSignOn = {
  issuer: 'https://provider.example',
  clientId: 'x',
  clientSecret: 'x',
  name: 'Provider',
  linkByEmail: false,
  roleClaim: null,
  only: false,
}

let subjects = 0

/** Links an identity of that provider to an account; its id. */
export async function linkedIdentity(userId: number): Promise<number> {
  return scalar<number>(
    'insert into identities (user_id, issuer, subject, email) values ($1, $2, $3, $4) returning id',
    [userId, unusedProvider.issuer, `subject ${++subjects}`, 'somebody@provider.example'],
  )
}

/** The offer, for the newest session of an account, to link an identity of that provider to it. */
export async function offeredIdentity(userId: number): Promise<string> {
  const [session] = await query<{ form: string }>(
    `select data ->> 'form' as form from sessions where user_id = $1 order by created_at desc limit 1`,
    [userId],
  )
  const ctx = { state: { user: { id: userId } }, session } as unknown as Context
  return offerLink(ctx, { iss: unusedProvider.issuer, sub: `subject ${++subjects}` })
}
