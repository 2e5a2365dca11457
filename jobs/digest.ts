import './help.js'

import { sendDigest } from '../src/actions/mail/sendDigest.js'
import { runRecorded } from '../src/actions/system/runRecorded.js'
import { config } from '../src/config.js'
import { systemActor } from '../src/domain/accounts/actor.js'
import { digestPeriod } from '../src/domain/time/periods.js'
import { Property } from '../src/models/building/building.js'
import { runAsProcess } from './run.js'

/** `npm run digest`, and the scheduler's worker: mails the weekly digest, once a week when scheduled. */
await runAsProcess(async (via) => {
  const { timezone } = await Property.current()
  const period = via === 'scheduler' ? digestPeriod(Date.now(), timezone) : null
  return runRecorded('digest', { via, period }, () =>
    sendDigest(systemActor(via), config.mail.folder, period),
  )
})
