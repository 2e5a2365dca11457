import { query } from '../../../src/platform/db/database.js'
import { pushedTo } from '../../../src/platform/ops/config.js'
import type { Status } from '../../../src/vocabulary/lifecycle.js'
import { type Answer, anAnswer, storedIncident } from './answers.js'
import { accountOf, insertRow, momentAfter } from './rows.js'

/**
 * As `anAnswer` with a status, and what tells its followers waits to be sent: an email and a push for each account that
 * wants it, and one row for those without an account. Webhooks hear nothing.
 */
export async function aToldAnswer(incidentId: number, answer: Answer & { status: Status }): Promise<number> {
  const { status: from, createdAt } = await storedIncident(incidentId)
  const by = await accountOf(answer.by ?? 'manager')
  const at = answer.at ?? (await momentAfter(createdAt))
  const updateId = await anAnswer(incidentId, { ...answer, at })
  const payload = JSON.stringify({ from, to: answer.status, updateId })
  await query(waitingMails, [incidentId, payload, at, by.id])
  await query(waitingPushes, [incidentId, payload, at, by.id, pushedTo()])
  const [outside] = await query(
    `select from mail_follows where incident_id in (
       select id from incidents where $1 in (id, merged_into_id)
       union select merged_into_id from incidents where id = $1) limit 1`,
    [incidentId],
  )
  if (outside)
    await insertRow('mail_events', {
      event: 'incident.status_changed',
      incident_id: incidentId,
      payload,
      created_at: at,
    })
  return updateId
}

const wants = (channel: string) => `coalesce((u.notifications ->> 'status.${channel}')::boolean, true)`

const waitingMails = `
  insert into outbox (kind, event, recipient_id, incident_id, payload, created_at, next_attempt_at)
  select 'mail', 'incident.status_changed', u.id, f.incident_id, $2::jsonb, $3::timestamptz, $3
  from followers f join users u on u.id = f.user_id
  where f.incident_id = $1 and u.active and not u.is_mobile_reporter and u.id <> $4 and ${wants('mail')}`

const waitingPushes = `
  insert into outbox (kind, event, recipient_id, incident_id, payload, created_at, next_attempt_at)
  select 'push', 'incident.status_changed', u.id, f.incident_id,
    $2::jsonb || jsonb_build_object('deviceId', d.id), $3::timestamptz, $3
  from followers f join users u on u.id = f.user_id join devices d on d.user_id = u.id
  where f.incident_id = $1 and d.platform = any ($5) and u.active and (u.id <> $4 or u.is_mobile_reporter) and ${wants('push')}`
