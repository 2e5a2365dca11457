import { query } from '../../platform/db/database.js'
import { freshMinutes } from '../../vocabulary/people/recentSignIn.js'

/**
 * A stored second factor: `secret` is encrypted; codes are asked for only after `confirmedAt`.
 * `isNew`: started so recently that its secret may be shown again.
 */
export type SecondFactor = {
  secret: Buffer
  salt: Buffer
  confirmedAt: Date | null
  isNew: boolean
  codesLeft: number
}

/** The second factor of an account, started or on; null when there is none. */
export async function secondFactorOf(userId: number, run = query): Promise<SecondFactor | null> {
  const [row] = await run<SecondFactor>(
    `select f.secret, f.salt, f.confirmed_at as "confirmedAt",
       f.created_at > now() - make_interval(mins => $2) as "isNew",
       (select count(*) from recovery_codes r where r.user_id = f.user_id and r.used_at is null) as "codesLeft"
     from second_factors f where f.user_id = $1`,
    [userId, freshMinutes],
  )
  return row ?? null
}
