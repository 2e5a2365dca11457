import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { announceStatus } from '../../../src/actions/status/announceStatus.js'
import { createListener } from '../../../src/app.js'
import { config } from '../../../src/config.js'
import { openDatabase } from '../../../src/database.js'
import { startOutbox } from '../../../src/outbox.js'
import { senders } from '../../../src/senders.js'

/** The application as `server.ts` runs it, its outbox included, on a free port, telling its parent which. */
openDatabase(config.databaseUrl!)
startOutbox(senders(), async (assets) => void (await announceStatus(assets)))
const server = createServer(createListener())
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
process.on('SIGTERM', () => process.exit(0))
