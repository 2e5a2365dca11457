import { z } from 'zod'
import { Asset } from '../building/building.js'
import { findListedIncident } from '../incidents/model/listedIncidents.js'
import { triageIsOn } from '../incidents/model/triageIsOn.js'
import { stageRefusedPhotos } from '../incidents/pages/postedPhotos.js'
import { reportFormPage, reportPage } from '../incidents/pages/reporting/reportForm.js'
import type { Context } from '../platform/http/context.js'
import { enteredFields } from '../platform/http/enteredFields.js'
import { rowId, shape } from '../platform/http/json.js'
import { page } from '../platform/http/route/answerContent.js'
import { route } from '../platform/http/route/route.js'
import { singleLine, trimmedText } from '../vocabulary/inputRules.js'
import { limits } from '../vocabulary/limits.js'
import { severities } from '../vocabulary/severity.js'
import {
  emptySuggestion,
  readCarriedSuggestion,
  type Suggestion,
  suggestTriage,
  triageContext,
} from './suggestTriage.js'

/**
 * The report form's values and the suggestion beside them. A pressed button copies one suggested
 * value into the form; nothing else is ever applied (spec §4 rule 7).
 */
async function suggestionFor(
  ctx: Context,
  { apply, suggested, ...report }: z.output<typeof SuggestForm>,
): Promise<Record<string, unknown> & { values: Record<string, unknown> }> {
  const values = enteredFields(ctx)
  if (!(await triageIsOn())) return { values }
  const isAgain = apply !== undefined && suggested !== undefined
  const suggestion = isAgain
    ? readCarriedSuggestion(suggested, await triageContext())
    : await suggestTriage(reportText(report))
  return {
    values: isAgain ? { ...values, ...takeOver(apply, suggestion) } : values,
    suggestion: await presentSuggestion(suggestion),
  }
}

/** The fields of the form that a suggested value goes into. */
function takeOver(what: string, { assetId, severity }: Suggestion): Record<string, unknown> {
  if (what === 'severity') return { severity }
  return what === 'asset' && assetId !== undefined ? { place: `asset-${assetId}` } : {}
}

/** A suggestion with the names of what it suggests. */
async function presentSuggestion(suggestion: Suggestion): Promise<Record<string, unknown>> {
  const { assetId, isDuplicateOf } = suggestion
  const [assets, duplicate] = await Promise.all([
    assetId === undefined ? [] : Asset.inUse(),
    isDuplicateOf === undefined ? null : findListedIncident(isDuplicateOf),
  ])
  return {
    ...suggestion,
    assetName: assets.find(({ id }) => id === assetId)?.name,
    duplicate: duplicate && { id: duplicate.id, title: duplicate.title },
    carried: JSON.stringify(suggestion),
    isEmpty: JSON.stringify(suggestion) === JSON.stringify(emptySuggestion),
  }
}

/** A suggestion (spec §2), or that suggestions are off (spec §4 rule 7). */
const TriageJson = z.union([
  shape('TriageOff', { enabled: z.literal(false) }),
  shape('TriageSuggestion', {
    enabled: z.literal(true),
    assetId: rowId.optional(),
    severity: z.enum(severities),
    isDuplicateOf: rowId.optional(),
    rationale: z.string(),
  }),
])

/** The triage request (spec §2); missing fields are empty. */
const TriageRequest = z
  .object({
    title: singleLine('title', limits.title, 0).nullish(),
    description: trimmedText('description', limits.text, 0).nullish(),
  })
  .meta({ id: 'TriageRequest' })

const reportText = ({ title, description }: z.output<typeof TriageRequest>) => ({
  title: title ?? '',
  description: description ?? '',
})

/**
 * The report form's request: `apply` names the suggested value to take over from those shown
 * (`suggested`).
 */
const SuggestForm = TriageRequest.extend({
  apply: z.string('not_text').optional(),
  suggested: z.string('not_text').optional(),
})

/**
 * The provider's suggestion for a report, and the same without script, by a button of the report
 * form.
 */
export const triageRoutes = [
  route({
    method: 'post',
    paths: '/api/triage',
    group: 'incidents',
    summary: 'Suggests an asset, a severity and a duplicate for the text of a report.',
    permission: 'triage.ask',
    throttle: 'writes',
    body: TriageRequest,
    answer: TriageJson,
    // A provider's error is never passed on (decision 4.11).
    handle: async ({ body }) => ({
      data: (await triageIsOn())
        ? { enabled: true as const, ...(await suggestTriage(reportText(body))) }
        : { enabled: false as const },
    }),
  }),

  route({
    method: 'post',
    paths: '/report/suggest',
    summary: 'Shows the same suggestions on the report form.',
    permission: 'triage.ask',
    throttle: 'writes',
    photos: true,
    body: SuggestForm,
    answer: page,
    form: { ...reportFormPage, keepPhotos: stageRefusedPhotos },
    handle: async ({ ctx, body }) => {
      await stageRefusedPhotos(ctx)
      const panel = await suggestionFor(ctx, body)
      return { view: 'incidents/new', extras: { ...(await reportPage(ctx, panel.values)), ...panel } }
    },
  }),
]
