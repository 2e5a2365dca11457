import { z } from 'zod'
import { suggestTriage, triageIsOn } from '../../actions/incidents/suggestTriage.js'
import { limits } from '../../domain/system/limits.js'
import { rescuePhotos } from '../../pages/incidents/incidentPhotos.js'
import { reportPage } from '../../pages/incidents/reportPage.js'
import { suggestionFor } from '../../pages/incidents/suggestionPanel.js'
import { TriageJson } from '../../presenters/incidents/triage.js'
import { line, oneLine } from '../../web/request/input.js'
import { page } from '../../web/route/answer.js'
import { route } from '../../web/route/route.js'

/** The triage request (spec §2); missing fields are empty. */
const TriageRequest = z
  .object({
    title: oneLine('title', limits.title, 0).nullish(),
    description: line('description', limits.text, 0).nullish(),
  })
  .meta({ id: 'TriageRequest' })

/**
 * The report form's request: `apply` names the suggested value to take over from those shown (`suggested`).
 */
const SuggestForm = TriageRequest.extend({
  apply: z.string('not_text').optional(),
  suggested: z.string('not_text').optional(),
})

/** The provider's suggestion for a report, and the same without script, by a button of the report form. */
export const triageRoutes = [
  route({
    method: 'post',
    paths: '/api/triage',
    summary: 'Suggests an asset, a severity and a duplicate for the text of a report.',
    permission: 'triage.ask',
    throttle: 'writes',
    body: TriageRequest,
    answer: TriageJson,
    handle: async ({ body }) => ({ data: await triageAnswer(body) }),
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
    form: { view: 'incidents/new', load: reportPage, rescue: rescuePhotos },
    handle: async ({ ctx, body: { apply, suggested, ...report } }) => {
      await rescuePhotos(ctx)
      const panel = await suggestionFor(ctx, { ...wordsOf(report), apply, suggested })
      return { view: 'incidents/new', extras: { ...(await reportPage(ctx)), ...panel } }
    },
  }),
]

/** Off, or a suggestion; a provider's error is never passed on (decision 4.11). */
async function triageAnswer(report: z.output<typeof TriageRequest>): Promise<z.output<typeof TriageJson>> {
  if (!(await triageIsOn())) return { enabled: false }
  return { enabled: true, ...(await suggestTriage(wordsOf(report))) }
}

const wordsOf = ({ title, description }: z.output<typeof TriageRequest>) => ({
  title: title ?? '',
  description: description ?? '',
})
