import { isDeepStrictEqual } from 'node:util'
import { enqueueExpectedNews } from '../../../maintenance/reminders.js'
import type { Change } from '../../../platform/db/change.js'
import { type Changes, changesBetween } from '../../../vocabulary/audit.js'
import type { IncidentColumns } from '../../model/entity.js'
import { Incident } from '../../model/incident.js'
import { Merge } from '../../model/merge.js'
import { writeColumns } from '../../model/writeColumns.js'

/**
 * The fields of a survivor that a merge changes, with the columns of `merges` that store what they
 * were before: its downtime, the assignee and the forecast, and what waits for the office (decision
 * 7.2). An undoing takes back all fields of a group, or none.
 */
const groups = [
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

type FieldGroup = (typeof groups)[number]
type FieldOf<G> = G extends G ? keyof G : never
type SurvivorField = FieldOf<FieldGroup>
type SurvivorState = Pick<IncidentColumns, SurvivorField>

const mergeColumns = Object.assign({}, ...groups) as Record<SurvivorField, string>

/**
 * How a duplicate joins its survivor: whether its downtime continues there, and whether its
 * assignee and forecast count there.
 */
type Joining = { mergedAt: Date; continuesDowntime: boolean; takesForecast: boolean }

/** A state of the value of each of these fields. */
function stateFrom(
  fields: Partial<Record<SurvivorField, unknown>>,
  read: (name: SurvivorField) => unknown,
): SurvivorState {
  const names = Object.keys(fields) as SurvivorField[]
  return Object.fromEntries(names.map((name) => [name, read(name)])) as SurvivorState
}

export const survivorStateOf = (incident: Incident) => stateFrom(mergeColumns, (name) => incident[name])

/** The survivor's state before a merge, as the merge stores it. */
function stateBefore(merge: Merge): SurvivorState {
  const row = merge as unknown as Record<string, unknown>
  return stateFrom(mergeColumns, (name) => row[mergeColumns[name]])
}

/** The columns of `merges` for a state. */
export function storedState(state: SurvivorState): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(mergeColumns).map(([name, column]) => [column, state[name as SurvivorField]]),
  )
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

/** The survivor's state once the duplicate of a merge joined it. */
type Join = (state: SurvivorState, merge: Merge) => SurvivorState

/**
 * The survivor's state without one of the merges into it. What later merges store is rewritten as
 * if this one had never been, group by group.
 */
export async function takeOutMerge(c: Change, merge: Merge, survivor: Incident): Promise<SurvivorState> {
  const later = await Merge.query(c.trx)
    .where('survivorId', merge.survivorId)
    .where('updateId', '>', merge.updateId)
    .orderBy('updateId')
  const duplicates = await Incident.query(c.trx).findByIds(
    [merge, ...later].map(({ duplicateId }) => duplicateId),
  )
  const join: Join = (state, { duplicateId, mergedAt, joined, answered }) => {
    const duplicate = duplicates.find(({ id }) => id === duplicateId)!
    const joining = { mergedAt, continuesDowntime: joined, takesForecast: answered }
    return joinedBy(state, survivorStateOf(duplicate), joining)
  }

  // The survivor before each later merge, and as it is now.
  let states = [...later.map(stateBefore), survivorStateOf(survivor)]
  for (const group of groups) states = withoutMerge(group, states, { merge, later, join })
  for (const [i, { duplicateId }] of later.entries())
    await Merge.query(c.trx).findById(duplicateId).patch(storedState(states[i]!))
  return states.at(-1)!
}

/**
 * One group of fields in each of these states, without a merge. Two courses of the group start at
 * the merge: one with it, one without; each later merge goes on with both. While a state is what
 * the course with the merge says, it becomes what the other says. A difference means that someone
 * changed the group in between: that state and those after it stay.
 */
function withoutMerge(
  group: FieldGroup,
  states: readonly SurvivorState[],
  { merge, later, join }: { merge: Merge; later: readonly Merge[]; join: Join },
): SurvivorState[] {
  const groupOf = (state: SurvivorState) => stateFrom(group, (name) => state[name])
  const rewritten = [...states]
  let without = stateBefore(merge)
  let withMerge = join(without, merge)
  for (const [i, state] of states.entries()) {
    if (!isDeepStrictEqual(groupOf(state), groupOf(withMerge))) break
    rewritten[i] = { ...state, ...groupOf(without) }
    const next = later[i]
    if (!next) break
    without = join(without, next)
    withMerge = join(withMerge, next)
  }
  return rewritten
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
