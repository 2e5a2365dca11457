import './help.js'

import { pauseSending, resumeSending } from '../src/notifications/sending/sending.js'
import { sendingPaused, waitingToLeave } from '../src/platform/outbox/sending.js'
import { systemActor } from '../src/vocabulary/people/actor.js'
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
    throw new Error('Say npm run sending, npm run sending -- pause, or npm run sending -- resume')
  return state()
})

async function state(): Promise<object> {
  return { paused: await sendingPaused(), waiting: await waitingToLeave() }
}
