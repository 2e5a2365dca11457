import './commandLine.js'

import { tidy } from '../src/app/tidy.js'
import { runRecorded } from '../src/platform/db/jobRun.js'
import { config } from '../src/platform/process/config.js'
import { hourPeriod } from '../src/vocabulary/time/intervals.js'
import { runAsProcess } from './run.js'

/** `npm run tidy`, and the scheduler's hourly worker: deletes rows past their retention. */
await runAsProcess((via) => {
  const period = via === 'scheduler' ? hourPeriod(Date.now()) : null
  return runRecorded('tidy', { via, period }, () => tidy(config.uploadDir))
})
