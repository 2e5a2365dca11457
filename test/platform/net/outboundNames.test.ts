import { pbkdf2 } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { isIPv4 } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveWith } from '../../../src/platform/net/resolve.js'
import { itInWholeRun } from '../../support/run/extent.js'

let server: Socket
let asked = 0

beforeAll(startNameServer)
afterAll(() => new Promise<void>((done) => server.close(() => done())))

describe('a name', () => {
  it('has all the addresses name servers give it, of both kinds', async () => {
    expect(await addressesOf('both.test')).toEqual(['192.0.2.1', '2001:db8::1'])
    expect(await addressesOf('four.test')).toEqual(['192.0.2.2', '192.0.2.3'])
    expect(await addressesOf('six.test')).toEqual(['2001:db8::2'])
    expect(await addressesOf('mapped.test')).toEqual(['::ffff:10.0.0.1'])
  })

  it('is the same with a dot at its end and in capitals', async () => {
    expect(await addressesOf('BOTH.test.')).toEqual(['192.0.2.1', '2001:db8::1'])
  })

  it('nobody knows is an error', async () => {
    await expect(resolve('nothing.invalid')).rejects.toThrow()
  })

  it.each(['localhost', 'LOCALHOST', 'localhost.', 'some.localhost'])(
    '%s is this machine, and nobody is asked',
    async (name) => {
      asked = 0
      expect(await addressesOf(name)).toEqual(['127.0.0.1', '::1'])
      expect(asked).toBe(0)
    },
  )

  it('nobody answers for ends when its asker gives up, and holds up nobody else meanwhile', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `silent${n}.test`)
    for (const name of names) zone[name] = 'silent'
    const aborts = names.map(() => new AbortController())
    const waiting = names.map((name, n) =>
      resolve(name, aborts[n]!.signal).then(
        () => 'answered',
        () => 'ended',
      ),
    )
    expect(await addressesOf('both.test')).toHaveLength(2)
    await Promise.all(Array.from({ length: 4 }, () => promisify(pbkdf2)('a', 'b', 1000, 32, 'sha256')))
    expect(await Promise.race([...waiting, 'still waiting'])).toBe('still waiting')
    for (const abort of aborts) abort.abort()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['ended']))
  })

  itInWholeRun('nobody answers for is an error in time for a delivery to say so', async () => {
    zone['quiet.test'] = 'silent'
    const began = performance.now()
    await expect(resolve('quiet.test')).rejects.toMatchObject({ code: 'ETIMEOUT' })
    expect(performance.now() - began).toBeLessThan(8_000)
  })
})

/**
 * What the name server of the test knows; a name it does not know does not exist, a
 * silent one gets no answer.
 */
const zone: Record<string, string[] | 'silent'> = {
  'both.test': ['192.0.2.1', '2001:db8::1'],
  'four.test': ['192.0.2.2', '192.0.2.3'],
  'six.test': ['2001:db8::2'],
  'mapped.test': ['::ffff:10.0.0.1'],
}

const a = 1
const aaaa = 28
const resolver = () => resolveWith([`127.0.0.1:${server.address().port}`])
const resolve = (name: string, signal = AbortSignal.timeout(10_000)) => resolver()(name, signal)

async function startNameServer(): Promise<void> {
  server = createSocket('udp4')
  server.on('message', (question, from) => {
    asked += 1
    const answer = answerTo(question)
    if (answer) server.send(answer, from.port, from.address)
  })
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', done))
}

/** An answer as RFC 1035 has it, to a message with one question. */
function answerTo(question: Buffer): Buffer | null {
  const labels: string[] = []
  let at = 12
  for (let size = question[at]!; size > 0; size = question[at]!) {
    labels.push(question.toString('latin1', at + 1, at + 1 + size))
    at += size + 1
  }
  const known = zone[labels.join('.').toLowerCase()]
  if (known === 'silent') return null
  const type = question.readUInt16BE(at + 1)
  const records = (known ?? []).filter((address) => (isIPv4(address) ? a : aaaa) === type)
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(known ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, question.subarray(12, at + 5), ...records.map((one) => record(one, type))])
}

function record(address: string, type: number): Buffer {
  const bytes = bytesOf(address)
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length])
  return Buffer.concat([head, bytes])
}

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const bytes = Buffer.alloc(16)
  for (const [n, group] of groups(head).entries()) bytes.writeUInt16BE(group, 2 * n)
  for (const [n, group] of groups(tail).reverse().entries()) bytes.writeUInt16BE(group, 14 - 2 * n)
  return bytes
}

const addressesOf = async (name: string) => (await resolve(name)).map(({ address }) => address).sort()
