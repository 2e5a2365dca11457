import { z } from 'zod'
import { sendDigest } from '../notifications/digest/sendDigest.js'
import { runRecorded } from '../platform/db/jobRun.js'
import { rowId, shape, wholeNumber } from '../platform/http/json.js'
import { rawBody } from '../platform/http/route/fields.js'
import { route } from '../platform/http/route/route.js'
import { config } from '../platform/process/config.js'
import { severities } from '../vocabulary/severity.js'
import { sweep } from './sweep.js'

/** The result of a sweep; null while another one runs. */
const SweepJson = shape('Sweep', {
  checked: wholeNumber,
  escalated: z.array(z.strictObject({ id: rowId, from: z.enum(severities), to: z.enum(severities) })),
}).nullable()

/** The result of a digest; null while another one runs. */
const DigestJson = shape('Digest', {
  recipients: wholeNumber,
  delivered: wholeNumber,
  outbox: z.string().nullable(),
}).nullable()

/** Jobs for external schedulers (spec §4, §8); a manual run is never skipped (decision 4.7). */
export const cronRoutes = [
  route({
    method: 'post',
    paths: '/api/cron/sweep',
    group: 'operations',
    summary: 'Escalates overdue incidents and announces planned work that has started or ended.',
    permission: 'sweep.run',
    body: rawBody,
    answer: SweepJson,
    handle: async ({ actor }) => {
      const run = () => sweep(actor, config.slaTargets)
      return { data: await runRecorded('sweep', { via: 'cron' }, run) }
    },
  }),

  route({
    method: 'post',
    paths: '/api/cron/digest',
    group: 'operations',
    summary: 'Emails the weekly summary to staff.',
    permission: 'digest.run',
    body: rawBody,
    answer: DigestJson,
    handle: async ({ actor }) => {
      const digest = () => sendDigest(actor)
      return { data: await runRecorded('digest', { via: 'cron' }, digest) }
    },
  }),
]
