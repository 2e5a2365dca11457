import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { log } from '../../process/log.js'
import { tryLockStatements } from '../advisoryLocks.js'
import { builderOn, type Knex } from '../database.js'
import { withDedicatedConnection } from '../dedicatedConnection.js'

/** Milliseconds to wait for another release that migrates, and between two looks. */
const longestWait = 15 * 60_000
const lookEvery = 250

/**
 * Runs `work` on a connection of its own, under a lock that ends with the process, also when it is
 * killed. Throws when another process has held the lock for too long.
 */
export async function withMigrationLock<T>(work: (knex: Knex) => Promise<T>): Promise<T> {
  return withDedicatedConnection(async (holder) => {
    await takeLock(holder)
    return withDedicatedConnection(async (worker) => {
      // The server then stops a statement whose client was killed, so that the next release need
      // not wait for its end. Some systems cannot tell, and say so when it is set.
      await worker.query(`set client_connection_check_interval = '1s'`).catch(() => {})
      return work(builderOn(worker))
    })
  })
}

/**
 * Takes the lock, whose number is the same in every version, in a transaction that stays open
 * without a snapshot. Never waits inside a statement: a statement that waits has a snapshot, for
 * whose end an index that is built concurrently waits, for ever.
 */
async function takeLock(holder: pg.Client): Promise<void> {
  const until = performance.now() + longestWait
  for (let isFirst = true; ; isFirst = false) {
    await holder.query('begin; set local idle_in_transaction_session_timeout = 0')
    const { rows } = await holder.query<{ got: boolean }>(tryLockStatements.migrations)
    if (rows[0]!.got) return
    await holder.query('rollback')
    if (isFirst) log.warn('another process migrates this database: waiting for its end')
    if (performance.now() > until)
      throw new Error('Another process has been migrating this database for 15 minutes.')
    await sleep(lookEvery)
  }
}
