import { z } from 'zod'
import { shape } from '../../platform/http/json.js'
import { type StartState, startSteps } from './queries.js'

/** GET /api/admin/start: the first steps of a new building. */
export const StartJson = shape('Start', {
  dismissed: z.boolean(),
  done: z.boolean(),
  steps: z.array(z.strictObject({ name: z.enum(startSteps), done: z.boolean() })),
})

export function presentStart({ dismissed, done }: StartState): z.output<typeof StartJson> {
  const steps = startSteps.map((name) => ({ name, done: done[name] }))
  return { dismissed, done: steps.every((step) => step.done), steps }
}
