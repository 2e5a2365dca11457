import { query } from '../../platform/db/database.js'

/** Number of people who said they are affected by an incident. */
export async function affectedBy(incidentId: number): Promise<number> {
  const [row] = await query<{ total: number }>('select total from affected_people($1)', [incidentId])
  return row!.total
}
