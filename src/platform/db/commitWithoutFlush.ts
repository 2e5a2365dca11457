import type { Change } from './change.js'

/**
 * Makes the commit not wait for the disk, where the time of an answer must not tell addresses
 * apart. If the database server crashes within a second, the change is lost: here an email that has
 * to be asked for again.
 */
export async function commitWithoutFlush(c: Change): Promise<void> {
  await c.query('set local synchronous_commit to off')
}
