/** Minutes in which a merge can be undone. */
export const undoMinutes = 10

/** Whole minutes left to undo a merge, rounded up; 0 when it is too late. */
export function minutesToUndo(mergedAt: Date, now: Date): number {
  const left = mergedAt.getTime() + undoMinutes * 60_000 - now.getTime()
  return Math.max(0, Math.ceil(left / 60_000))
}

/** An incident's downtime: whether it is one, and its corrected start (null: since the report). */
export type Downtime = { isDowntime: boolean; downtimeStartedAt: Date | null }

/** A merge at `at` of a duplicate that was down; `before`: the survivor's downtime until then. */
export type Joined = { duplicateId: number; at: Date; before: Downtime }

type Reported = Downtime & { assetId: number | null; resolvedAt: Date | null }

/** Whether a duplicate's downtime goes on in its survivor (decision 2.5): both unresolved and of one asset. */
export function joins(duplicate: Reported, survivor: Reported): boolean {
  const running = duplicate.isDowntime && duplicate.resolvedAt === null && survivor.resolvedAt === null
  return running && duplicate.assetId === survivor.assetId
}

/** The survivor's downtime once one joined it at `at`: from then on, for no earlier second changes. */
export function joined(before: Downtime, at: Date): Downtime {
  return before.isDowntime ? before : { isDowntime: true, downtimeStartedAt: at }
}

/**
 * Takes one merge out of those that joined downtimes to a survivor, in their order: what the later ones began
 * from instead, and the survivor's downtime without it. A correction in between ends it: what staff said stays.
 */
export function withoutJoined(
  merges: readonly Joined[],
  duplicateId: number,
  present: Downtime,
): { before: Pick<Joined, 'duplicateId' | 'before'>[]; survivor: Downtime } {
  const place = merges.findIndex((merge) => merge.duplicateId === duplicateId)
  const merge = merges[place]
  if (!merge) return { before: [], survivor: present }
  const changed: Pick<Joined, 'duplicateId' | 'before'>[] = []
  let was = joined(merge.before, merge.at)
  let is = merge.before
  for (const { duplicateId, at, before } of merges.slice(place + 1)) {
    if (!same(before, was)) return { before: changed, survivor: present }
    changed.push({ duplicateId, before: is })
    was = joined(was, at)
    is = joined(is, at)
  }
  return { before: changed, survivor: same(present, was) ? is : present }
}

const same = (a: Downtime, b: Downtime) =>
  a.isDowntime === b.isDowntime && a.downtimeStartedAt?.getTime() === b.downtimeStartedAt?.getTime()
