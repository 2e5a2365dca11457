import { z } from 'zod'
import { suggestTriage, triageIsOn } from '../../actions/incidents/suggestTriage.js'
import { limits } from '../../domain/system/limits.js'
import { rescuePhotos } from '../../pages/incidents/incidentPhotos.js'
import { reportPage } from '../../pages/incidents/reportPage.js'
import { suggestionFor } from '../../pages/incidents/suggestionPanel.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'
import { body } from '../../web/request/body.js'
import { form } from '../../web/request/form.js'
import { input, line, oneLine } from '../../web/request/input.js'
import { throttle } from '../../web/request/throttle.js'

/** The triage request (spec §2); what is missing is empty. */
const TriageRequest = z.object({
  title: oneLine('title', limits.title, 0).nullish(),
  description: line('description', limits.text, 0).nullish(),
})

/** The same from the report form, where one suggestion can be taken over (`apply`) from those shown (`suggested`). */
const SuggestForm = TriageRequest.extend({
  apply: z.string('not_text').optional(),
  suggested: z.string('not_text').optional(),
})

/** POST /api/triage, and the button on the report form that asks the same without script (spec §4 rule 7). */
export function triageRoutes(router: AppRouter): void {
  router.post('/api/triage', allow('triage.ask'), throttle('writes'), body(), async (ctx) => {
    await respond(ctx, { data: await triageAnswer(input(ctx, TriageRequest)) })
  })

  router.post(
    '/report/suggest',
    allow('triage.ask'),
    throttle('writes'),
    body({ photos: true }),
    form({ view: 'incidents/new', load: reportPage, rescue: rescuePhotos }),
    async (ctx) => {
      const { apply, suggested, ...report } = input(ctx, SuggestForm)
      await rescuePhotos(ctx)
      const panel = await suggestionFor(ctx, { ...wordsOf(report), apply, suggested })
      await respond(ctx, { view: 'incidents/new', extras: { ...(await reportPage(ctx)), ...panel } })
    },
  )
}

/** Disabled or a suggestion, never an error of the provider's (decision 4.11). */
async function triageAnswer(report: z.output<typeof TriageRequest>) {
  if (!(await triageIsOn())) return { enabled: false }
  return { enabled: true, ...(await suggestTriage(wordsOf(report))) }
}

const wordsOf = ({ title, description }: z.output<typeof TriageRequest>) => ({
  title: title ?? '',
  description: description ?? '',
})
