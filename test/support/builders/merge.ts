import { query } from '../../../src/platform/db/database.js'
import { texts } from '../../../src/text/index.js'
import { changesBetween } from '../../../src/vocabulary/audit.js'
import { breachOf, columnsOf, keepImpacts, stampsOf, storedIncident } from './answers.js'
import { anIncident, type GivenIncident } from './incident.js'
import { accountOf, auditEntry, insertRow, momentAfter, type Person, updateRow } from './rows.js'

/** Two incidents, the first merged into the second by the manager a moment ago. */
export async function aMergedPair(
  given: { duplicate?: GivenIncident; survivor?: GivenIncident } = {},
): Promise<{ duplicateId: number; survivorId: number }> {
  const survivorId = await anIncident(given.survivor)
  const duplicateId = await anIncident(given.duplicate)
  await aMerge(duplicateId, survivorId)
  return { duplicateId, survivorId }
}

/**
 * Merges a duplicate without an answer of the office and without duplicates of its
 * own, as the product would.
 */
export async function aMerge(
  duplicateId: number,
  survivorId: number,
  given: { by?: Person; at?: Date } = {},
): Promise<void> {
  const by = await accountOf(given.by ?? 'manager')
  const [duplicate, survivor] = [await storedIncident(duplicateId), await storedIncident(survivorId)]
  if (duplicate.assigneeId ?? duplicate.contactId ?? duplicate.expectedBackAt ?? duplicate.statusReason)
    throw new Error('the survivor would take over what the office said of the duplicate: not built')
  const at = given.at ?? (await momentAfter())
  const stamps = stampsOf(duplicate, 'verified', at)
  const bothOpen = duplicate.resolvedAt === null && survivor.resolvedAt === null
  const joined = duplicate.isDowntime && bothOpen && duplicate.assetId === survivor.assetId
  const { id: updateId } = await insertRow('incident_updates', {
    incident_id: survivorId,
    author_id: by.id,
    body: texts.en.merging.mergedEntry(duplicateId),
    created_at: at,
    automatic: true,
  })
  await insertRow('merges', {
    duplicate_id: duplicateId,
    survivor_id: survivorId,
    update_id: updateId,
    merged_at: at,
    merged_by: by.id,
    brought: [],
    status: duplicate.status,
    acknowledged_at: duplicate.acknowledgedAt,
    resolved_at: duplicate.resolvedAt,
    verified_at: duplicate.verifiedAt,
    sla_breached_at: duplicate.slaBreachedAt,
    joined,
    was_downtime: survivor.isDowntime,
    was_down_since: survivor.downtimeStartedAt,
    was_back_at: survivor.reopenedAt,
    was_unanswered_since: survivor.unansweredSince,
    answered: bothOpen,
    was_assignee_id: survivor.assigneeId,
    was_contact_id: survivor.contactId,
    was_due_on: survivor.dueOn,
    was_expected_back_at: survivor.expectedBackAt,
    was_status_reason: survivor.statusReason,
  })
  const breach = breachOf(duplicate, stamps)
  await updateRow('incidents', duplicateId, {
    ...columnsOf({ ...stamps, ...breach }),
    merged_into_id: survivorId,
  })
  await query(bringFollowers, [duplicateId, survivorId, by.id, at])
  await query(bringWaiting, [duplicateId, survivorId])
  const becomesDowntime = joined && !survivor.isDowntime
  if (becomesDowntime)
    await updateRow('incidents', survivorId, { is_downtime: true, downtime_started_at: at })
  for (const id of [duplicateId, survivorId]) await keepImpacts(id, at)
  const { status, resolvedAt, slaBreached } = duplicate
  const moved = { status: stamps.status, resolvedAt: stamps.resolvedAt, mergedIntoId: survivorId }
  await auditEntry({
    by,
    action: 'incident.merged',
    entityId: duplicateId,
    at,
    changes: {
      ...changesBetween(
        { status, resolvedAt, mergedIntoId: null, slaBreached },
        { ...moved, slaBreached: breach.slaBreached },
      ),
      ...(becomesDowntime && {
        survivorIsDowntime: { before: false, after: true },
        survivorDowntimeStartedAt: { before: survivor.downtimeStartedAt, after: at },
      }),
    },
  })
}

/**
 * The duplicate's followers, its reporter and who merges it follow the survivor, unless
 * they stopped following that.
 */
const bringFollowers = `
  insert into followers (incident_id, user_id, created_at, by_merge)
  select $2::integer, brought.user_id, $4::timestamptz, true from (
    select user_id from followers where incident_id = $1
    union select reporter_id from incidents where id = $1 and reporter_id is not null
    union select $3::integer
  ) brought
  where not exists (select from unfollows u where u.incident_id = $2 and u.user_id = brought.user_id)
  on conflict do nothing`

/** What waits for an answer of the office on the duplicate waits on the survivor. */
const bringWaiting = `
  update incidents s set reopened_at = least(s.reopened_at, d.reopened_at),
    unanswered_since = least(s.unanswered_since, d.unanswered_since)
  from incidents d where s.id = $2 and d.id = $1`
