import { createServer, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { s3Client } from '../../../src/platform/photos/s3Client.js'
import { s3SettingsAt } from '../../support/photos/s3Server.js'
import { eventually } from '../../support/run/eventually.js'
import { listenOnFreePort } from '../../support/run/ports.js'

let server = createServer()
let listening: Awaited<ReturnType<typeof listenOnFreePort>>
let client: ReturnType<typeof s3Client>

describe('a body that is sent to an object store', () => {
  beforeEach(async () => {
    server = createServer()
    listening = await listenOnFreePort(server)
    client = s3Client(s3SettingsAt(listening.origin), 30_000)
  })
  afterEach(async () => {
    client.close()
    await listening.stop()
  })

  it('ends the request when it breaks off', async () => {
    const closed: Promise<unknown>[] = []
    server.on('request', (req: IncomingMessage) => {
      // Not by once(): the error of a request that ends early is what is tried here.
      const ended = new Promise((resolve) => req.once('close', resolve))
      req.resume().on('error', () => {})
      closed.push(ended)
    })
    const requests = () => closed.length
    const sending = client.send(put(() => Readable.from(breakingAfter(requests))))
    await expect(sending).rejects.toMatchObject({ code: 'EIO' })
    expect(requests()).toBe(2)
    await Promise.all(closed)
  })

  it('asks for nothing when it cannot be opened', async () => {
    let connections = 0
    server.on('connection', () => connections++)
    const sending = client.send(
      put(() => {
        throw new Error('the archive is gone')
      }),
    )
    await expect(sending).rejects.toThrow('the archive is gone')
    expect(connections).toBe(0)
  })

  it('is closed when the connection breaks', async () => {
    const contents: Readable[] = []
    server.on('request', (req: IncomingMessage) => req.once('data', () => req.socket.destroy()))
    const endless = () => {
      const content = new Readable({ read: () => void content.push(Buffer.alloc(100_000)) })
      contents.push(content)
      return content
    }
    await expect(client.send(put(endless))).rejects.toMatchObject({ code: expect.stringMatching(/^E/) })
    expect(contents.map(({ destroyed }) => destroyed)).toEqual([true, true])
  })
})

const size = 10_000_000
const put = (open: () => Readable) => ({ method: 'PUT', key: 'backup', body: { size, open } }) as const

/** Half of the bytes, and an error once a further request has arrived. */
async function* breakingAfter(requests: () => number): AsyncGenerator<Buffer> {
  const before = requests()
  yield Buffer.alloc(size / 2)
  await eventually(() => expect(requests()).toBe(before + 1))
  throw Object.assign(new Error('read'), { code: 'EIO' })
}
