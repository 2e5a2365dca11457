import { query } from '../../../src/platform/db/database.js'
import { accountOf, type Person } from './acting.js'

/**
 * A report is followed by exactly these people, whoever they are and whatever they chose before;
 * they do not count as affected by it.
 */
export async function followOnly(report: number, people: readonly Person[]): Promise<void> {
  await query('delete from followers where incident_id = $1', [report])
  for (const person of people) {
    const { id } = await accountOf(person)
    await query('insert into followers (incident_id, user_id) values ($1, $2)', [report, id])
  }
}
