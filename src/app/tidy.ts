import { heldEmailDays } from '../inbound/held/holdEmail.js'
import { sweepPhotosForTidy, whyNoSweep } from '../incidents/model/photos/buildingPhotoStore.js'
import { query } from '../platform/db/database.js'
import { removeOldEmails } from '../platform/mail/emailFolder.js'
import { trashPhotos } from '../platform/photos/photoFiles.js'
import { removeStaleFiles } from '../platform/process/files.js'
import { guestReportMinutes } from '../vocabulary/guestReports.js'
import { limits } from '../vocabulary/limits.js'

const hour = 3_600_000

/**
 * Rows that are deleted after a time. `printedAs`: the name of their number in the output of
 * `npm run tidy`, which operators may read by program; `value`: of `$1` in the SQL.
 */
type RetentionRule = { printedAs: string; sql: string; value?: number }

/**
 * Incidents and audit entries are never deleted. Browsers still get push messages when their
 * session has run out; a session that is ended takes its browser along (decision 4.10).
 */
const retentionRules: readonly RetentionRule[] = [
  // A day longer than a session lives: a form sent late can still be matched with its user.
  {
    printedAs: 'sessions',
    sql: `with ended as (
       select id_hash from sessions
       where expires_at < now() - interval '1 day' or last_seen_at < now() - interval '8 days'
     ), kept as (
       update devices set session_hash = null where session_hash in (select id_hash from ended)
     )
     delete from sessions where id_hash in (select id_hash from ended)`,
  },
  {
    printedAs: 'idempotencyKeys',
    sql: `delete from idempotency_keys where created_at < now() - interval '25 hours'`,
  },
  {
    printedAs: 'links',
    sql: `delete from email_links where coalesce(expires_at, created_at) < now() - interval '1 day'`,
  },
  {
    printedAs: 'guestReports',
    sql: 'delete from guest_reports where kept_at < now() - make_interval(mins => $1)',
    value: guestReportMinutes,
  },
  { printedAs: 'pendingSignIns', sql: 'delete from pending_sign_ins where expires_at < now()' },
  {
    printedAs: 'secondFactorsBegun',
    sql: `delete from second_factors where confirmed_at is null and created_at < now() - interval '1 day'`,
  },
  { printedAs: 'devices', sql: `delete from known_devices where last_seen_at < now() - interval '400 days'` },
  { printedAs: 'throttles', sql: `delete from throttles where expire < epoch_ms(now())` },
  {
    printedAs: 'deliveries',
    sql: 'delete from webhook_deliveries where created_at < now() - make_interval(days => $1)',
    value: limits.deliveryDays,
  },
  {
    printedAs: 'messages',
    sql: `delete from outbox where created_at < now() - make_interval(days => $1)
       and (sent_at is not null or failed_at is not null)`,
    value: limits.deliveryDays,
  },
  {
    printedAs: 'heldEmails',
    sql: 'delete from held_emails where received_at < now() - make_interval(days => $1)',
    value: heldEmailDays,
  },
  {
    printedAs: 'droppedEmails',
    sql: 'delete from dropped_emails where latest_at < now() - make_interval(days => $1)',
    value: heldEmailDays,
  },
  {
    printedAs: 'unconfirmed',
    sql: `delete from email_followers m where wrote_at is null and clicked_at is null
       and created_at < now() - interval '1 day'
       and not exists (select from email_links l where l.email_follower_id = m.id and l.purpose in ('follow', 'sign_up'))`,
  },
  {
    printedAs: 'emailFollowers',
    sql: `delete from email_followers m where created_at < now() - interval '30 days'
       and coalesce(stopped_at, '-infinity') < now() - interval '30 days'
       and (stopped_at is not null or not exists (select from email_follows f where f.email_follower_id = m.id))
       and not exists (select from outbox o where o.email_follower_id = m.id)`,
  },
  { printedAs: 'emailEvents', sql: `delete from email_events where created_at < now() - interval '1 day'` },
  {
    printedAs: 'plannedWork',
    sql: `delete from maintenance_reminders where sent_at < now() - interval '60 days'`,
  },
  {
    printedAs: 'ticks',
    sql: `delete from job_runs where job = 'tick' and started_at < now() - interval '1 day'`,
  },
  { printedAs: 'runs', sql: `delete from job_runs where started_at < now() - interval '180 days'` },
]

/**
 * Deletes expired rows, abandoned photos and files of killed uploads. Returns how many of each, and
 * why photos were left alone.
 */
export async function tidy(uploadDir: string): Promise<Record<string, number | string>> {
  const removed: Record<string, number | string> = {}
  for (const { printedAs, sql, value } of retentionRules)
    removed[printedAs] = (await query(`${sql} returning 1`, value === undefined ? [] : [value])).length
  removed.stagedPhotos = (await whyNoSweep()) ? 0 : await forgetStaged()
  removed.uploads = await removeStaleFiles(uploadDir, hour)
  removed.emailFiles = await removeOldEmails()
  return { ...removed, ...(await sweepPhotosForTidy()) }
}

/** Staged photos of abandoned forms: rows first, so that no row ever points at a missing file. */
async function forgetStaged(): Promise<number> {
  const staged = await query<{ path: string }>(
    `delete from staged_photos where created_at < now()
       - case when browser_hash is null then interval '1 day' else interval '2 hours' end returning path`,
  )
  await trashPhotos(staged)
  return staged.length
}
