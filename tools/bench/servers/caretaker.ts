import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createListener } from '../../../src/app/app.js'
import { senders } from '../../../src/app/wiring.js'
import { openDatabase } from '../../../src/platform/db/pools.js'
import { startOutbox } from '../../../src/platform/outbox/outbox.js'
import { config } from '../../../src/platform/process/config.js'
import { announceStatus } from '../../../src/status/announceStatus.js'

/**
 * The application as `server.ts` runs it, its outbox included, on a free port, telling its parent
 * which.
 */
openDatabase(config.databaseUrl!)
startOutbox(senders(), async (assets) => void (await announceStatus(assets)))
const server = createServer(createListener())
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
process.on('SIGTERM', () => process.exit(0))
