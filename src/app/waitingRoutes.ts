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
    summary: 'Mails and pushes that wait after failed attempts, by kind, and why.',
    permission: 'delivery.read',
    answer: z.array(WaitingJson),
    handle: async () => ({ data: (await failingMessages()).map(presentWaiting) }),
  }),

  route({
    method: 'get',
    paths: '/api/admin/jobs',
    summary: 'The scheduled jobs, and when each last succeeded and failed.',
    permission: 'delivery.read',
    answer: z.array(ScheduledJobJson),
    handle: async () => ({ data: (await jobStates()).map(presentJob) }),
  }),
]
