import { type Query, query } from '../../platform/db/database.js'
import type { AssetStanding } from '../../status/consequence.js'
import type { Stamps } from '../../vocabulary/lifecycle.js'
import {
  type AnsweredState,
  earlier,
  type Joined,
  joined,
  type MergedDowntime,
  takenOver,
} from './joinedState.js'

/**
 * A merge that still holds; `before`: the duplicate's stamps until then, `brought`: its own
 * duplicates.
 */
export type StoredMerge = {
  duplicateId: number
  survivorId: number
  mergedAt: Date
  brought: number[]
  before: Stamps & { slaBreachedAt: Date | null }
}

type Row = Omit<StoredMerge, 'before'> & StoredMerge['before']

/** The merge of a duplicate; null when it is not merged, or was before merges were stored. */
export async function mergeOf(query: Query, duplicateId: number): Promise<StoredMerge | null> {
  const [row] = await query<Row>(
    `select duplicate_id as "duplicateId", survivor_id as "survivorId", merged_at as "mergedAt", brought, status,
       acknowledged_at as "acknowledgedAt", resolved_at as "resolvedAt", verified_at as "verifiedAt",
       sla_breached_at as "slaBreachedAt"
     from merges where duplicate_id = $1`,
    [duplicateId],
  )
  if (!row) return null
  const { status, acknowledgedAt, resolvedAt, verifiedAt, slaBreachedAt, ...merge } = row
  return { ...merge, before: { status, acknowledgedAt, resolvedAt, verifiedAt, slaBreachedAt } }
}

/**
 * The survivor's properties that a merge joins: downtime, the office's answer, and words that wait
 * for the office (decision 7.2).
 */
type JoinedProperties = {
  downtime: Joined<MergedDowntime>[]
  answered: Joined<AnsweredState>[]
  cameBackAt: Joined<Date | null>[]
  unansweredSince: Joined<Date | null>[]
}

type JoinedRow = {
  duplicateId: number
  at: Date
  joined: boolean
  isDowntime: boolean
  downtimeStartedAt: Date | null
  wasBackAt: Date | null
  backAt: Date | null
  wasUnansweredSince: Date | null
  unansweredSince: Date | null
  answered: boolean
  was: AnsweredState
  theirs: AnsweredState
}

/** SQL: the answer in these columns as JSON. */
const answeredSql = (
  of: string,
) => `json_build_object('assigneeId', ${of}assignee_id, 'contactId', ${of}contact_id,
  'dueOn', ${of}due_on, 'expectedBackAt', ${of}expected_back_at, 'statusReason', ${of}status_reason)`

const dated = (answered: AnsweredState): AnsweredState => ({
  ...answered,
  expectedBackAt: answered.expectedBackAt && new Date(answered.expectedBackAt),
})

/** What each merge into a survivor joined, oldest first. */
export async function joinedTo(query: Query, survivorId: number): Promise<JoinedProperties> {
  const rows = await query<JoinedRow>(
    `select m.duplicate_id as "duplicateId", m.merged_at as at, m.joined, m.was_downtime as "isDowntime",
       m.was_down_since as "downtimeStartedAt", m.was_back_at as "wasBackAt", d.came_back_at as "backAt",
       m.was_unanswered_since as "wasUnansweredSince", d.unanswered_since as "unansweredSince",
       m.answered, ${answeredSql('m.was_')} as was, ${answeredSql('d.')} as theirs
     from merges m join incidents d on d.id = m.duplicate_id
     where m.survivor_id = $1 order by m.update_id`,
    [survivorId],
  )
  return {
    downtime: rows.map(({ duplicateId, at, isDowntime, downtimeStartedAt, joined: joins }) => ({
      duplicateId,
      before: { isDowntime, downtimeStartedAt },
      join: (before) => (joins ? joined(before, at) : before),
    })),
    answered: rows.map(({ duplicateId, answered, was, theirs }) => ({
      duplicateId,
      before: dated(was),
      join: (before) => (answered ? takenOver(before, dated(theirs)) : before),
    })),
    cameBackAt: rows.map(({ duplicateId, wasBackAt, backAt }) => ({
      duplicateId,
      before: wasBackAt,
      join: (before) => earlier(before, backAt),
    })),
    unansweredSince: rows.map(({ duplicateId, wasUnansweredSince, unansweredSince }) => ({
      duplicateId,
      before: wasUnansweredSince,
      join: (before) => earlier(before, unansweredSince),
    })),
  }
}

/** The merges into a survivor since an instant, by their entry in its timeline. */
export function mergedSince(
  survivorId: number,
  since: Date,
): Promise<{ updateId: number; duplicateId: number; mergedAt: Date }[]> {
  return query(
    `select m.update_id as "updateId", m.duplicate_id as "duplicateId", m.merged_at as "mergedAt"
     from merges m join incidents d on d.id = m.duplicate_id and d.merged_into_id = m.survivor_id
     where m.survivor_id = $1 and m.merged_at > $2`,
    [survivorId, since],
  )
}

type Named = { id: number; title: string }

/**
 * What merging would do; `assets`: every asset concerned, as it stands now and as it would then.
 */
export type MergePreview = {
  survivor: Named
  duplicates: (Named & { brings: number[] })[]
  newFollowers: number
  becomesDowntime: boolean
  assets: { before: AssetStanding; after: AssetStanding }[]
}
