import { query } from './database.js'

/** The port of our database server; null over a local socket. */
export async function databasePort(): Promise<number | null> {
  const [row] = await query<{ port: number | null }>('select inet_server_port() as port')
  return row!.port
}
