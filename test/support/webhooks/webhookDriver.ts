import '../../../src/app/wiring.js'
import { closeDatabase, openDatabase } from '../../../src/platform/db/pools.js'
import { startOutbox, stopOutbox, wake } from '../../../src/platform/outbox/outbox.js'
import { config } from '../../../src/platform/process/config.js'
import { webhookSender } from '../../../src/webhooks/sending/sendWebhooks.js'

/**
 * A process of its own that sends the webhooks of its database, again and again, until it
 * is told to stop or killed.
 */
openDatabase(config.databaseUrl!)
startOutbox([webhookSender(JSON.parse(process.argv[2] ?? '{}'))], async () => {})
const often = setInterval(() => wake(), 10)
process.send!({ port: null })

process.on('SIGTERM', async () => {
  clearInterval(often)
  await stopOutbox()
  await closeDatabase()
  process.exit(0)
})
