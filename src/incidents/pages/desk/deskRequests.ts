import { z } from 'zod'
import { withQuery } from '../../../platform/http/paths.js'
import * as rule from '../../../vocabulary/inputRules.js'
import { atLeastOne, exactlyOneOf, flag, id, notEmpty } from '../../../vocabulary/inputRules.js'
import { maxId } from '../../../vocabulary/limits.js'
import { severities } from '../../../vocabulary/severity.js'
import { mostPerRequest, type NewestRead } from '../../acts/bulkActs.js'
import { countedUpTo, type DeskTab, deskTabs } from '../../model/deskLists.js'
import type { BulkResult } from '../../model/json/bulkResultJson.js'
import { assigneeFields } from '../update/assigneeInput.js'

/** Ids as JSON numbers, or as the selected boxes of a form. */
export const chosenIds = z
  .array(z.coerce.number('incident_unknown').pipe(id('incident')), {
    error: (issue) => (issue.input === undefined ? 'ids_required' : 'incident_unknown'),
  })
  .max(mostPerRequest, 'ids_too_many')

/** How many rows, as an address says it. */
export const deskCount = z.coerce
  .number('not_acceptable')
  .int('not_acceptable')
  .min(0, 'not_acceptable')
  .max(countedUpTo, 'not_acceptable')

/** The page of the desk that a form was on, which the answer leads back to. */
export const deskPlace = {
  tab: z.enum(deskTabs, 'not_acceptable').optional(),
  skip: deskCount.optional(),
}
/** For pages, which show the desk's start instead of what they cannot read. */
export const deskPlaceShown = z.object({
  tab: deskPlace.tab.catch(undefined),
  skip: deskPlace.skip.catch(undefined),
})

/** `only`: one incident alone, whatever else is selected. */
const selectionFields = {
  ...deskPlace,
  ids: chosenIds.default([]).meta(notEmpty),
  only: id('incident').optional(),
}
const needsOne = { path: ['ids'], message: 'ids_required', when: () => true }
const hasSelection = ({ ids, only }: { ids?: unknown[]; only?: unknown }) =>
  only !== undefined || (ids ?? []).length > 0

/** The incidents of a request with these fields. */
export const selectedIds = ({ only, ids }: { only?: number | undefined; ids: number[] }): number[] =>
  only === undefined ? ids : [only]

/** `onAsset`: the tap on an asset's page, where one stays. */
export const AcknowledgeRequest = z
  .object({ ...selectionFields, onAsset: id('asset').optional() })
  .refine(hasSelection, needsOne)
  .meta({ id: 'AcknowledgeRequest', required: ['ids'] })
export const PlaceRequest = z
  .object({
    ...selectionFields,
    returnTo: z.string('not_text').optional(),
    assetId: id('asset').nullish(),
    unitId: id('unit').nullish(),
  })
  .refine(hasSelection, needsOne)
  .refine(({ assetId, unitId }) => Boolean(assetId) !== Boolean(unitId), {
    path: ['assetId'],
    message: 'place_exactly_one',
    when: () => true,
  })
  .meta({ id: 'PlaceRequest', required: ['ids'], ...exactlyOneOf('assetId', 'unitId') })

/**
 * The newest entry and the newest assignee's note that whoever selects has read; without them, all
 * there is. A form that shows no note sends 0, and then nothing but what it shows counts as read.
 */
export const readFields = {
  upTo: id('update').nullish(),
  upToNote: z
    .number('not_acceptable')
    .int('not_acceptable')
    .min(0, 'not_acceptable')
    .max(maxId, 'not_acceptable')
    .nullish(),
}

/** What a request has read; null: all there is. */
export function readFrom({ upTo, upToNote }: z.output<z.ZodObject<typeof readFields>>): NewestRead {
  const isForm = upToNote !== undefined && upToNote !== null
  return { upTo: upTo ?? (isForm ? 0 : null), upToNote: upToNote ?? null }
}

export const MarkReadRequest = z
  .object({ ...selectionFields, ...readFields })
  .refine(hasSelection, needsOne)
  .meta({ id: 'MarkReadRequest', required: ['ids'] })

type DueOnInput = { dueOn?: string | null | undefined; shownDueOn?: string | undefined }

/** Whether the form showed the due date of one report, and came back without it. */
const clearsDueOn = ({ dueOn, shownDueOn }: DueOnInput) => Boolean(shownDueOn) && dueOn === null

/** The due date to set, or null to clear it; undefined when it stays. */
export const dueOnFrom = (input: DueOnInput) => (clearsDueOn(input) ? null : (input.dueOn ?? undefined))

/** `shownDueOn`: the due date that the form showed, so that an emptied one is cleared. */
export const AssignRequest = z
  .object({
    ...selectionFields,
    returnTo: z.string('not_text').optional(),
    ...assigneeFields,
    shownDueOn: z.string('not_text').optional(),
  })
  .refine(hasSelection, needsOne)
  .refine(
    ({ assigneeId, contactId, assignee, dueOn, shownDueOn }) =>
      Boolean(assigneeId ?? contactId ?? (assignee || dueOn || clearsDueOn({ dueOn, shownDueOn }))),
    {
      path: ['assignee'],
      message: 'assignee_or_date_required',
      when: () => true,
    },
  )
  .meta({
    id: 'AssignRequest',
    required: ['ids'],
    ...atLeastOne('assigneeId', 'contactId', 'assignee', 'dueOn'),
  })

export const MergePreviewRequest = z
  .object(selectionFields)
  .refine(hasSelection, needsOne)
  .meta({ id: 'MergePreviewRequest', required: ['ids'] })

/** The ids of a merge, which takes several incidents: one that is sent twice is one. */
const mergedIds = chosenIds
  .transform((ids) => [...new Set(ids)])
  .refine((ids) => ids.length > 1, 'ids_required')

/**
 * The selected reports, and which of them stays. `shown`: the survivor whose effects the page has
 * shown; with another one, or with `preview`, they are shown again before anything is stored.
 */
export const MergeSelectedRequest = z
  .object({
    ...deskPlace,
    ids: mergedIds,
    survivorId: id('incident').optional(),
    otherId: id('incident').optional(),
    severity: rule.oneOf('severity', severities).optional(),
    shown: id('incident'),
    shownSeverity: rule.oneOf('severity', severities).optional(),
    preview: flag('preview').optional(),
  })
  .meta({ id: 'MergeSelectedRequest' })

/** The ids of a sent `MergeSelectedRequest`, whatever else is wrong with it. */
export const MergedIds = MergeSelectedRequest.pick({ ids: true })

/**
 * The pages that ask the office about one or several incidents: whom to assign them to, and which
 * place they are about.
 */
export const choiceViews = ['assign', 'place'] as const

/** Leads from a selection to one of these pages. */
export const SelectionRequest = z
  .object({ ...selectionFields, to: z.enum(choiceViews, 'not_acceptable') })
  .refine(hasSelection, needsOne)

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
  { tab, skip }: Pick<DeskView, 'tab' | 'skip'>,
): string {
  return deskUrl({ tab, skip, action, done: done.length, skipped: skipped.length })
}

/** The page that the desk was on before a merge; that of one report can be undone there. */
export function backAfterMerge(
  result: BulkResult,
  place: Pick<DeskView, 'tab' | 'skip'>,
): { location: string; notice?: string } {
  const [duplicateId, ...others] = result.done
  if (duplicateId === undefined || others.length + result.skipped.length > 0)
    return { location: backToDesk('merged', result, place) }
  return { location: withQuery(deskUrl(place), { of: duplicateId }), notice: 'tap-merge' }
}
