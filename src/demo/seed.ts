import { setTimeout as sleep } from 'node:timers/promises'
import { type Change, change } from '../platform/db/change.js'
import { type Query, query } from '../platform/db/database.js'
import { liveAssets } from '../status/queries/liveStatus.js'
import { changesBetween } from '../vocabulary/audit.js'
import { type Actor, systemActor } from '../vocabulary/people/actor.js'
import { DAY } from '../vocabulary/time/durations.js'
import { actsOf } from './acts.js'
import { build, buildingRequest } from './build.js'
import { stories } from './stories/index.js'
import { tell } from './tell.js'

/** Stores each asset's live status as announced, so that the first check sends no news (decision 3.5). */
export async function announceQuietly(c: Change): Promise<void> {
  for (const { id, announced, status } of await liveAssets(c.query, null)) {
    await c.query('update assets set announced_status = $2, announced_at = clock_timestamp() where id = $1', [
      id,
      status,
    ])
    if (announced === status) continue
    c.audit(
      'asset.status_changed',
      id,
      changesBetween({ announcedStatus: announced }, { announcedStatus: status }),
    )
  }
}

/** Advisory lock; any constant, the same in every version of Caretaker. */
export const seedLock = 726_002
/** Milliseconds: a demo building takes half a minute on a slow machine. */
const longestWait = 300_000
const lookEvery = 250
const endRequest = 'demo/end'
/** The building is set up before its first story; a later start derives the stories' `now` from it. */
const setUpBefore = 120 * DAY

/**
 * Fills an empty database with the demo (decision 5.4); false if there is an asset or a user already. One
 * process works under a lock; acts commit singly, so that a restart goes on where a killed start stopped.
 */
export async function seedDemo(): Promise<boolean> {
  if (!(await needsDemo())) return false
  const actor: Actor = { ...systemActor('cli'), requestId: endRequest }
  return change(actor, async (c) => {
    await waitForTurn(c)
    const found = await standing(c.query)
    if (isDone(found)) {
      c.noop()
      return false
    }
    const now = found.setUpAt ? new Date(found.setUpAt.getTime() + setUpBefore) : c.now
    if (!found.setUpAt) await build(new Date(now.getTime() - setUpBefore), now)
    await tell(actsOf(stories, now.getTime()))
    await announceQuietly(c)
    return true
  })
}

/** Whether the demo building is still to be made or completed. */
export async function needsDemo(): Promise<boolean> {
  return !isDone(await standing(query))
}

type Standing = { setUpAt: Date | null; ended: boolean; inhabited: boolean }

const isDone = ({ setUpAt, ended, inhabited }: Standing) => ended || (inhabited && setUpAt === null)

async function standing(run: Query): Promise<Standing> {
  const [row] = await run<Standing>(
    `select
       (select at from audit_entries where action = 'property.updated' and request_id = $1 limit 1) as "setUpAt",
       exists (select from audit_entries where action = 'asset.status_changed' and request_id = $2) as ended,
       exists (select from assets) or exists (select from users where not is_mobile_reporter) as inhabited`,
    [buildingRequest, endRequest],
  )
  return row!
}

/**
 * This transaction idles while the acts run on other connections: longer than the usual limits. It asks for the lock
 * again and again, as a statement that waits for it is cut off after seconds, and a slow machine fills for longer.
 */
async function waitForTurn(c: Change): Promise<void> {
  await c.query('set local idle_in_transaction_session_timeout = 0')
  const until = performance.now() + longestWait
  for (;;) {
    const [row] = await c.query<{ got: boolean }>('select pg_try_advisory_xact_lock($1) as got', [seedLock])
    if (row!.got) return
    if (performance.now() > until)
      throw new Error('Another process has been filling this database for minutes.')
    await sleep(lookEvery)
  }
}
