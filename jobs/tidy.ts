import './help.js'

import { runRecorded } from '../src/actions/system/runRecorded.js'
import { tidy } from '../src/actions/system/tidy.js'
import { config } from '../src/config.js'
import { hourPeriod } from '../src/domain/time/periods.js'
import { runAsProcess } from './run.js'

/** `npm run tidy`, and the scheduler's hourly worker: deletes rows past their retention. */
await runAsProcess((via) => {
  const period = via === 'scheduler' ? hourPeriod(Date.now()) : null
  return runRecorded('tidy', { via, period }, () => tidy(config.uploadDir))
})
