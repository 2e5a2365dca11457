import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cacheResponse, sendCached } from '../../../src/platform/http/answer/cachedResponse.js'
import { staticFiles } from '../../../src/platform/http/answer/staticFiles.js'
import type { Context } from '../../../src/platform/http/context.js'
import { staticAddress } from '../../../src/platform/http/staticAssets.js'

const zlib = vi.hoisted(() => ({ fails: false }))

vi.mock('node:zlib', failingZlib)

afterEach(() => {
  zlib.fails = false
})

describe('a compression that failed', () => {
  const servers = {
    'an answer kept for everybody': () =>
      createServer((req, res) => {
        sendCached(answer, req, res, { anySite: false }).catch(() => res.writeHead(500).end())
      }),
    'a static file': () => {
      const app = new Koa()
      app.silent = true
      app.use((ctx, next) => {
        ctx.state.response = {}
        return staticFiles()(ctx as unknown as Context, next)
      })
      return createServer(app.callback())
    },
  }

  it.each(Object.entries(servers))('is tried again: %s', async (_what, serve) => {
    const server = serve()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${staticAddress('app.js')}`
    for (const encoding of ['br', 'gzip']) {
      const ask = async () => (await fetch(address, { headers: { 'accept-encoding': encoding } })).status
      zlib.fails = true
      expect([await ask(), await ask()], encoding).toEqual([500, 500])
      zlib.fails = false
      expect([await ask(), await ask()], encoding).toEqual([200, 200])
    }
    server.closeAllConnections()
    server.close()
  })
})

type Done = (error: Error | null, bytes: Buffer) => void
const answer = cacheResponse('x'.repeat(2_000), { type: 'text/html; charset=utf-8', vary: 'Accept' })

/** The module `node:zlib`, which compresses nothing while `zlib.fails` is set. */
async function failingZlib(original: () => Promise<typeof import('node:zlib')>) {
  const real = await original()
  const { promisify } = await import('node:util')
  const failing = (work: (bytes: Buffer, options: object, done: Done) => void) => {
    const run = (bytes: Buffer, options: object, done: Done) =>
      zlib.fails ? done(new Error('no memory'), Buffer.alloc(0)) : work(bytes, options, done)
    return Object.assign(run, { [promisify.custom]: undefined })
  }
  return { ...real, gzip: failing(real.gzip), brotliCompress: failing(real.brotliCompress) }
}
