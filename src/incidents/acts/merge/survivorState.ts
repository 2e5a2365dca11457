import { enqueueExpectedNews } from '../../../notifications/follow/enqueueAssetNews.js'
import type { Change } from '../../../platform/db/change.js'
import { type Changes, changesBetween } from '../../../vocabulary/audit.js'
import type { IncidentColumns } from '../../model/entity.js'
import type { Incident } from '../../model/incident.js'
import type { Joining, Merge, SurvivorColumns } from '../../model/merges.js'
import { writeColumns } from '../../model/writeColumns.js'

/**
 * The fields of a survivor that a merge changes, with the columns of `merges` that store what they
 * were before: its downtime, the assignee and the forecast, and what waits for the office (decision
 * 7.2). An undoing takes back all fields of a group, or none.
 */
export const groups = [
  { isDowntime: 'wasDowntime', downtimeStartedAt: 'wasDownSince' },
  {
    assigneeId: 'wasAssigneeId',
    contactId: 'wasContactId',
    dueOn: 'wasDueOn',
    expectedBackAt: 'wasExpectedBackAt',
    statusReason: 'wasStatusReason',
  },
  { reopenedAt: 'wasBackAt' },
  { unansweredSince: 'wasUnansweredSince' },
] as const

export type FieldGroup = (typeof groups)[number]

type FieldOf<G> = G extends G ? keyof G : never

type SurvivorField = FieldOf<FieldGroup>

export type SurvivorState = Pick<IncidentColumns, SurvivorField>

const mergeColumns = Object.assign({}, ...groups) as Record<SurvivorField, keyof SurvivorColumns>

/** A state of the value of each of these fields. */
export function stateFrom(
  fields: Partial<Record<SurvivorField, unknown>>,
  read: (name: SurvivorField) => unknown,
): SurvivorState {
  const names = Object.keys(fields) as SurvivorField[]
  return Object.fromEntries(names.map((name) => [name, read(name)])) as SurvivorState
}

export const survivorStateOf = (incident: Incident) => stateFrom(mergeColumns, (name) => incident[name])

/** The survivor's state before a merge, as the merge stores it. */
export function stateBefore(merge: Merge): SurvivorState {
  return stateFrom(mergeColumns, (name) => merge[mergeColumns[name]])
}

/** The columns of `merges` for a state. */
export function storedState(state: SurvivorState): SurvivorColumns {
  const values = Object.entries(mergeColumns).map(([name, column]) => [column, state[name as SurvivorField]])
  return Object.fromEntries(values) as SurvivorColumns
}

/**
 * The survivor's state once a duplicate joined it (decision 2.5): it is down from the merge on, for
 * no earlier second changes, and takes over the assignee and the forecast if it has none. What
 * waits for the office waits since the earlier moment.
 */
export function joinedBy(
  before: SurvivorState,
  duplicate: SurvivorState,
  { mergedAt, continuesDowntime, takesForecast }: Joining,
): SurvivorState {
  const isAssigned = before.assigneeId !== null || before.contactId !== null
  const hasForecast = before.expectedBackAt !== null || before.statusReason !== null
  const after = { ...before }
  if (continuesDowntime && !before.isDowntime) {
    after.isDowntime = true
    after.downtimeStartedAt = mergedAt
  }
  if (takesForecast && !isAssigned) {
    after.assigneeId = duplicate.assigneeId
    after.contactId = duplicate.contactId
    after.dueOn = before.dueOn ?? duplicate.dueOn
  }
  if (takesForecast && !hasForecast) {
    after.expectedBackAt = duplicate.expectedBackAt
    after.statusReason = duplicate.statusReason
  }
  after.reopenedAt = earlier(before.reopenedAt, duplicate.reopenedAt)
  after.unansweredSince = earlier(before.unansweredSince, duplicate.unansweredSince)
  return after
}

/** The earlier of two instants; null is none. */
function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

/**
 * Gives a survivor this state, and notifies the followers of its asset when the expected end
 * changes. Returns what the duplicate's audit entry records: its downtime, assignee and forecast.
 */
export async function writeSurvivor(c: Change, survivor: Incident, state: SurvivorState): Promise<Changes> {
  const changes = changesBetween(survivorStateOf(survivor), state)
  await writeColumns(
    c,
    survivor.id,
    stateFrom(changes, (name) => state[name]),
  )
  if (changes.expectedBackAt) await enqueueExpectedNews(c, survivor.assetId)
  const { reopenedAt: _, unansweredSince: __, ...audited } = changes
  const survivorName = (name: string) => `survivor${name[0]!.toUpperCase()}${name.slice(1)}`
  return Object.fromEntries(Object.entries(audited).map(([name, change]) => [survivorName(name), change]))
}
