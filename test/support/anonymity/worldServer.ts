import { idle, wake } from '../../../src/platform/outbox/outbox.js'
import { log } from '../../../src/platform/process/log.js'
import { nothingUnderWay } from './underWay.js'

/**
 * The server as it is, which on SIGUSR2 looks at once for what is due, as its own next look may be
 * five seconds away, and says when it has sent and announced all that it had begun.
 */
process.on('SIGUSR2', async () => {
  wake()
  await idle()
  log.info(nothingUnderWay)
})
await import('../../../src/server.js')
