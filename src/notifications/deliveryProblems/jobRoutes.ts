import { z } from 'zod'
import { jobStates } from '../../platform/db/jobRun.js'
import { fromRow, instantText, shape } from '../../platform/http/json.js'
import { route } from '../../platform/http/route/route.js'
import { jobNames } from '../../vocabulary/jobs.js'

/** A scheduled job with its last success and its last failure. */
export const ScheduledJobJson = shape('ScheduledJob', {
  job: z.enum(jobNames),
  lastSuccessAt: instantText.nullable(),
  lastFailureAt: instantText.nullable(),
})

/** The scheduled jobs, for programs; people see them above the failed deliveries. */
export const jobRoutes = [
  route({
    method: 'get',
    paths: '/api/admin/jobs',
    group: 'operations',
    summary: 'The scheduled jobs with the times of their last success and failure.',
    permission: 'delivery.read',
    answer: z.array(ScheduledJobJson),
    handle: async () => ({ data: (await jobStates(jobNames)).map((row) => fromRow(ScheduledJobJson, row)) }),
  }),
]
