import './help.js'

import { sweep } from '../src/actions/incidents/escalateOverdue.js'
import { runRecorded } from '../src/actions/system/runRecorded.js'
import { config } from '../src/config.js'
import { systemActor } from '../src/domain/accounts/actor.js'
import { hourPeriod } from '../src/domain/time/periods.js'
import { runAsProcess } from './run.js'

/** `npm run sweep`, and the scheduler's hourly worker: escalates incidents not acknowledged in time, and announces. */
await runAsProcess((via) => {
  const period = via === 'scheduler' ? hourPeriod(Date.now()) : null
  return runRecorded('sweep', { via, period }, () => sweep(systemActor(via), config.slaTargets))
})
