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

/** The triage request (spec §2); what is missing is empty. */
const TriageRequest = z
  .object({
    title: oneLine('title', limits.title, 0).nullish(),
    description: line('description', limits.text, 0).nullish(),
  })
  .meta({ id: 'TriageRequest' })

/** The same from the report form, where one suggestion can be taken over (`apply`) from those shown (`suggested`). */
const SuggestForm = TriageRequest.extend({
  apply: z.string('not_text').optional(),
  suggested: z.string('not_text').optional(),
})

/** What the provider makes of a report, and the button on the report form that asks the same without script. */
export const triageRoutes = [
  route({
    method: 'post',
    paths: '/api/triage',
    summary: 'Suggests asset, severity and duplicate for the words of a report.',
    permission: 'triage.ask',
    throttle: 'writes',
    body: TriageRequest,
    answer: TriageJson,
    handle: async ({ body }) => ({ data: await triageAnswer(body) }),
  }),

  route({
    method: 'post',
    paths: '/report/suggest',
    summary: 'The same on the report form.',
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

/** Disabled or a suggestion, never an error of the provider's (decision 4.11). */
async function triageAnswer(report: z.output<typeof TriageRequest>): Promise<z.output<typeof TriageJson>> {
  if (!(await triageIsOn())) return { enabled: false }
  return { enabled: true, ...(await suggestTriage(wordsOf(report))) }
}

const wordsOf = ({ title, description }: z.output<typeof TriageRequest>) => ({
  title: title ?? '',
  description: description ?? '',
})
