import type { PresentedDetail } from '../json.js'
import { mergedSince } from '../merge/queries.js'
import { minutesToUndo, undoMinutes } from '../merge/rules.js'

type Reported = PresentedDetail | PresentedDetail['duplicates'][number]
type Update = PresentedDetail['updates'][number]

/** A line of the timeline: a report, the incident's own or a duplicate's, or an update. */
export type TimelineEntry = { at: string } & ({ report: Reported } | { update: Update })

/** The page's timeline, oldest first; `withOwn`: begins with the incident's own report, whenever that was. */
export function timelineOf(detail: PresentedDetail, withOwn: boolean): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    ...detail.duplicates.map((report) => ({ at: report.createdAt, report })),
    ...detail.updates.map((update) => ({ at: update.createdAt, update })),
  ]
  const own = withOwn ? [{ at: detail.createdAt, report: detail }] : []
  return [...own, ...entries].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** The merges into an incident that can still be undone, by the id of their entry. */
export async function undoable(
  survivorId: number,
): Promise<Record<number, { duplicateId: number; minutes: number }>> {
  const now = new Date()
  const merges = await mergedSince(survivorId, new Date(now.getTime() - undoMinutes * 60_000))
  return Object.fromEntries(
    merges.map(({ updateId, duplicateId, mergedAt }) => [
      updateId,
      { duplicateId, minutes: minutesToUndo(mergedAt, now) },
    ]),
  )
}
