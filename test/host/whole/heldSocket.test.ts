import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { useDatabase } from '../../support/database.js'
import { holdSocket } from '../../support/host/heldSocket.js'
import { keys } from '../../support/keys.js'
import { startCaretaker } from '../../support/process.js'
import { eventually } from '../../support/run/eventually.js'
import { newFolder } from '../../support/run/folders.js'

const database = useDatabase()
const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a web whose socket is held for it', () => {
  it('serves who connects while it ends, and who connects after that is the next one’s', async () => {
    const socket = holdSocket()
    const env = { DATABASE_URL: database(), DATA_DIR: folder, TRUST_PROXY: 'true', ...keys }
    const opened = () => connect(socket.port, '127.0.0.1')
    const ask = async (connection: ReturnType<typeof opened>, address = '/healthz') => {
      connection.write(`GET ${address} HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n`)
      return String((await once(connection, 'data'))[0])
    }
    const first = await startCaretaker(env, 'src/server.js', socket)
    expect(new URL(first.origin).port).toBe(String(socket.port))
    expect(await ask(opened())).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: keep-alive/i)
    const slow = opened()
    slow.write(
      'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n',
    )
    expect(String((await once(slow, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 /)
    const ended = first.end()
    await vi.waitFor(() => expect(first.output()).toContain('"stopping"'), { timeout: 60_000, interval: 1 })

    // As long as a request from before is under way, it serves new ones, each on
    // a connection of its own.
    await eventually(async () => expect(await ask(opened())).toMatch(/connection: close/i))
    expect(await ask(opened(), '/readyz')).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close/i)
    expect(await ask(opened(), '/api/status')).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i)
    slow.write('{}')
    expect(String((await once(slow, 'data'))[0])).toMatch(/^HTTP\/1\.1 422 /)
    expect(await ended).toBe(0)

    const early = ask(opened())
    const second = await startCaretaker(env, 'src/server.js', socket)
    expect(await early).toMatch(/^HTTP\/1\.1 200 /)
    expect(await second.end()).toBe(0)
    socket.close()
  })

  it('listens for itself when the socket is another process’s', async () => {
    const env = { DATABASE_URL: database(), DATA_DIR: folder, LISTEN_FDS: '1', LISTEN_PID: '1', ...keys }
    const web = await startCaretaker(env)
    expect((await fetch(`${web.origin}/healthz`)).status).toBe(200)
    expect(await web.end()).toBe(0)
  })
})
