import pg from 'pg'
import type { Query } from '../../../src/database.js'

/** One connection as the role of this address, for as long as `act` takes. */
export async function asOwnerOf<T>(address: string, act: (query: Query) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: address })
  client.on('error', () => {})
  await client.connect()
  try {
    return await act(async (text, values = []) => (await client.query(text, values)).rows)
  } finally {
    await client.end()
  }
}
