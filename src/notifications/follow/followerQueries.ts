import { query } from '../../platform/db/database.js'
import { rowOf } from '../../platform/db/row.js'
import {
  type Count,
  type Counter,
  countAttempt,
  giveBack,
  type Limit,
} from '../../platform/http/protection/counters.js'
import { config } from '../../platform/process/config.js'
import {
  type EmailBudget,
  type LimitName,
  quietSites,
  strangerEmails,
} from '../../vocabulary/countedLimits.js'
import { domainOf } from '../../vocabulary/email/contactDetails.js'
import type { FollowedColumns } from '../../vocabulary/email/followed.js'

/**
 * A person without an account. `clicked`: they have pressed a button in an email of ours (decision
 * 7.4).
 */
export type EmailFollower = {
  id: number
  address: string
  locale: string
  clicked: boolean
  /** `refused`: their server did, three times; `asked`: they stopped all emails. */
  stopped: 'refused' | 'asked' | null
}

/** A row of `email_followers`: a person without an account. */
class FollowerByEmail extends rowOf<{
  address: string
  locale: string
  clickedAt: Date | null
  stoppedAt: Date | null
  stoppedWhy: EmailFollower['stopped']
}>() {
  static override tableName = 'email_followers'
}

export async function findEmailFollower(id: number): Promise<EmailFollower | null> {
  const row = await FollowerByEmail.query().findById(id)
  if (!row) return null
  const { address, locale, clickedAt, stoppedWhy: stopped } = row
  return { id, address, locale, clicked: clickedAt !== null, stopped }
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
  const rows = await query<{ id: number }>('userId' in who ? followedByUser : followedByAddress, [
    ids,
    'userId' in who ? who.userId : who.emailFollowerId,
  ])
  return new Set(rows.map(({ id }) => id))
}

const followedByUser = `
  select i.id from followers f join incidents i on f.incident_id in (i.id, i.merged_into_id)
  where i.id = any ($1) and f.user_id = $2`

const followedByAddress = `
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

const perDay: Limit = { name: 'stranger-mails', points: strangerEmails.perDay, seconds: 86_400 }

/** Of these, what emails can spend that are not proven, and what one site can ask for. */
const unprovenPerDay: Limit = {
  ...perDay,
  name: 'stranger-mails-unproven',
  points: strangerEmails.unprovenPerDay,
}
const perDayOfSite: Limit = { ...perDay, name: 'stranger-mails-site', points: strangerEmails.perSite }

/** A share of what strangers are sent of a budget in an hour. */
function shareOf(name: LimitName, budget: EmailBudget, share: number): Limit {
  return { name, points: Math.floor(strangerEmails.perHour[budget] * share), seconds: 3_600 }
}

const inAll = (budget: EmailBudget): Limit => shareOf(`${budget}-emails`, budget, 1)
const perDomain = (budget: EmailBudget): Limit =>
  shareOf(`${budget}-emails-domain`, budget, strangerEmails.share)

/** No network spends more than a quarter, either; less where the operator says so. */
const perNetwork: Limit = {
  name: 'confirmation-emails-network',
  points: Math.min(perDomain('confirmation').points, config.throttles.follows || Number.POSITIVE_INFINITY),
  seconds: 3_600,
}

/** What can be spent of them by networks that have got their first few, and by forged emails. */
const busyInAll = (budget: EmailBudget): Limit =>
  shareOf(`${budget}-emails-busy`, budget, quietSites.busyShare)
const busyPerDomain = (budget: EmailBudget): Limit =>
  shareOf(`${budget}-emails-domain-busy`, budget, strangerEmails.share * quietSites.busyShare)

/** Why there is an email: who asked for it (see `siteTag`), or which email it answers. */
type EmailOccasion = { network: string | null; isProven: boolean }

/** An email that may be sent; `takeBack` uncounts it when it was not. */
type Allowance = { takeBack: () => Promise<void> }

/**
 * Counts an email to a person who has pressed no button of ours yet (decision 7.4). Above a limit:
 * the seconds to wait, and nothing is counted. No domain, and no network that asks for
 * confirmations (`network`, see `siteTag`), can spend more than its share of a budget. Half of the
 * budget and of each domain's share is kept for networks that have got fewer than three, and for
 * answers to emails that are proven: a few networks, or forged emails, with any number of domains
 * leave room for everyone else (decision 9.10).
 */
export async function allowEmail(
  { id, address, clicked }: EmailFollower,
  budget: EmailBudget,
  { network, isProven }: EmailOccasion,
): Promise<Allowance | { wait: number }> {
  if (clicked) return { takeBack: async () => {} }
  const own = await take(ownCounters(budget, network, { id, isProven }))
  if ('wait' in own) return own
  const isBusy =
    budget === 'acknowledgement'
      ? !isProven
      : own.taken.some(({ limit, points }) => limit === perNetwork && points > quietSites.most)
  const domain = domainOf(address)
  const shared = await take([
    { limit: perDay, who: String(id) },
    ...(isBusy ? [{ limit: busyPerDomain(budget), who: domain }] : []),
    { limit: perDomain(budget), who: domain },
    ...(isBusy ? [{ limit: busyInAll(budget), who: 'all' }] : []),
    { limit: inAll(budget), who: 'all' },
  ])
  if ('wait' in shared) {
    await giveBack(own.taken)
    return shared
  }
  return { takeBack: () => giveBack([...own.taken, ...shared.taken]) }
}

/** The counters of this network, or of emails that only say that they come from the address. */
function ownCounters(
  budget: EmailBudget,
  network: string | null,
  { id, isProven }: { id: number; isProven: boolean },
): Counter[] {
  if (budget === 'acknowledgement') return isProven ? [] : [{ limit: unprovenPerDay, who: String(id) }]
  if (network === null) return []
  return [
    { limit: perNetwork, who: network },
    { limit: perDayOfSite, who: `${id} ${network}` },
  ]
}

/** Counts by all of these, or by none when one of them is spent: then the seconds to wait. */
async function take(counters: Counter[]): Promise<{ taken: Count[] } | { wait: number }> {
  if (counters.length === 0) return { taken: [] }
  const counts = await countAttempt(counters)
  const spent = counts.find(({ points, limit }) => points > limit.points)
  if (!spent) return { taken: counts }
  await giveBack(counts.filter((count) => count !== spent))
  return { wait: spent.wait }
}

/** Notes the name of an email that is about to be sent: a bounce that quotes it is believed. */
export async function nameEmail(outboxId: number, messageName: string): Promise<void> {
  await query('update outbox set message_name = $2 where id = $1 and message_name is null', [
    outboxId,
    messageName,
  ])
}

/**
 * Emails to people without an account, as staff see them: how many follow, what the limits kept in
 * 24 hours, and stopped addresses.
 */
type AddressEmails = { followers: number; heldBack: number; stopped: string[]; moreStopped: number }

/** Addresses named at most. */
const mostStopped = 20

export async function addressEmails(): Promise<AddressEmails> {
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
    FollowerByEmail.query()
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
