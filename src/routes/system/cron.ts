import { z } from 'zod'
import { sweep } from '../../actions/incidents/escalateOverdue.js'
import { sendDigest } from '../../actions/mail/sendDigest.js'
import { runRecorded } from '../../actions/system/runRecorded.js'
import { config } from '../../config.js'
import { severities } from '../../domain/incidents/severity.js'
import { count, rowId, shape } from '../../presenters/json.js'
import { unread } from '../../web/route/fields.js'
import { route } from '../../web/route/route.js'

/** The result of a sweep; null while another one runs. */
const SweepJson = shape('Sweep', {
  checked: count,
  escalated: z.array(z.strictObject({ id: rowId, from: z.enum(severities), to: z.enum(severities) })),
}).nullable()

/** The result of a digest; null while another one runs. */
const DigestJson = shape('Digest', {
  recipients: count,
  delivered: count,
  outbox: z.string().nullable(),
}).nullable()

/**
 * POST /api/cron/*: jobs for external schedulers (spec §4, §8); a manual run is never skipped (decision 4.7).
 */
export const cronRoutes = [
  route({
    method: 'post',
    paths: '/api/cron/sweep',
    summary: 'Escalates overdue incidents and announces planned work that has started or ended.',
    permission: 'sweep.run',
    body: unread,
    answer: SweepJson,
    handle: async ({ actor }) => {
      const run = () => sweep(actor, config.slaTargets)
      return { data: await runRecorded('sweep', { via: 'cron' }, run) }
    },
  }),

  route({
    method: 'post',
    paths: '/api/cron/digest',
    summary: 'Emails the weekly summary to staff.',
    permission: 'digest.run',
    body: unread,
    answer: DigestJson,
    handle: async ({ actor }) => {
      const digest = () => sendDigest(actor, config.mail.folder)
      return { data: await runRecorded('digest', { via: 'cron' }, digest) }
    },
  }),
]
