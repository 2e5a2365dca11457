import { query } from '../../platform/db/database.js'
import { rowOf } from '../../platform/db/row.js'
import type { FollowedColumns } from '../../vocabulary/email/followed.js'

/**
 * A person without an account to whom we write. `hasClicked`: they have pressed a button in an
 * email of ours (decision 7.4). They need not follow anything: who writes to us is one as well.
 */
export type EmailFollower = {
  id: number
  address: string
  locale: string
  hasClicked: boolean
  /** `refused`: their server did, three times; `asked`: they stopped all emails. */
  stopped: 'refused' | 'asked' | null
}

/** A row of `email_followers`. */
export class EmailFollowerRow extends rowOf<{
  address: string
  locale: string
  clickedAt: Date | null
  stoppedAt: Date | null
  stoppedWhy: EmailFollower['stopped']
}>() {
  static override tableName = 'email_followers'
}

export async function findEmailFollower(id: number): Promise<EmailFollower | null> {
  const row = await EmailFollowerRow.query().findById(id)
  if (!row) return null
  const { address, locale, clickedAt, stoppedWhy: stopped } = row
  return { id, address, locale, hasClicked: clickedAt !== null, stopped }
}

/** Who follows something: an account, or a person without one. */
export type Follower = { userId: number } | { emailFollowerId: number }

/** The ids of the account and of the person without one, of whom one follows. */
export const followerIds = (who: Follower): [number | null, number | null] =>
  'userId' in who ? [who.userId, null] : [null, who.emailFollowerId]

/**
 * The incidents of these that a follower follows. An account follows the incident or the one it was
 * merged into; a person without an account follows all that are merged with it.
 */
export async function followedAmong(who: Follower, ids: readonly number[]): Promise<Set<number>> {
  const rows = await query<{ id: number }>('userId' in who ? followedByUser : followedByEmailFollower, [
    ids,
    'userId' in who ? who.userId : who.emailFollowerId,
  ])
  return new Set(rows.map(({ id }) => id))
}

const followedByUser = `
  select i.id from followers f join incidents i on f.incident_id in (i.id, i.merged_into_id)
  where i.id = any ($1) and f.user_id = $2`

const followedByEmailFollower = `
  select i.id
  from unnest($1::integer[]) as i (id)
  join email_follows f on f.incident_id in (select id from incident_family(i.id))
  where f.email_follower_id = $2`

/** Whether they follow any of these. */
export async function followsAny(who: Follower, followed: readonly FollowedColumns[]): Promise<boolean> {
  const rows = await query(
    `select from email_follows f
       join unnest($3::integer[], $4::integer[], $5::integer[]) as g (incident_id, asset_id, tower_id)
         on f.asset_id is not distinct from g.asset_id and f.tower_id is not distinct from g.tower_id
         and (f.incident_id is null) = (g.incident_id is null)
     where f.user_id is not distinct from $1 and f.email_follower_id is not distinct from $2
       and (f.incident_id is null or f.incident_id in (select id from incident_family(g.incident_id)))
     limit 1`,
    [
      ...followerIds(who),
      followed.map(({ incidentId }) => incidentId),
      followed.map(({ assetId }) => assetId),
      followed.map(({ towerId }) => towerId),
    ],
  )
  return rows.length > 0
}
