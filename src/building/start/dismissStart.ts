import { change } from '../../platform/db/change.js'
import type { Actor } from '../../vocabulary/people/actor.js'

/** Ends the checklist of first steps; nothing when it was ended before. */
export async function dismissStart(actor: Actor): Promise<void> {
  await change(actor, async (c) => {
    const [ended] = await c.query(
      'update properties set start_dismissed_at = $1 where start_dismissed_at is null returning id',
      [c.now],
    )
    if (ended) c.audit('property.start_dismissed', 1)
    else c.noop()
  })
}
