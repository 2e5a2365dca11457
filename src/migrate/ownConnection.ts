import { inSnapshot, type Knex } from '../database.js'

/**
 * Throws when a pooler shares the migration's connection between transactions: what is set on it for statements that
 * stand alone, such as no time limit, would stay behind on connections that others are lent.
 */
export async function requireOwnConnection(knex: Knex): Promise<void> {
  const own = await backendOf(knex)
  const shared = await inSnapshot(async (query) => {
    const [other] = await query<{ pid: number }>('select pg_backend_pid() as pid')
    // The pooler lends this transaction the server's process that was ours, or us another one meanwhile.
    return other!.pid === own || (await backendOf(knex)) !== own
  })
  if (shared)
    throw new Error(
      'This connection goes through a pooler. To migrate, set MIGRATION_DATABASE_URL to connect to PostgreSQL directly.',
    )
}

/** The server's process that answers. */
async function backendOf(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}
