import { z } from 'zod'
import { presentJob, presentWaiting, ScheduledJobJson, WaitingJson } from '../notifications/waitingJson.js'
import { route } from '../platform/http/route/route.js'
import { jobStates } from '../platform/ops/jobRun.js'
import { failingMessages } from '../platform/outbox/failing.js'

/** What the page of deliveries shows above its list, for programs. */
export const waitingRoutes = [
  route({
    method: 'get',
    paths: '/api/admin/deliveries/waiting',
    summary: 'Emails and app notifications waiting for another attempt, by type, with the reasons.',
    permission: 'delivery.read',
    answer: z.array(WaitingJson),
    handle: async () => ({ data: (await failingMessages()).map(presentWaiting) }),
  }),

  route({
    method: 'get',
    paths: '/api/admin/jobs',
    summary: 'The scheduled jobs with the times of their last success and failure.',
    permission: 'delivery.read',
    answer: z.array(ScheduledJobJson),
    handle: async () => ({ data: (await jobStates()).map(presentJob) }),
  }),
]
