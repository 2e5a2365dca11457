import { query } from '../../platform/db/database.js'
import { EmailFollowerRow } from '../follow/followQueries.js'

/**
 * Emails to people without an account, as staff see them: how many follow, what the limits kept in
 * 24 hours, and stopped addresses.
 */
type EmailFollowerStatistics = { followers: number; heldBack: number; stopped: string[]; moreStopped: number }

/** Addresses named at most. */
const mostStopped = 20

export async function emailFollowerStatistics(): Promise<EmailFollowerStatistics> {
  const [counts, stopped] = await Promise.all([
    query<{ followers: number; heldBack: number; refused: number }>(
      `select
         (
           select count(distinct email_follower_id) from email_follows where email_follower_id is not null
         )::integer as followers,
         (
           select count(*) from outbox where held_back_at > now() - interval '1 day'
         )::integer as held_back,
         (
           select count(*) from email_followers where stopped_at is not null and stopped_why = 'refused'
         )::integer as refused`,
    ),
    EmailFollowerRow.query()
      .whereNotNull('stoppedAt')
      .where({ stoppedWhy: 'refused' })
      .orderBy([
        { column: 'stoppedAt', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(mostStopped)
      .select('address'),
  ])
  const { followers, heldBack, refused } = counts[0]!
  return {
    followers,
    heldBack,
    stopped: stopped.map(({ address }) => address),
    moreStopped: refused - stopped.length,
  }
}
