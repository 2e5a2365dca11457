import pg from 'pg'

/**
 * Works in one transaction on a connection of its own, which may take hours: none of the limits of
 * requests apply. Commits when `work` resolves; otherwise nothing is kept. UTC and ISO dates, so
 * that rows read and write alike.
 */
export async function inLongTransaction<T>(
  url: string,
  begin: 'begin isolation level repeatable read read only' | 'begin',
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true })
  // A lost connection also rejects the statement under way, which is where it is handled.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(begin)
    await client.query(`set local statement_timeout = 0; set local lock_timeout = '10s';
      set local idle_in_transaction_session_timeout = 0; set local timezone = 'UTC';
      set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'`)
    const result = await work(client)
    await client.query('commit')
    return result
  } finally {
    await client.end().catch(() => undefined)
  }
}
