import { once } from 'node:events'
import { connect } from 'node:net'
import type { House } from '../../house/house.js'
import { forgetCounts } from '../../house/limits.js'
import { perRun } from '../../run/extent.js'
import type { Endpoint } from '../endpoints.js'

export type Headers = Record<string, string>
export type Heard = { status: number; code: string | null }

/** Sends exactly these bytes after the header, and no header of a client. */
export async function sendBytes(
  house: House,
  method: string,
  path: string,
  headers: Headers,
  bytes = '',
): Promise<Heard> {
  const { hostname, port, host } = new URL(house.origin())
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${bytes}`)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  const text = Buffer.concat(chunks).toString()
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0),
    code: /"code":"(\w+)"/.exec(text)?.[1] ?? null,
  }
}

const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'nonsense',
]

/** The ways a request says that it has no body, with the bytes it sends. */
const framings: Record<string, [headers: Headers, bytes: string]> = {
  'no length': [{}, ''],
  'a length of 0': [{ 'content-length': '0' }, ''],
  'no chunk': [{ 'transfer-encoding': 'chunked' }, '0\r\n\r\n'],
}

/** Each type that a request may say its body has, with each way to have none. */
export const emptyBodies = Object.entries(framings).flatMap(([framing, sending]) =>
  types.map((type) => ({ framing, type, sending })),
)

/** Acts that end the session of whoever does them. */
const endsSession = /sign-out|sessions|browsers/
/** Nothing has this id, so that nothing is done; names are no ids. */
const addressOf = ({ path }: Endpoint) => path.replace(/:\w+|\{\*\w+\}/g, '999999')

/**
 * Where a request without a body is answered differently for the type it says the body has. Ends
 * sessions of the admin.
 */
export async function emptyBodyFaults(house: House, endpoints: readonly Endpoint[]): Promise<string[]> {
  const faults: string[] = []
  for (const [turn, endpoint] of endpoints.entries()) {
    await forgetCounts()
    const address = addressOf(endpoint)
    let cookie = await house.signIn('admin@example.com')
    const ask = async (headers: Headers, bytes: string) => {
      if (endsSession.test(address)) cookie = await house.signIn('admin@example.com')
      const all = { cookie, accept: 'application/json', ...headers }
      return sendBytes(house, endpoint.method, address, all, bytes)
    }
    const expected = await ask({}, '')
    const chosen = emptyBodies.filter((_, i) => i % 8 === (turn + 1) % 8)
    for (const { framing, type, sending } of perRun({ quick: chosen, whole: emptyBodies })) {
      const [headers, bytes] = sending
      const heard = await ask({ ...headers, 'content-type': type }, bytes)
      if (heard.status === expected.status && heard.code === expected.code) continue
      const name = `${endpoint.method} ${address} as ${type} with ${framing}`
      faults.push(`${name}: ${heard.status} ${heard.code}, not ${expected.status} ${expected.code}`)
    }
    if (expected.status === 415 || expected.status >= 500) faults.push(`${address}: ${expected.status}`)
  }
  return faults
}
