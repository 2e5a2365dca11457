import { heldEmailDays } from '../inbound/held/holdEmail.js'
import { sweepPhotosForTidy, whyPhotosStay } from '../incidents/model/photos/buildingPhotoStore.js'
import { query } from '../platform/db/database.js'
import { removeOldEmails } from '../platform/mail/outboxFolder.js'
import { trashPhotos } from '../platform/photos/photoFiles.js'
import { removeStaleFiles } from '../platform/process/files.js'
import { guestReportMinutes } from '../vocabulary/guestReports.js'

const hour = 3_600_000

/**
 * Rows kept for a limited time only. Incidents and audit entries are never deleted. Browsers go on
 * being told of what is followed when their session has run out; one that is ended takes its
 * browser along (decision 4.10).
 */
const keptFor: [what: string, sql: string, value?: number][] = [
  // A day longer than a session lives: a form sent late can still be matched with its user.
  [
    'sessions',
    `with ended as (
       select id_hash from sessions
       where expires_at < now() - interval '1 day' or last_seen_at < now() - interval '8 days'
     ), kept as (
       update devices set session_hash = null where session_hash in (select id_hash from ended)
     )
     delete from sessions where id_hash in (select id_hash from ended)`,
  ],
  ['idempotencyKeys', `delete from idempotency_keys where created_at < now() - interval '25 hours'`],
  ['links', `delete from email_links where coalesce(expires_at, created_at) < now() - interval '1 day'`],
  [
    'guestReports',
    'delete from guest_reports where kept_at < now() - make_interval(mins => $1)',
    guestReportMinutes,
  ],
  ['pendingSignIns', 'delete from pending_sign_ins where expires_at < now()'],
  [
    'secondFactorsBegun',
    `delete from second_factors where confirmed_at is null and created_at < now() - interval '1 day'`,
  ],
  ['devices', `delete from known_devices where last_seen_at < now() - interval '400 days'`],
  ['throttles', `delete from throttles where expire < epoch_ms(now())`],
  ['deliveries', `delete from webhook_deliveries where created_at < now() - interval '30 days'`],
  [
    'messages',
    `delete from outbox where created_at < now() - interval '30 days' and (sent_at is not null or failed_at is not null)`,
  ],
  [
    'heldEmails',
    'delete from held_emails where received_at < now() - make_interval(days => $1)',
    heldEmailDays,
  ],
  [
    'droppedEmails',
    'delete from dropped_emails where latest_at < now() - make_interval(days => $1)',
    heldEmailDays,
  ],
  [
    'unconfirmed',
    `delete from email_followers m where wrote_at is null and clicked_at is null
       and created_at < now() - interval '1 day'
       and not exists (select from email_links l where l.email_follower_id = m.id and l.purpose in ('follow', 'sign_up'))`,
  ],
  [
    'emailFollowers',
    `delete from email_followers m where created_at < now() - interval '30 days'
       and coalesce(stopped_at, '-infinity') < now() - interval '30 days'
       and (stopped_at is not null or not exists (select from email_follows f where f.email_follower_id = m.id))
       and not exists (select from outbox o where o.email_follower_id = m.id)`,
  ],
  ['emailEvents', `delete from email_events where created_at < now() - interval '1 day'`],
  ['plannedWork', `delete from maintenance_reminders where sent_at < now() - interval '60 days'`],
  ['ticks', `delete from job_runs where job = 'tick' and started_at < now() - interval '1 day'`],
  ['runs', `delete from job_runs where started_at < now() - interval '180 days'`],
]

/**
 * Deletes expired rows, abandoned photos and files of killed uploads. Returns how many of each, and
 * why photos were left alone.
 */
export async function tidy(uploadDir: string): Promise<Record<string, number | string>> {
  const removed: Record<string, number | string> = {}
  for (const [what, sql, value] of keptFor)
    removed[what] = (await query(`${sql} returning 1`, value === undefined ? [] : [value])).length
  removed.stagedPhotos = (await whyPhotosStay()) ? 0 : await forgetStaged()
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
