import { z } from 'zod'
import { failingMessages } from '../../models/mail/failing.js'
import { jobStates } from '../../models/system/jobRun.js'
import { presentJob, presentWaiting, ScheduledJobJson, WaitingJson } from '../../presenters/system/waiting.js'
import { route } from '../../web/route/route.js'

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
