import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'

/**
 * The measure of all reads: Koa with nothing in it, answering a constant body of BODY_BYTES with a
 * tag.
 */
const body = Buffer.alloc(Number(process.env.BODY_BYTES), 97)
const app = new Koa()
app.use((ctx) => {
  ctx.set('ETag', '"constant"')
  if (ctx.get('If-None-Match') === '"constant"') {
    ctx.status = 304
    return
  }
  ctx.set('Content-Encoding', 'br')
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = body
})

const server = createServer(app.callback())
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
process.on('SIGTERM', () => process.exit(0))
