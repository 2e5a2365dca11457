import { z } from 'zod'
import * as rule from '../../../vocabulary/inputRules.js'
import { limits, maxId } from '../../../vocabulary/limits.js'
import { severities } from '../../../vocabulary/severity.js'
import type { NewestRead } from '../../acts/bulkActs.js'
import { countedUpTo, deskTabs } from '../../model/deskLists.js'
import { BulkResultJson } from '../../model/json/bulkResultJson.js'
import { assigneeFields } from '../update/assigneeInput.js'

/** What the routes of acts on several incidents have in common. */
export const bulkAct = {
  method: 'post',
  permission: 'incident.edit',
  throttle: 'writes',
  answer: BulkResultJson,
} as const

/** The incidents that are selected, by their ids. */
export const chosenIds = z
  .array(rule.idInList('incident'), {
    error: (issue) => (issue.input === undefined ? 'ids_required' : 'incident_unknown'),
  })
  .max(limits.recordsPerRequest, 'ids_too_many')

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
/** The same of a refused form, whose page shows the start of the desk for what it cannot read. */
export const deskPlaceOrStart = z.object({
  tab: deskPlace.tab.catch(undefined),
  skip: deskPlace.skip.catch(undefined),
})

/** `only`: one incident alone, whatever else is selected. */
const selectionFields = {
  ...deskPlace,
  ids: chosenIds.default([]).meta(rule.notEmpty),
  only: rule.id('incident').optional(),
}
const needsOne = { path: ['ids'], message: 'ids_required', when: () => true }
const hasSelection = ({ ids, only }: { ids?: unknown[]; only?: unknown }) =>
  only !== undefined || (ids ?? []).length > 0

/** The incidents of a request with these fields. */
export const selectedIds = ({ only, ids }: { only?: number | undefined; ids: number[] }): number[] =>
  only === undefined ? ids : [only]

/** `onAsset`: the tap on an asset's page, where one stays. */
export const AcknowledgeRequest = z
  .object({ ...selectionFields, onAsset: rule.id('asset').optional() })
  .refine(hasSelection, needsOne)
  .meta({ id: 'AcknowledgeRequest', required: ['ids'] })
export const PlaceRequest = z
  .object({
    ...selectionFields,
    returnTo: z.string('not_text').optional(),
    assetId: rule.id('asset').nullish(),
    unitId: rule.id('unit').nullish(),
  })
  .refine(hasSelection, needsOne)
  .refine(({ assetId, unitId }) => Boolean(assetId) !== Boolean(unitId), {
    path: ['assetId'],
    message: 'place_exactly_one',
    when: () => true,
  })
  .meta({ id: 'PlaceRequest', required: ['ids'], ...rule.exactlyOneOf('assetId', 'unitId') })

/**
 * The newest entry and the newest assignee's note that whoever selects has read; without them, all
 * there is. A form that shows no note sends 0, and then nothing but what it shows counts as read.
 */
export const readFields = {
  upTo: rule.id('update').nullish(),
  upToNote: z
    .number('not_acceptable')
    .int('not_acceptable')
    .min(0, 'not_acceptable')
    .max(maxId, 'not_acceptable')
    .nullish(),
}

/** The newest words that a request marks as read; null: all there are. */
export function newestReadOf({ upTo, upToNote }: z.output<z.ZodObject<typeof readFields>>): NewestRead {
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
    ...rule.atLeastOne('assigneeId', 'contactId', 'assignee', 'dueOn'),
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
    survivorId: rule.id('incident').optional(),
    otherId: rule.id('incident').optional(),
    severity: rule.oneOf('severity', severities).optional(),
    shown: rule.id('incident'),
    shownSeverity: rule.oneOf('severity', severities).optional(),
    preview: rule.flag('preview').optional(),
  })
  .meta({ id: 'MergeSelectedRequest' })

/** The ids of a sent `MergeSelectedRequest`, whatever else is wrong with it. */
export const MergedIds = MergeSelectedRequest.pick({ ids: true })

/**
 * The questions to the office about one or several incidents, each on a page of its own: whom to
 * assign them to, and which place they are about.
 */
export const choices = ['assign', 'place'] as const
export type Choice = (typeof choices)[number]

/** Leads from a selection to the page of one of these questions. */
export const SelectionRequest = z
  .object({ ...selectionFields, to: z.enum(choices, 'not_acceptable') })
  .refine(hasSelection, needsOne)
