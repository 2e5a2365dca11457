import { setTimeout as sleep } from 'node:timers/promises'
import { type Change, change } from '../change.js'
import { type Query, query } from '../database.js'
import { type Actor, systemActor } from '../domain/accounts/actor.js'
import { DAY } from '../domain/time/durations.js'
import { actsOf } from './acts.js'
import { announceQuietly } from './announce.js'
import { build, buildingRequest } from './build.js'
import { stories } from './stories/index.js'
import { tell } from './tell.js'

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
      throw new Error('Another process is still adding the demo building to this database.')
    await sleep(lookEvery)
  }
}
