import './commandLine.js'

import { tidy } from '../src/app/tidy.js'
import { config } from '../src/platform/ops/config.js'
import { runRecorded } from '../src/platform/ops/jobRun.js'
import { hourPeriod } from '../src/vocabulary/time/intervals.js'
import { runAsProcess } from './run.js'

/** `npm run tidy`, and the scheduler's hourly worker: deletes rows past their retention. */
await runAsProcess((via) => {
  const period = via === 'scheduler' ? hourPeriod(Date.now()) : null
  return runRecorded('tidy', { via, period }, () => tidy(config.uploadDir))
})
