import { query } from '../../../src/platform/db/database.js'
import type { Status } from '../../../src/vocabulary/lifecycle.js'
import { type Answer, anAnswer, storedIncident } from './answers.js'
import { accountOf, momentAfter } from './rows.js'

/** As `anAnswer` with a status, and its event waits to be told. */
export async function aNotifiedAnswer(
  incidentId: number,
  answer: Answer & { status: Status },
): Promise<number> {
  const { status: from, createdAt } = await storedIncident(incidentId)
  const by = await accountOf(answer.by ?? 'manager')
  const at = answer.at ?? (await momentAfter(createdAt))
  const updateId = await anAnswer(incidentId, { ...answer, at })
  await query(
    `insert into events (event, incident_id, fact, details, actor_id, occurred_at, created_at)
     select 'incident.status_changed', i.id, json_build_object('id', i.id, 'title', i.title,
       'severity', i.severity, 'status', i.status, 'slaBreached', i.sla_breached, 'source', i.source, 'assetId', i.asset_id), $2, $3, $4, $4 from incidents i where i.id = $1`,
    [incidentId, { from, to: answer.status, updateId }, by.id, at],
  )
  return updateId
}
