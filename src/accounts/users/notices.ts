import type { Change } from '../../platform/db/change.js'
import { knownDeviceHash } from '../../platform/http/session/sessionTable.js'
import { deviceOf } from '../../platform/http/session/userAgent.js'
import { enqueueEmail } from '../../platform/outbox/enqueueEmail.js'

/**
 * Emails to users about their own account. They cannot be turned off, because someone else may have
 * acted (decision 7.12).
 */
export const securityNotices = [
  'new_device',
  'password_changed',
  'email_changed',
  'second_factor_on',
  'second_factor_off',
  'second_factor_reset',
  'recovery_codes_made',
  'recovery_code_used',
  'identity_linked',
  'identity_unlinked',
] as const
type Notice = (typeof securityNotices)[number]

/**
 * `by`: the person, or the office (whose device is not named). `to`: the account's address until
 * this act.
 */
export type NoticeFacts = {
  notice: Notice
  by: 'self' | 'office'
  browser: string | null
  system: string | null
  to?: string
}

/** Emails about new browsers per account and day. */
const newDevicesADay = 3
/** Browsers remembered per account: scripts without cookies look like a new one each time. */
const devicesKept = 50

/**
 * Queues an email to the user about a change to the account. `to`: their former address, when it
 * goes there instead.
 */
export async function enqueueNotice(
  c: Change,
  userId: number,
  notice: Notice,
  { to, userAgent }: { to?: string | undefined; userAgent?: string } = {},
): Promise<void> {
  const facts: NoticeFacts = {
    notice,
    by: c.actor.id === userId ? 'self' : 'office',
    ...deviceOf(userAgent ?? (c.actor.id === userId ? await ownUserAgent(c) : '')),
    ...(to ? { to } : {}),
  }
  await enqueueEmail(c, 'account.notice', { users: [userId] }, { payload: facts })
}

async function ownUserAgent(c: Change): Promise<string> {
  const { sessionHash } = c.actor
  if (!sessionHash) return ''
  const session = await c.trx('sessions').where({ idHash: sessionHash }).first('userAgent')
  return session?.userAgent ?? ''
}

/**
 * Remembers the browser of a sign-in and emails the user about a new one, except the account's
 * first.
 */
export async function noteDevice(
  c: Change,
  { device, userAgent }: { device: string; userAgent: string },
): Promise<void> {
  const userId = c.actor.id!
  const hash = knownDeviceHash(userId, device)
  const [before] = await c.query<{ any: boolean; emailed: number }>(
    `select exists (select from known_devices where user_id = $1) as any,
       (select count(*) from outbox where recipient_id = $1 and event = 'account.notice'
         and payload ->> 'notice' = 'new_device' and created_at > $2::timestamptz - interval '1 day') as emailed`,
    [userId, c.now],
  )
  const [noted] = await c.query<{ isNew: boolean }>(
    `insert into known_devices (user_id, device_hash, last_seen_at) values ($1, $2, $3)
     on conflict (user_id, device_hash) do update set last_seen_at = excluded.last_seen_at
     returning xmax = 0 as is_new`,
    [userId, hash, c.now],
  )
  if (!noted!.isNew) return
  await c.query(
    `delete from known_devices where user_id = $1 and device_hash in (
       select device_hash from known_devices where user_id = $1 order by last_seen_at desc offset $2)`,
    [userId, devicesKept],
  )
  if (before!.any && before!.emailed < newDevicesADay)
    await enqueueNotice(c, userId, 'new_device', { userAgent })
}
