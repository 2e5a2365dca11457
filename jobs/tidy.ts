import { runRecorded } from '../src/actions/system/runJob.js'
import { tidy } from '../src/actions/system/tidy.js'
import { config } from '../src/config.js'
import { hourPeriod } from '../src/domain/time/periods.js'
import { runJob } from './run.js'

/** `npm run tidy`, and the scheduler's hourly worker: forgets what is only kept for a while. */
await runJob((via) => {
  const period = via === 'scheduler' ? hourPeriod(Date.now()) : null
  return runRecorded('tidy', { via, period }, () => tidy(config.uploadDir))
})
