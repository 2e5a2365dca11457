import { query } from '../../../src/platform/db/database.js'
import { type IncidentFact, incidentFact } from '../../../src/vocabulary/events.js'
import type { Status } from '../../../src/vocabulary/lifecycle.js'
import { type Answer, anAnswer, storedIncident } from './answers.js'
import { accountOf, insertRow, momentAfter } from './rows.js'

/** As `anAnswer` with a status, and its event waits to be handed on. */
export async function aNotifiedAnswer(
  incidentId: number,
  answer: Answer & { status: Status },
): Promise<number> {
  const { status: from, createdAt } = await storedIncident(incidentId)
  const by = await accountOf(answer.by ?? 'manager')
  const at = answer.at ?? (await momentAfter(createdAt))
  const updateId = await anAnswer(incidentId, { ...answer, at })
  const [answered] = await query<IncidentFact>('select * from incidents where id = $1', [incidentId])
  await insertRow('events', {
    event: 'incident.status_changed',
    incident_id: incidentId,
    fact: incidentFact(answered!),
    details: { from, to: answer.status, updateId },
    actor_id: by.id,
    occurred_at: at,
    created_at: at,
  })
  return updateId
}
