import { escalateOverdue } from '../actions/escalateOverdue.js'
import { runRecorded } from '../actions/runJob.js'
import { sendDigest } from '../actions/sendDigest.js'
import { config } from '../config.js'
import { allow } from '../web/allow.js'
import type { AppRouter } from '../web/context.js'
import { respond } from '../web/respond.js'

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
