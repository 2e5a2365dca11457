import { type Change, change } from '../../change.js'
import { type Actor, systemActor } from '../../domain/accounts/actor.js'
import { changesBetween } from '../../domain/audit/audit.js'
import { bounds } from '../../domain/system/limits.js'
import type { Platform } from '../../models/accounts/device.js'
import { oneAtATime } from '../system/oneAtATime.js'

export type Registered = { token: string; platform: Platform; updatedAt: Date }

/**
 * Registers a phone for push (spec §4 rule 4), keyed on its token, which moves from another user (decision
 * 4.10). A repetition writes nothing. Beyond the limit the oldest devices are deleted.
 */
export async function registerDevice(
  actor: Actor,
  device: { token: string; platform: Platform },
): Promise<Registered> {
  return change(actor, async (c) => {
    const { token, platform } = device
    const after = { token, platform, userId: actor.id }
    const [before] = await c.query<Registered & { userId: number }>(
      'select token, platform, user_id as "userId", updated_at as "updatedAt" from devices where token = $1 for update',
      [token],
    )
    if (before && before.platform === platform && before.userId === actor.id) {
      c.noop()
      return before
    }
    const [row] = await c.query<{ id: number }>(
      `insert into devices (token, platform, user_id, created_at, updated_at) values ($1, $2, $3, $4, $4)
       on conflict (token) do update set platform = $2, user_id = $3, updated_at = $4 returning id`,
      [token, platform, actor.id, c.now],
    )
    const was = before && { token, platform: before.platform, userId: before.userId }
    c.audit('device.registered', row!.id, changesBetween(was ?? null, after))
    await forgetOldest(c, row!.id)
    return { ...device, updatedAt: c.now }
  })
}

async function forgetOldest(c: Change, registered: number): Promise<void> {
  const most = c.actor.via === 'mobile' ? bounds.devicesOfPhones : bounds.devices
  await oneAtATime(c, `devices:${c.actor.id}`)
  const forgotten = await c.query(
    `delete from devices where id in (
       select id from devices where user_id = $1 and id <> $2 order by updated_at desc, id desc offset $3
     ) returning 1`,
    [c.actor.id, registered, most - 1],
  )
  if (forgotten.length > 0)
    c.audit('device.removed', null, changesBetween({ devices: most + forgotten.length }, { devices: most }))
}

/** Deletes a device the push service no longer knows; no effect when it is gone. */
export async function forgetDevice(id: number): Promise<void> {
  await change(systemActor('scheduler'), async (c) => {
    const [gone] = await c.query<{ token: string; platform: Platform; userId: number }>(
      'delete from devices where id = $1 returning token, platform, user_id as "userId"',
      [id],
    )
    if (!gone) return c.noop()
    c.audit('device.removed', id, changesBetween(gone, null))
  })
}
