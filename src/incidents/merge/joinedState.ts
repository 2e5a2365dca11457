import { undoMinutes } from '../../vocabulary/limits.js'

/** Whole minutes left to undo a merge, rounded up; 0 when it is too late. */
export function minutesToUndo(mergedAt: Date, now: Date): number {
  const left = mergedAt.getTime() + undoMinutes * 60_000 - now.getTime()
  return Math.max(0, Math.ceil(left / 60_000))
}

/** An incident's downtime: whether it is one, and its corrected start (null: since the report). */
export type MergedDowntime = { isDowntime: boolean; downtimeStartedAt: Date | null }

type Reported = MergedDowntime & { assetId: number | null; resolvedAt: Date | null }

/**
 * Whether a duplicate's downtime goes on in its survivor (decision 2.5): both unresolved and of one
 * asset.
 */
export function joins(duplicate: Reported, survivor: Reported): boolean {
  const running = duplicate.isDowntime && duplicate.resolvedAt === null && survivor.resolvedAt === null
  return running && duplicate.assetId === survivor.assetId
}

/**
 * The survivor's downtime once one joined it at `at`: from then on, for no earlier second changes.
 */
export function joined(before: MergedDowntime, at: Date): MergedDowntime {
  return before.isDowntime ? before : { isDowntime: true, downtimeStartedAt: at }
}

/**
 * Who does an incident, until which local day (YYYY-MM-DD), and what the office has promised of it.
 */
export type AnsweredState = {
  assigneeId: number | null
  contactId: number | null
  dueOn: string | null
  expectedBackAt: Date | null
  statusReason: string | null
}

/**
 * The survivor's answer once that of a duplicate joined it: it takes over who does it, and the
 * promise, if it has none.
 */
export function takenOver(before: AnsweredState, from: AnsweredState): AnsweredState {
  const isDone = before.assigneeId !== null || before.contactId !== null
  const isPromised = before.expectedBackAt !== null || before.statusReason !== null
  const assignee = {
    assigneeId: from.assigneeId,
    contactId: from.contactId,
    dueOn: before.dueOn ?? from.dueOn,
  }
  const promise = { expectedBackAt: from.expectedBackAt, statusReason: from.statusReason }
  return { ...before, ...(isDone ? {} : assignee), ...(isPromised ? {} : promise) }
}

/** The earlier of two instants; null is none. */
export function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

/** What a merge did to one property of the survivor, which was `before` until then. */
export type Joined<S> = { duplicateId: number; before: S; join: (before: S) => S }

/**
 * Takes one merge out of those into a survivor, in their order: what the later ones began from
 * instead, and the survivor's property without it. A change in between ends it: what was said since
 * stays.
 */
export function withoutMerge<S>(
  merges: readonly Joined<S>[],
  duplicateId: number,
  present: S,
): { later: Pick<Joined<S>, 'duplicateId' | 'before'>[]; survivor: S } {
  const place = merges.findIndex((merge) => merge.duplicateId === duplicateId)
  const merge = merges[place]
  if (!merge) return { later: [], survivor: present }
  const later: Pick<Joined<S>, 'duplicateId' | 'before'>[] = []
  let was = merge.join(merge.before)
  let is = merge.before
  for (const { duplicateId, before, join } of merges.slice(place + 1)) {
    if (!same(before, was)) return { later, survivor: present }
    later.push({ duplicateId, before: is })
    was = join(was)
    is = join(is)
  }
  return { later, survivor: same(present, was) ? is : present }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
