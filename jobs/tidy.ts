// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import { tidy } from '../src/app/tidy.js'
import { runRecorded } from '../src/platform/db/jobRun.js'
import { config } from '../src/platform/process/config.js'
import { hourPeriod } from '../src/vocabulary/jobs.js'
import { runAsProcess } from './support/runJob.js'

/** `npm run tidy`, and the scheduler's hourly worker: deletes rows past their retention. */
await runAsProcess((via) => {
  const period = via === 'scheduler' ? hourPeriod(Date.now()) : null
  return runRecorded('tidy', { via, period }, () => tidy(config.uploadDir))
})
