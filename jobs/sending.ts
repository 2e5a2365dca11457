// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import { waitingToLeave } from '../src/app/waitingDeliveries.js'
import { pauseSending, resumeSending } from '../src/notifications/pauseSending.js'
import { sendTestEmail } from '../src/platform/mail/smtpCheck.js'
import { sendingPaused } from '../src/platform/outbox/sendingPaused.js'
import { config } from '../src/platform/process/config.js'
import { systemActor } from '../src/vocabulary/people/actor.js'
import { argumentsOf } from './support/commandLine.js'
import { printResult, runAsProcess } from './support/runJob.js'

const { values, positionals } = argumentsOf('sending')

/**
 * `npm run sending`: whether emails, pushes and webhooks leave this building, and what waits.
 * `npm run sending -- pause`: stops them.
 * `npm run sending -- resume`: this building is the one that sends; drops what the original may
 * have sent.
 * `npm run sending -- --test ADDRESS`: sends one email at once, and needs no database.
 */
if (values.test !== undefined) await printResult(() => testEmail(values.test!))
await runAsProcess(async () => {
  const [word] = positionals
  if (word === 'pause') await pauseSending(systemActor('cli'), 'by_hand')
  if (word === 'resume') return { dropped: await resumeSending(systemActor('cli')), ...(await state()) }
  return state()
})

async function testEmail(to: string): Promise<object> {
  const { smtpUrl, from } = config.email
  if (!smtpUrl) throw new Error('SMTP_URL is not set: emails are written to a folder, and no one gets them.')
  const { answer } = await sendTestEmail(smtpUrl, { from, to })
  return { test: to, answer }
}

async function state(): Promise<object> {
  return { paused: await sendingPaused(), waiting: await waitingToLeave() }
}
