import { lockedSelf } from '../../accounts/users/lockedUser.js'
import { type Change, change } from '../../platform/db/change.js'
import { type FollowedColumns, followedText } from '../../vocabulary/email/followed.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { orNotFound } from '../../vocabulary/validation.js'
import { type Follower, followerIds } from './followQueries.js'

/**
 * Starts to follow; false when nothing changed, or what was to be followed is gone. A duplicate is
 * followed in its survivor. `byChoice`: who follows an incident so counts as affected by it, also
 * when they followed it before.
 */
export async function followByEmail(
  c: Change,
  who: Follower,
  { incidentId, assetId, towerId }: FollowedColumns,
  byChoice = false,
): Promise<boolean> {
  const rows = await c.query(
    `insert into email_follows as f (
       user_id, email_follower_id, incident_id, asset_id, tower_id, created_at, by_choice
     )
     select $1::integer, $2::integer, coalesce(i.merged_into_id, i.id), a.id, t.id,
       $6::timestamptz, $7::boolean
     from (select) one
     left join incidents i on i.id = $3
     left join assets a on a.id = $4
     left join towers t on t.id = $5
     where num_nonnulls($3::integer, $4::integer, $5::integer) = num_nonnulls(i.id, a.id, t.id)
       and ($2::integer is null or exists (select from email_followers where id = $2))
     on conflict (
       coalesce(email_follower_id, 0), coalesce(user_id, 0), coalesce(incident_id, 0),
       coalesce(asset_id, 0), coalesce(tower_id, 0)
     )
       do update set by_choice = true where (f.by_choice, excluded.by_choice) = (false, true)
     returning 1`,
    [...followerIds(who), incidentId, assetId, towerId, c.now, byChoice],
  )
  return rows.length > 0
}

/** Ends following it, an incident with what it is merged with. False when they did not follow. */
export async function unfollowByEmail(
  c: Change,
  who: Follower,
  { incidentId, assetId, towerId }: FollowedColumns,
): Promise<boolean> {
  const rows = await c.query(
    `delete from email_follows f
     where f.user_id is not distinct from $1 and f.email_follower_id is not distinct from $2
       and f.asset_id is not distinct from $4 and f.tower_id is not distinct from $5
       and case when $3::integer is null then f.incident_id is null
         else f.incident_id in (select id from incident_family($3::integer)) end
     returning 1`,
    [...followerIds(who), incidentId, assetId, towerId],
  )
  return rows.length > 0
}

/** An account starts to follow an asset, a tower or the building by email; twice has no effect. */
export async function followAsUser(actor: Actor, followed: FollowedColumns): Promise<void> {
  await change(actor, async (c) => {
    await lockedSelf(c)
    if (!(await followByEmail(c, { userId: actor.id! }, followed))) return c.noop()
    c.audit('user.followed', actor.id, { following: { before: null, after: followedText(followed) } })
  })
}

/** An account stops following one of these. Throws NotFound. */
export async function unfollowAsUser(actor: Actor, id: number): Promise<void> {
  await change(actor, async (c) => {
    const [gone]: { assetId: number | null; towerId: number | null }[] = await c
      .trx('email_follows')
      .where({ id, userId: actor.id! })
      .delete()
      .returning(['assetId', 'towerId'])
    const followed = followedText({ incidentId: null, ...orNotFound(gone) })
    c.audit('user.unfollowed', actor.id, { following: { before: followed, after: null } })
  })
}

/**
 * Ends what the actor follows of these, and remembers it: acting on them does not follow again
 * (decision 7.2). Returns the ids that were followed.
 */
export async function endFollowing(c: Change, incidentIds: readonly number[]): Promise<number[]> {
  // Waits for whoever acts on the incidents: an act that began before must not follow after this.
  await c.query('select from incidents where id = any ($1) order by id for share', [incidentIds])
  const rows = await c.query<{ id: number }>(
    `with ended as (
       delete from followers where incident_id = any ($1) and user_id = $2 returning incident_id
     ), remembered as (
       insert into unfollows (incident_id, user_id, created_at) select incident_id, $2, $3 from ended
       on conflict do nothing
     ) select incident_id as id from ended order by 1`,
    [incidentIds, c.actor.id, c.now],
  )
  return rows.map(({ id }) => id)
}
