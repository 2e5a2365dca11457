import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createListener } from '../../../src/app/app.js'
import { openDatabase } from '../../../src/platform/db/pools.js'
import { config } from '../../../src/platform/process/config.js'

/**
 * The application as `server.ts` runs it, which also tells at /bench/memory how many bytes its
 * process holds.
 */
openDatabase(config.databaseUrl!)
const answer = createListener()
const server = createServer((req, res) => {
  if (req.url === '/bench/memory') res.end(String(process.memoryUsage.rss()))
  else void answer(req, res)
})
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
process.on('SIGTERM', () => process.exit(0))
