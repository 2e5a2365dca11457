import { type Query, query } from '../../platform/db/database.js'
import type { Listing } from '../../platform/db/listing.js'
import {
  type HoldReason,
  holdReasons,
  type IgnoreReason,
  type LastHour,
  quarantine,
  type SenderStanding,
} from '../../vocabulary/email/heldEmail.js'

/** Days a held mail is kept, sorted or not; `tidy` deletes it after that. */
export const heldMailDays = 30

export const heldStates = ['waiting', 'accepted', 'discarded', 'ignored'] as const
export type HeldState = (typeof heldStates)[number]

/** An email that waits for the office (decision 7.4), or an ignored one (4.5), as staff see it. */
export type HeldMail = {
  id: number
  receivedAt: Date
  state: HeldState
  reason: HoldReason | IgnoreReason
  domain: string
  senderName: string | null
  senderAddress: string | null
  title: string
  description: string
  photos: number
  skipped: { refused: string[]; later: string[] }
  incidentId: number | null
}

const listed = `
  select m.*, case when m.sorted_at is null then 'waiting' when m.incident_id is not null then 'accepted'
      when m.reason in (${holdReasons.map((reason) => `'${reason}'`).join(', ')}) then 'discarded' else 'ignored' end as state,
    (select count(*)::integer from held_photos p where p.held_mail_id = m.id) as photos
  from held_mails m`

/** Held mails, newest first. */
export const quarantineListing: Listing = {
  columns: `r.id, r.received_at as "receivedAt", r.state, r.reason, r.domain, r.sender_name as "senderName",
    r.sender_address as "senderAddress", r.title, r.description, r.photos, r.skipped, r.incident_id as "incidentId"`,
  from: `(${listed}) r`,
  search: `concat_ws(' ', r.sender_name, r.sender_address, r.title, r.description)`,
  sorts: {},
  filters: { state: 'r.state = $' },
}

/** Domains of several waiting mails, most first. */
export function crowdedDomains(): Promise<{ domain: string; mails: number }[]> {
  return query(
    `select domain, count(*)::integer as mails from held_mails where sorted_at is null and domain <> ''
     group by domain having count(*) > 1 order by mails desc, domain limit 20`,
  )
}

/**
 * Counts of mails that were not kept, by domain, most first; the empty domain stands for all
 * others.
 */
export function unkeptMails(): Promise<{ domain: string; mails: number; latestAt: Date }[]> {
  return query(
    `select domain, mails, latest_at as "latestAt" from unkept_mails order by domain = '', mails desc, domain`,
  )
}

/** What came in within the last hour that counts for this sender. */
export async function lastHour(
  query: Query,
  standing: SenderStanding,
  { address, domain }: { address: string; domain: string },
): Promise<LastHour> {
  const [row] = await query<LastHour>(
    `select count(*) filter (where sender = $2 and standing = $1)::integer as "ofSender",
       count(*) filter (where domain = $3 and standing = $1)::integer as "ofDomain",
       count(*) filter (where standing = $1)::integer as "inAll",
       count(*) filter (where told and standing <> 'proven')::integer as told
     from inbound_messages where standing is not null and received_at > now() - interval '1 hour'`,
    [standing, address, domain],
  )
  return row!
}

/** Whether one more email by this sender may wait for the office (decision 7.4). */
export async function mayWait(
  query: Query,
  { address, domain, hasAccount }: { address: string | null; domain: string; hasAccount: boolean },
): Promise<boolean> {
  const [row] = await query<{ inAll: number; strangers: number; ofDomain: number; ofSender: number }>(
    `select count(*)::integer as "inAll", count(*) filter (where not has_account)::integer as strangers,
       count(*) filter (where not has_account and domain = $1)::integer as "ofDomain",
       count(*) filter (where has_account and sender_address = $2)::integer as "ofSender"
     from held_mails where sorted_at is null`,
    [domain, address],
  )
  const { inAll, strangers, ofDomain, ofSender } = row!
  if (inAll >= quarantine.inAll) return false
  if (hasAccount) return ofSender < quarantine.perAccount
  return strangers < quarantine.inAll - quarantine.reserved && ofDomain < quarantine.strangersPerDomain
}

/** Whether there is room for photos of held mails, and for another held mail at all. */
export async function hasRoomForPhotos(): Promise<boolean> {
  const [row] = await query<{ room: boolean }>(
    `select (select count(*) from held_photos) < $1
       and (select count(*) from held_mails where sorted_at is null) < $2 as room`,
    [quarantine.photos, quarantine.inAll],
  )
  return row!.room
}
