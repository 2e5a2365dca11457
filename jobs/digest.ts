// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import { Property } from '../src/building/building.js'
import { sendDigest } from '../src/notifications/digest/sendDigest.js'
import { runRecorded } from '../src/platform/db/jobRun.js'
import { digestPeriod } from '../src/vocabulary/jobs.js'
import { systemActor } from '../src/vocabulary/people/actor.js'
import { runAsProcess } from './support/runJob.js'

/** `npm run digest`, and once a week by the scheduler: emails the weekly digest. */
await runAsProcess(async (via) => {
  const { timezone } = await Property.current()
  const period = via === 'scheduler' ? digestPeriod(Date.now(), timezone) : null
  return runRecorded('digest', { via, period }, () => sendDigest(systemActor(via), period))
})
