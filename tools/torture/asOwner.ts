import pg from 'pg'
import { type Query, queryOn } from '../../src/platform/db/database.js'

/** One connection as the role of this address, for as long as `act` takes. */
export async function asOwnerOf<T>(address: string, act: (query: Query) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: address })
  client.on('error', () => {})
  await client.connect()
  try {
    // The questions of a checker may take longer than a request's: they go
    // through all of a long run.
    await client.query('set statement_timeout = 0')
    return await act(queryOn(client))
  } finally {
    await client.end()
  }
}
