// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import { sweep } from '../src/app/sweep.js'
import { runRecorded } from '../src/platform/db/jobRun.js'
import { config } from '../src/platform/process/config.js'
import { hourPeriod } from '../src/vocabulary/jobs.js'
import { systemActor } from '../src/vocabulary/people/actor.js'
import { runAsProcess } from './support/runJob.js'

/** `npm run sweep`, and hourly: escalates incidents not acknowledged in time, and announces. */
await runAsProcess((via) => {
  const period = via === 'scheduler' ? hourPeriod(Date.now()) : null
  return runRecorded('sweep', { via, period }, () => sweep(systemActor(via), config.slaTargets))
})
