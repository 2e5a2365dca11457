import { returnPath, withQuery } from '../../../platform/http/paths.js'
import type { DeskTab } from '../../model/deskLists.js'
import type { BulkResult } from '../../model/json/bulkResultJson.js'

/**
 * What a page of the desk shows: a tab, the row it starts from, whether all are selected, and the
 * action that was just done, with how many reports it was done to and how many it skipped.
 */
export type DeskView = {
  tab?: DeskTab | undefined
  skip?: number | undefined
  select?: 'all' | undefined
  action?: BulkAction | undefined
  done?: number | undefined
  skipped?: number | undefined
}

/** Which page of the desk a form was on. */
export type DeskPlace = Pick<DeskView, 'tab' | 'skip'>

/** What was done in bulk, by the sentence that says so. */
export const bulkActions = ['acknowledged', 'assigned', 'placed', 'merged', 'read'] as const
type BulkAction = (typeof bulkActions)[number]

/** The address of a page of the desk. */
export function deskUrl({ tab, skip, select, action, done, skipped }: DeskView): string {
  const parameters = {
    tab,
    skip: skip || undefined,
    select,
    did: action,
    n: done,
    left: skipped || undefined,
  }
  const query = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return `/admin${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`
}

/** The page that the desk was on before an act in bulk, with a sentence that says what was done. */
export function backToDesk(
  action: BulkAction,
  { done, skipped }: BulkResult,
  { tab, skip }: DeskPlace,
): string {
  return deskUrl({ tab, skip, action, done: done.length, skipped: skipped.length })
}

/** The page that the desk was on before a merge; that of one report can be undone there. */
export function backAfterMerge(result: BulkResult, place: DeskPlace): { location: string; notice?: string } {
  const [duplicateId, ...others] = result.done
  if (duplicateId === undefined || others.length + result.skipped.length > 0)
    return { location: backToDesk('merged', result, place) }
  return { location: withQuery(deskUrl(place), { of: duplicateId }), notice: 'tap-merge' }
}

/** Back to the page that led to the choice, with a sentence that says what was done. */
export function backFromChoice(
  action: 'assigned' | 'placed',
  { done, skipped }: BulkResult,
  returnTo: string | undefined,
  place: DeskPlace,
): string {
  const back = returnPath(returnTo, deskUrl(place))
  if (!back.startsWith('/admin')) {
    const [firstDone] = done
    if (firstDone === undefined) return withQuery(back, { notice: 'noneDone' })
    return withQuery(back, { of: firstDone, notice: action === 'placed' ? 'tap-place' : 'tap-assign' })
  }
  return withQuery(back, { did: action, n: done.length, left: skipped.length })
}
