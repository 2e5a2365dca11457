import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from '../../../src/app/app.js'
import { appRouter } from '../../../src/app/routes.js'
import { query } from '../../../src/platform/db/database.js'
import { openDatabase } from '../../../src/platform/db/pools.js'
import { respond } from '../../../src/platform/http/answer/respond.js'
import { both } from '../../../src/platform/http/paths.js'
import { throttle } from '../../../src/platform/http/protection/throttle.js'
import { allow } from '../../../src/platform/http/request/allow.js'
import { body } from '../../../src/platform/http/request/body.js'
import { bodyOf } from '../../../src/platform/http/request/parsedBody.js'
import { config } from '../../../src/platform/process/config.js'

/**
 * The application with one more route: the same stack up to the handler, which does nothing but one
 * INSERT.
 */
const router = appRouter()
router.post(
  both('/bench/insert'),
  allow('incident.report'),
  throttle('reports'),
  body({ photos: 'store' }),
  async (ctx) => {
    const { title, assetId, severity } = bodyOf(ctx)
    const [row] = await query<{ id: number }>(
      `insert into incidents (title, severity, source, asset_id) values ($1, $2, 'mobile', $3) returning id`,
      [title, severity, Number(assetId)],
    )
    await respond(ctx, { data: { id: row!.id }, location: `/incidents/${row!.id}`, status: 201 })
  },
)

openDatabase(config.databaseUrl!)
const server = createServer(createApp(router).callback())
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
process.on('SIGTERM', () => process.exit(0))
