import { isDeepStrictEqual } from 'node:util'
import { enqueueExpectedNews } from '../../../maintenance/reminders.js'
import type { Change } from '../../../platform/db/change.js'
import { rowOf } from '../../../platform/db/row.js'
import { type Changes, changesBetween } from '../../../vocabulary/audit.js'
import type { Stamps } from '../../../vocabulary/lifecycle.js'
import type { IncidentColumns } from '../../model/entity.js'
import { Incident } from '../../model/incident.js'
import { writeColumns } from '../../model/writeColumns.js'

/**
 * The properties of a survivor that a merge joins, with the columns of `merges` that hold what they
 * were before: its downtime, the office's answer, and what waits for the office (decision 7.2). An
 * undoing takes back all properties of a group, or none.
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

type Named<G> = G extends G ? keyof G : never
type Name = Named<(typeof groups)[number]>
type SurvivorState = Pick<IncidentColumns, Name>

const columns = Object.assign({}, ...groups) as Record<Name, string>

/**
 * How a duplicate joins its survivor: whether its downtime continues there, and whether its answer
 * counts there.
 */
type Joining = { mergedAt: Date; joined: boolean; answered: boolean }

type MergeColumns = Stamps &
  Joining & {
    duplicateId: number
    survivorId: number
    updateId: number
    mergedBy: number | null
    brought: number[]
    slaBreachedAt: Date | null
  }

/**
 * A merge that holds, for its undoing: the duplicate's stamps until then and, in the other columns,
 * the survivor's state; `brought`: the duplicate's own duplicates.
 */
export class Merge extends rowOf<MergeColumns>() {
  static override tableName = 'merges'
  static override idColumn = 'duplicateId'
}

/** Makes a state of the value of each property. */
function eachOf(from: Partial<Record<Name, string>>, value: (name: Name) => unknown): SurvivorState {
  const names = Object.keys(from) as Name[]
  return Object.fromEntries(names.map((name) => [name, value(name)])) as SurvivorState
}

export const survivorStateOf = (incident: Incident) => eachOf(columns, (name) => incident[name])

function stateBefore(merge: Merge): SurvivorState {
  const row = merge as unknown as Record<string, unknown>
  return eachOf(columns, (name) => row[columns[name]])
}

/** The columns of `merges` for a state. */
export function storedState(state: SurvivorState): Record<string, unknown> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [column, state[name as Name]]))
}

/**
 * The survivor's state once a duplicate joined it (decision 2.5): it is down from the merge on, for
 * no earlier second changes, and takes over the assignee and the promise if it has none. What waits
 * for the office waits since the earlier moment.
 */
export function joinedBy(
  before: SurvivorState,
  duplicate: SurvivorState,
  { mergedAt, joined, answered }: Joining,
): SurvivorState {
  const isAssigned = before.assigneeId !== null || before.contactId !== null
  const isPromised = before.expectedBackAt !== null || before.statusReason !== null
  const { assigneeId, contactId, expectedBackAt, statusReason } = duplicate
  return {
    ...before,
    ...(joined && !before.isDowntime && { isDowntime: true, downtimeStartedAt: mergedAt }),
    ...(answered && !isAssigned && { assigneeId, contactId, dueOn: before.dueOn ?? duplicate.dueOn }),
    ...(answered && !isPromised && { expectedBackAt, statusReason }),
    reopenedAt: earlier(before.reopenedAt, duplicate.reopenedAt),
    unansweredSince: earlier(before.unansweredSince, duplicate.unansweredSince),
  }
}

/** The earlier of two instants; null is none. */
function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

/**
 * The survivor's state without one of the merges into it; later merges are stored as if they had
 * begun without it. A change in between ends it for that group: what was said since stays.
 */
export async function takeOutMerge(c: Change, merge: Merge, survivor: Incident): Promise<SurvivorState> {
  const later = await Merge.query(c.trx)
    .where('survivorId', merge.survivorId)
    .where('updateId', '>', merge.updateId)
    .orderBy('updateId')
  const duplicates = await Incident.query(c.trx).findByIds(
    [merge, ...later].map(({ duplicateId }) => duplicateId),
  )
  const join = (state: SurvivorState, by: Merge) =>
    joinedBy(state, survivorStateOf(duplicates.find(({ id }) => id === by.duplicateId)!), by)

  const states = [...later.map(stateBefore), survivorStateOf(survivor)]
  for (const group of groups) {
    const partOf = (state: SurvivorState) => eachOf(group, (name) => state[name])
    let without = stateBefore(merge)
    let having = join(without, merge)
    for (const [i, state] of states.entries()) {
      if (!isDeepStrictEqual(partOf(state), partOf(having))) break
      states[i] = { ...state, ...partOf(without) }
      const next = later[i]
      if (!next) break
      without = join(without, next)
      having = join(having, next)
    }
  }
  for (const [i, next] of later.entries())
    await Merge.query(c.trx).findById(next.duplicateId).patch(storedState(states[i]!))
  return states[later.length]!
}

/**
 * Gives a survivor this state, and notifies the followers of its asset when the expected end
 * changes. Returns what the duplicate's audit entry records: its downtime and its answer.
 */
export async function writeSurvivor(c: Change, survivor: Incident, state: SurvivorState): Promise<Changes> {
  const changes = changesBetween(survivorStateOf(survivor), state)
  await writeColumns(
    c,
    survivor.id,
    eachOf(changes, (name) => state[name]),
  )
  if (changes.expectedBackAt) await enqueueExpectedNews(c, survivor.assetId)
  const { reopenedAt: _, unansweredSince: __, ...audited } = changes
  const named = (name: string) => `survivor${name[0]!.toUpperCase()}${name.slice(1)}`
  return Object.fromEntries(Object.entries(audited).map(([name, change]) => [named(name), change]))
}
