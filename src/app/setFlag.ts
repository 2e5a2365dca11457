import { change } from '../platform/db/change.js'
import { changesBetween } from '../vocabulary/audit.js'
import type { FlagName } from '../vocabulary/flags.js'
import type { Actor } from '../vocabulary/people/actor.js'

/** Turns a feature on or off (decision 6.2); writes nothing when it is so already. */
export async function setFlag(actor: Actor, name: FlagName, enabled: boolean): Promise<void> {
  await change(actor, async (c) => {
    await c.query('insert into feature_flags (name) values ($1) on conflict do nothing', [name])
    const [stored] = await c.query<{ enabled: boolean }>(
      'select enabled from feature_flags where name = $1 for update',
      [name],
    )
    if (stored!.enabled === enabled) return c.noop()
    await c.trx('feature_flags').where({ name }).update({ enabled, updatedAt: c.now })
    c.audit('feature_flag.updated', null, changesBetween({ [name]: stored!.enabled }, { [name]: enabled }))
  })
}
