import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { builderOn, dedicatedConnection, type Knex } from '../database.js'

/** Any constant works, as long as every version of Caretaker uses the same one. */
const migrationLock = 726_001

/** Milliseconds to wait for another release that migrates, and between two looks. */
const longestWait = 15 * 60_000
const lookEvery = 250

/**
 * Runs `work` on a connection of its own, under a lock that ends with the process, also when it is
 * killed. Throws when another process has held the lock for too long.
 */
export async function alone<T>(work: (knex: Knex) => Promise<T>): Promise<T> {
  const holder = await dedicatedConnection()
  try {
    await take(holder)
    const worker = await dedicatedConnection()
    try {
      await noticeDeath(worker)
      return await work(builderOn(worker))
    } finally {
      await worker.end()
    }
  } finally {
    await holder.end()
  }
}

/**
 * Takes the lock in a transaction that stays open without a snapshot. Never waits inside a
 * statement: a statement that waits has a snapshot, for whose end an index that is built
 * concurrently waits, for ever.
 */
async function take(holder: pg.Client): Promise<void> {
  const until = performance.now() + longestWait
  for (;;) {
    await holder.query('begin; set local idle_in_transaction_session_timeout = 0')
    const { rows } = await holder.query<{ got: boolean }>(
      `select pg_try_advisory_xact_lock(${migrationLock}) as got`,
    )
    if (rows[0]!.got) return
    await holder.query('rollback')
    if (performance.now() > until)
      throw new Error('Another process has been migrating this database for 15 minutes.')
    await sleep(lookEvery)
  }
}

/**
 * The server stops a statement whose client was killed, so that the next release need not wait for
 * its end.
 */
async function noticeDeath(worker: pg.Client): Promise<void> {
  // Some systems cannot tell, and say so when it is set.
  await worker.query(`set client_connection_check_interval = '1s'`).catch(() => {})
}
