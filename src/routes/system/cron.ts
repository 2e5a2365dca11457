import { escalateOverdue } from '../../actions/incidents/escalateOverdue.js'
import { sendDigest } from '../../actions/mail/sendDigest.js'
import { runRecorded } from '../../actions/system/runJob.js'
import { config } from '../../config.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter } from '../../web/context.js'
import { allow } from '../../web/request/allow.js'

/** POST /api/cron/*: the jobs for schedulers outside (spec §4, §8); a run by hand always runs (decision 4.7). */
export function cronRoutes(router: AppRouter): void {
  router.post('/api/cron/sweep', allow('sweep.run'), async (ctx) => {
    const sweep = () => escalateOverdue(ctx.state.actor, config.slaTargets)
    await respond(ctx, { data: await runRecorded('sweep', { via: 'cron' }, sweep) })
  })

  router.post('/api/cron/digest', allow('digest.run'), async (ctx) => {
    await respond(ctx, {
      data: await runRecorded('digest', { via: 'cron' }, () =>
        sendDigest(ctx.state.actor, config.mail.folder),
      ),
    })
  })
}
