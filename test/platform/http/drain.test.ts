import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { answerPlainly } from '../../../src/platform/http/answer/lastResort.js'
import { boundedServer } from '../../../src/platform/http/server/boundedServer.js'
import { drain, trackAnswers } from '../../../src/platform/http/server/listen.js'
import { config } from '../../../src/platform/process/config.js'

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})

const head = (method: string, more = '') => `${method} / HTTP/1.1\r\nHost: x\r\n${more}\r\n`

describe('an answer under way when the server is told to stop', () => {
  const ways: [string, string, (asked: Asked) => void][] = [
    ['of known length', head('GET'), ({ response }) => response.setHeader('Content-Length', 2).end('ok')],
    ['in chunks', head('GET'), ({ response }) => response.write('ok') && response.end()],
    ['without a body', head('HEAD'), ({ response }) => response.end()],
    ['not modified', head('GET'), ({ response }) => response.writeHead(304).end()],
    ['to a write', `${head('POST', 'Content-Length: 2\r\n')}ok`, ({ response }) => response.end('ok')],
    [
      'replaced by an error',
      head('GET'),
      ({ request, response }) => answerPlainly(new Error('Planted'), request, response),
    ],
  ]

  it.each(ways)('says that it is the last on its connection: %s', async (_what, sent, answer) => {
    const { asked, received } = await stoppedDuring(sent, 1)
    answer(asked[0]!)
    expect(await received).toMatch(/^HTTP\/1\.1 \d{3}.*\r\nConnection: close\r\n/s)
  })

  it('lets the others asked for on its connection come, too', async () => {
    const { asked, received } = await stoppedDuring(head('GET') + head('GET'), 2)
    asked[0]!.response.setHeader('Content-Length', 5).end('first')
    while (asked.length < 2) await new Promise(setImmediate)
    asked[1]!.response.setHeader('Content-Length', 6).end('second')
    const text = await received
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    expect(text.match(/Connection: \S+/g)).toEqual(['Connection: keep-alive', 'Connection: close'])
    expect(text).toMatch(/second$/)
  })
})

describe('a server that stays for a while after it is told to stop', () => {
  const { drainMs } = config
  afterEach(() => {
    config.drainMs = drainMs
  })

  it('takes connections until the while is over, and then ends', async () => {
    config.drainMs = 50
    const { asked, ended, server } = await stoppedDuring(head('GET'), 1)
    expect(server.listening).toBe(true)
    asked[0]!.response.end()
    await ended
    expect(server.listening).toBe(false)
  })
})

type Asked = { request: IncomingMessage; response: ServerResponse }
const clients: Socket[] = []

/** A server that is told to stop while each of these requests of one connection is under way. */
async function stoppedDuring(
  sent: string,
  requests: number,
): Promise<{ asked: Asked[]; received: Promise<string>; ended: Promise<void>; server: Server }> {
  const asked: Asked[] = []
  const server = boundedServer((request, response) => asked.push({ request, response }))
  trackAnswers(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  clients.push(client)
  let text = ''
  client.on('data', (chunk) => (text += chunk))
  const received = once(client, 'close').then(() => text)
  let seen = 0
  const all = new Promise<void>((resolve) => server.on('request', () => ++seen === requests && resolve()))
  client.write(sent)
  await all
  return { asked, received, ended: drain(server, [server]), server }
}
