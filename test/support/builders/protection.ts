import { query } from '../../../src/platform/db/database.js'
import { texts } from '../../../src/text/index.js'
import { changesBetween } from '../../../src/vocabulary/audit.js'
import { columnsOf, stampsOf, storedIncident } from './answers.js'
import { anIncident, type GivenIncident } from './incident.js'
import { accountOf, auditEntry, insertRow, momentAfter, updateRow } from './rows.js'

const { protection } = texts.en

/**
 * What the manager said is not a report: closed, and it did nothing to its asset. Returns its id.
 */
export async function aDismissed(given: GivenIncident = {}): Promise<number> {
  const id = await anIncident(given)
  const [by, incident] = [await accountOf('manager'), await storedIncident(id)]
  const at = await momentAfter(incident.createdAt)
  await query(rememberForUndo, [id])
  await query('delete from asset_impacts where incident_id = $1', [id])
  await updateRow('incidents', id, {
    ...columnsOf(stampsOf(incident, 'verified', at)),
    dismissed_at: at,
    closing_reason: null,
    expected_back_at: null,
    status_reason: null,
    reopened_at: null,
    unanswered_since: null,
  })
  await insertRow('incident_updates', {
    incident_id: id,
    author_id: by.id,
    body: protection.dismissedEntry,
    created_at: at,
    automatic: true,
  })
  const moved = changesBetween({ status: incident.status }, { status: 'verified' })
  await auditEntry({ by, action: 'incident.dismissed', entityId: id, at, changes: moved })
  return id
}

const rememberForUndo = `
  insert into dismissals (incident_id, status, acknowledged_at, resolved_at, verified_at, closing_reason,
    expected_back_at, status_reason, reopened_at, unanswered_since, impacts)
  select id, status, acknowledged_at, resolved_at, verified_at, closing_reason, expected_back_at, status_reason,
    reopened_at, unanswered_since, (
      select coalesce(jsonb_agg(jsonb_build_object('incidentId', incident_id, 'assetId', asset_id, 'impact', impact,
        'start', (extract(epoch from started_at) * 1000)::bigint, 'end', (extract(epoch from ended_at) * 1000)::bigint)
        order by started_at), '[]')
      from asset_impacts where incident_id = $1)
  from incidents where id = $1`

/**
 * An incident whose title and description the manager hid from everyone but staff. Returns its id.
 */
export async function aHidden(given: GivenIncident = {}): Promise<number> {
  const id = await anIncident(given)
  await query(
    `update incidents set hidden_title = title, hidden_description = description, title = $2, description = ''
     where id = $1`,
    [id, protection.hidden],
  )
  const changes = { text: { before: null, after: true } }
  await auditEntry({
    by: await accountOf('manager'),
    action: 'incident.hidden',
    entityId: id,
    at: await momentAfter(),
    changes,
  })
  return id
}
