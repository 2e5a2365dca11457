import './help.js'

import { pauseSending, resumeSending } from '../src/actions/system/sending.js'
import { systemActor } from '../src/domain/accounts/actor.js'
import { sendingPaused, waitingToLeave } from '../src/models/system/sending.js'
import { runAsProcess } from './run.js'

/**
 * `npm run sending`: whether mails, pushes and webhooks leave this building, and what waits; `-- pause` stops them,
 * `-- resume` says that this building is the one that sends, and drops what the original may have sent.
 */
await runAsProcess(async () => {
  const word = process.argv[2]
  if (word === 'pause') await pauseSending(systemActor('cli'), 'by_hand')
  else if (word === 'resume') return { dropped: await resumeSending(systemActor('cli')), ...(await state()) }
  else if (word)
    throw new Error('Use npm run sending, npm run sending -- pause, or npm run sending -- resume')
  return state()
})

async function state(): Promise<object> {
  return { paused: await sendingPaused(), waiting: await waitingToLeave() }
}
