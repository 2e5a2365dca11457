import { setTimeout as sleep } from 'node:timers/promises'
import { User } from '../accounts/users/user.js'
import { advisoryLocks } from '../platform/db/advisoryLocks.js'
import { type Change, change } from '../platform/db/change.js'
import { type Query, query } from '../platform/db/database.js'
import { liveAssets } from '../status/queries/liveStatus.js'
import { changesBetween } from '../vocabulary/audit.js'
import { type Actor, systemActor } from '../vocabulary/people/actor.js'
import { demoEmails } from '../vocabulary/people/demo.js'
import { DAY } from '../vocabulary/time/calendar.js'
import { buildDirectory, buildingRequest } from './buildDirectory.js'
import { performActs } from './performActs.js'
import { actsOf, stories } from './story.js'

/** Stores each live status as announced, so that the first check sends no news (decision 3.5). */
export async function announceQuietly(c: Change): Promise<void> {
  for (const { id, announced, status } of await liveAssets(c.query)) {
    await c
      .trx('assets')
      .where({ id })
      .update({ announcedStatus: status, announcedAt: c.trx.raw('clock_timestamp()') })
    if (announced === status) continue
    c.audit(
      'asset.status_changed',
      id,
      changesBetween({ announcedStatus: announced }, { announcedStatus: status }),
    )
  }
}

/** Milliseconds: a demo building takes half a minute on a slow machine. */
const longestWait = 300_000
const retryEvery = 250
const endRequest = 'demo/end'
/** The building is set up before its first story; a later start derives `now` from it. */
const setUpBefore = 120 * DAY

/**
 * Fills an empty database with the demo (decision 5.4); false if there is an asset or a user
 * already. One process works: its transaction holds the lock and announces at the end, while the
 * acts commit one by one on other connections: a restart goes on where a killed start stopped.
 */
export async function seedDemo(): Promise<boolean> {
  if (!(await needsDemo())) return false
  const actor: Actor = { ...systemActor('cli'), requestId: endRequest }
  return change(actor, async (c) => {
    await waitForTurn(c)
    const state = await seedState(c.query)
    if (isDone(state)) {
      c.noop()
      return false
    }
    const now = state.setUpAt ? new Date(state.setUpAt.getTime() + setUpBefore) : c.now
    if (!state.setUpAt) await buildDirectory(new Date(now.getTime() - setUpBefore), now)
    await performActs(actsOf(stories(), now.getTime()))
    await announceQuietly(c)
    return true
  })
}

/** Whether the demo building is still to be made or completed. */
export async function needsDemo(): Promise<boolean> {
  return !isDone(await seedState(query))
}

/** The addresses of the demo's accounts that this building has and that can sign in. */
export async function demoAccounts(): Promise<string[]> {
  const users = await User.query().where({ active: true }).whereIn('email', demoEmails)
  return demoEmails.filter((address) => users.some(({ email }) => email === address))
}

type SeedState = { setUpAt: Date | null; ended: boolean; inhabited: boolean }
const isDone = ({ setUpAt, ended, inhabited }: SeedState) => ended || (inhabited && setUpAt === null)

async function seedState(run: Query): Promise<SeedState> {
  const [row] = await run<SeedState>(
    `select
       (select at from audit_entries where action = 'property.updated' and request_id = $1 limit 1) as set_up_at,
       exists (select from audit_entries where action = 'asset.status_changed' and request_id = $2) as ended,
       exists (select from assets) or exists (select from users where not is_mobile_reporter) as inhabited`,
    [buildingRequest, endRequest],
  )
  return row!
}

/**
 * Takes the lock. It is asked for again and again, because a statement that waits for it is cut off
 * after seconds, and a slow machine fills for longer. The transaction then idles longer than the
 * usual limit.
 */
async function waitForTurn(c: Change): Promise<void> {
  await c.query('set local idle_in_transaction_session_timeout = 0')
  const until = performance.now() + longestWait
  for (;;) {
    const [row] = await c.query<{ isLocked: boolean }>('select pg_try_advisory_xact_lock($1) as is_locked', [
      advisoryLocks.demo,
    ])
    if (row!.isLocked) return
    if (performance.now() > until)
      throw new Error('Another process is still adding the demo building to this database.')
    await sleep(retryEvery)
  }
}
