import { query } from '../platform/db/database.js'

/** The building's own id: random, made with the database, and the same in every copy of it. */
export async function buildingId(): Promise<string> {
  const [row] = await query<{ id: string }>('select building_id::text as id from building_identity')
  return row!.id
}
