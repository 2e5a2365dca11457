import pg from 'pg'
import { noteDatabaseAnswer, noteLostConnection } from './availability.js'
import { Connection } from './connection.js'
import { acquireTimeout, databaseAddress, noteAndRethrow } from './pools.js'

/**
 * Opens a connection outside the pools, on which a statement may run for any time and nothing is
 * sent before what was sent earlier is answered. Whoever opens it ends it.
 */
export async function dedicatedConnection(): Promise<pg.Client> {
  const client = new Connection({ ...databaseAddress(), connectionTimeoutMillis: acquireTimeout })
  client.on('error', noteLostConnection)
  await client.connect().catch(noteAndRethrow)
  noteDatabaseAnswer()
  return client
}

/** Calls `work` with a connection of its own, and ends that afterwards. */
export async function withDedicatedConnection<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await dedicatedConnection()
  try {
    await client.query(`set timezone = 'UTC'`)
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Calls `work` with a connection to any server, which keeps only the driver's own rules, and closes
 * it afterwards.
 */
export async function withClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config)
  // A lost connection also rejects the statement under way, which is where it is handled.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
