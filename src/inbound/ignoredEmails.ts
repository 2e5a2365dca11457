import type { Change } from '../platform/db/change.js'
import { domainOf, type IgnoreReason, ignoredMails, ignoreReasons } from '../vocabulary/email/heldEmail.js'
import type { InboundMessage } from './emailIncident.js'
import type { Skipped } from './emailPhotos.js'
import { keepMail, NoRoom, whyKept } from './held/heldEmails.js'

/**
 * Keeps an ignored mail where staff can see it and make an incident of it (decision 4.5). Throws NoRoom in a
 * flood; then it is only counted.
 */
export async function keepIgnored(
  c: Change,
  letter: InboundMessage,
  skipped: Skipped,
  reason: IgnoreReason,
): Promise<void> {
  const domain = domainOf(letter.sender.address)
  await c.query(`select pg_advisory_xact_lock(hashtextextended('ignored mails', 0))`)
  const [hour] = await c.query<{ ofDomain: number; inAll: number }>(
    `select count(*) filter (where domain = $1)::integer as "ofDomain", count(*)::integer as "inAll"
     from held_mails where reason = any ($2) and received_at > now() - interval '1 hour'`,
    [domain, ignoreReasons],
  )
  if (hour!.ofDomain >= ignoredMails.perDomain || hour!.inAll >= ignoredMails.inAll)
    throw new NoRoom(domain, reason)
  await makeRoom(c)
  c.audit('mail.ignored', await keepMail(c, letter, skipped, reason), whyKept(letter, reason))
}

/** Removes the oldest mail of the domain with the most: one machine that writes for ever hides no other mail. */
async function makeRoom(c: Change): Promise<void> {
  await c.query(
    `delete from held_mails where id = (
       select id from held_mails m
       join (select domain, count(*) as mails from held_mails where reason = any ($1) group by domain) d using (domain)
       where reason = any ($1) and incident_id is null
       order by d.mails desc, received_at, id limit 1 for update of m skip locked
     ) and (select count(*) from held_mails where reason = any ($1)) >= $2`,
    [ignoreReasons, ignoredMails.kept],
  )
}
