import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { config } from '../../../src/platform/process/config.js'
import { hostileHtml, hostileText } from '../../support/email/hostileEmails.js'
import { newEmail } from '../../support/email/incomingEmail.js'
import { anHourLater } from '../../support/email/receivedEmails.js'
import { useHouse } from '../../support/house/house.js'
import { keys } from '../../support/keys.js'
import { eventually } from '../../support/run/eventually.js'
import { itInWholeRun, perRun } from '../../support/run/extent.js'
import { calmest, filled, ticking, turn } from '../../support/run/ticking.js'

const house = useHouse()
const path = '/api/inbound-email'

beforeEach(anHourLater)

describe('the event loop goes on while an email is taken in', () => {
  it.each(perRun({ quick: { every: 9 }, whole: hostileEmails() }))('with %s', async (_what, given) => {
    const { status, longest } = await answeredCalmly(given)
    // Only what nests deeper than any request of ours may be refused: an email is kept.
    expect([200, 400]).toContain(status)
    expect(longest).toBeLessThan(turn)
  })
})

describe('a large email', () => {
  const compressed = (text: string, encoding: string) =>
    postJson(gzipSync(text), { 'content-encoding': encoding })

  it('arrives whole, compressed or of unknown length', async () => {
    const description = filled('Wörter — 文字 ', 5_000).trim()
    const given = { text: description, html: filled('<br>', 3_000_000) }
    const answers = [
      await postJson(bytesOf(given)),
      await compressed(bytesOf(given).toString(), 'gzip'),
      await fetch(house.origin() + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${keys.INBOUND_EMAIL_SECRET}`,
        },
        body: new Blob([bytesOf(given)]).stream(),
        duplex: 'half',
      } as RequestInit),
    ]
    for (const answer of answers) {
      const { incidentId } = (await answer.json()) as { incidentId: number }
      expect((await house.json('guest', `/api/incidents/${incidentId}`)).description).toBe(description)
    }
  })

  const refused: [string, () => Promise<Response>, number][] = [
    ['not compressed as it says', () => postJson(bytesOf({}), { 'content-encoding': 'gzip' }), 400],
    ['compressed in another way', () => postJson(bytesOf({}), { 'content-encoding': 'compress' }), 415],
    ['cut short', () => postJson(gzipSync(bytesOf({})).subarray(0, 60), { 'content-encoding': 'gzip' }), 400],
    ['no JSON', () => postJson(Buffer.from(filled('{"from": ', 2_000_000))), 400],
    ['a list', () => postJson(Buffer.from(`[${filled('"x",', 2_000_000)}"x"]`)), 400],
    ['too large when it is unpacked', () => compressed(filled(' ', 90_000_000), 'gzip'), 413],
    ['too large', () => postJson(Buffer.alloc(80_000_000, ' ')), 413],
  ]
  it.each(perRun({ quick: refused.slice(2, 3), whole: refused }))(
    'that is %s is refused, and the next one passes',
    async (_what, send, status) => {
      const answer = await send()
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
      expect((await postJson(bytesOf({ html: filled('x', 2_000_000) }))).status).toBe(200)
    },
  )

  itInWholeRun('of 70 MB stays an email with what is attached', async () => {
    const attachments = many(5, (i) => ({ filename: `${i}.bin`, contentBase64: filled('QUJD', 13_900_000) }))
    const { incidentId } = await (await postJson(bytesOf({ attachments }))).json()
    const { updates } = await house.json('manager', `/api/incidents/${incidentId}`)
    const entry = JSON.stringify(updates)
    for (let i = 0; i < 5; i++) expect(entry).toContain(`${i}.bin (not a photo)`)
  })

  const nested: [string, string][] = [
    ['lists', `[${filled('[],', 30_000_000)}[]]`],
    ['numbers', `[${filled('1,', 30_000_000)}1]`],
    ['nested lists', '['.repeat(10_000_000)],
    ['names', `{${filled('"a":1,', 30_000_000)}"a":1}`],
    ['a text without end', `"${filled('\\"', 30_000_000)}`],
    [
      'a list in a list in a list',
      `{"from":"a","headers":${'['.repeat(60)}${']'.repeat(60)},"html":"${filled('x', 2e6)}"}`,
    ],
  ]
  it.each(perRun({ quick: nested.slice(-1), whole: nested }))(
    'that is 30 MB of %s is refused, and ends no process',
    async (_what, text) => {
      expect((await postJson(Buffer.from(text))).status).toBe(400)
      expect((await postJson(bytesOf({ html: filled('x', 2_000_000) }))).status).toBe(200)
    },
  )

  it('lets the next one pass after its sender hung up in the middle of a compressed one', async () => {
    const { hostname, port } = new URL(house.origin())
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.INBOUND_EMAIL_SECRET}\r\n` +
        'Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 20000000\r\nExpect: 100-continue\r\n\r\n',
    )
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 /)
    await new Promise((sent) => socket.write(gzipSync(filled('x', 1_000_000)).subarray(0, 200), sent))
    socket.destroy()
    expect((await postJson(bytesOf({ html: filled('x', 2_000_000) }))).status).toBe(200)
  })
})

describe('the door for emails', () => {
  it('refuses a wrong key before it reads what comes', async () => {
    const { hostname, port } = new URL(house.origin())
    const socket = connect(Number(port), hostname)
    const size = 30_000_000
    let sent = 0
    let heard = ''
    const closed = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => (heard += chunk))
      socket.on('error', () => resolve())
      socket.on('close', () => resolve())
    })
    socket.write(
      `POST /api/inbound-email HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.CRON_SECRET}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`,
    )
    const chunk = Buffer.alloc(65_536, 0x20)
    while (sent < size && heard === '' && !socket.destroyed) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), closed])
      sent += chunk.length
    }
    await closed
    expect(heard).toMatch(/^HTTP\/1\.1 401 /)
    expect(heard).toMatch(/connection: close/i)
    expect(sent).toBeLessThan(size / 2)
  })

  it('lets large emails pass while senders of others take their time, and takes those in the end', async () => {
    const { hostname, port } = new URL(house.origin())
    const text = JSON.stringify({ from: 'slow@b.example', subject: 'Slow', text: 'x'.repeat(2_000_000) })
    const slow = await Promise.all(
      ['identity', 'gzip'].map(async (encoding) => {
        const bytes = encoding === 'gzip' ? gzipSync(text) : Buffer.from(text)
        const socket = connect(Number(port), hostname)
        socket.write(
          `POST /api/inbound-email HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.INBOUND_EMAIL_SECRET}\r\n` +
            `Content-Type: application/json\r\nContent-Encoding: ${encoding}\r\n` +
            `Content-Length: ${bytes.length}\r\nExpect: 100-continue\r\n\r\n`,
        )
        expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 /)
        socket.write(bytes.subarray(0, 500))
        return { socket, answered: once(socket, 'data'), rest: bytes.subarray(500) }
      }),
    )
    for (const subject of ['One', 'Another'])
      expect((await postJson(bytesOf({ subject, text: filled('x', 2_000_000) }))).status).toBe(200)
    for (const { socket, answered, rest } of slow) {
      socket.write(rest)
      expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 200 /)
      socket.destroy()
    }
  })

  it('leaves no file of a large email behind, whatever became of it', async () => {
    await postJson(bytesOf({ text: filled('x', 2_000_000) }))
    const headers = { 'content-encoding': 'gzip' }
    await postJson(gzipSync('{"from": "a@b.example"}').subarray(0, 20), headers)
    await postJson(Buffer.alloc(2_000_000, 'x'), headers)
    await eventually(() => expect(readdirSync(config.uploadDir)).toEqual([]))
  })
})

/** Emails that no email program writes, each as what it has besides a sender. */
function hostileEmails(): [what: string, given: Record<string, unknown>][] {
  return [
    ['HTML of "<div>" without end', { text: '', html: hostileHtml['"<div>" without end'] }],
    ['HTML of quotes within quotes', { text: '', html: hostileHtml['quotes within quotes'] }],
    ['HTML of many attributes', { text: '', html: hostileHtml['many attributes'] }],
    ...perRun({ quick: { every: 16, from: 2 }, whole: Object.entries(hostileText) }).map(
      ([what, text]): [string, Record<string, unknown>] => [
        `an answer of ${what}`,
        { subject: 'Re: x', text },
      ],
    ),
    ...perRun({ quick: { every: 16, from: 6 }, whole: Object.entries(hostileText) }).map(
      ([what, text]): [string, Record<string, unknown>] => [
        `${what} everywhere but in its text`,
        {
          from: text.repeat(3),
          subject: text.repeat(3),
          messageId: text.repeat(3),
          headers: { 'auto-submitted': text, 'return-path': text, [text]: text },
          attachments: [{ filename: text.repeat(3), contentBase64: text }],
        },
      ],
    ),
    ['one header, often', { headers: many(40_000, () => ({ name: 'Received', value: 'x' })) }],
    ['one header of many values', { headers: { received: many(200_000, () => 'x') } }],
    [
      'many headers',
      { headers: Object.fromEntries(many(60_000, (i) => [`x-${i}`, 'x']) as [string, string][]) },
    ],
    ['encoded words', { subject: million('=?utf-8?Q?=41?= '), from: million('=?utf-8?B?QUFB?= ') }],
    ['half encoded words', { subject: million('=?utf-8?Q?'), from: million('=?') }],
    ['tags', { subject: million('[INC-'), text: million('[INC-1] ') }],
    ['tags of digits', { subject: `[INC-${filled('1', 900_000)}]` }],
    ['answers to answers', { subject: million('Re: '), text: Object.values(hostileText).join('\n') }],
    ['many attachments', { attachments: many(30_000, () => ({ filename: 'x', contentBase64: 'eA==' })) }],
    ['no attachments, often', { attachments: many(200_000, () => null) }],
    [
      'a megabyte of no base64',
      { attachments: many(20, () => ({ filename: 'x', contentBase64: filled('!-', 50_000) })) },
    ],
  ]
}

/**
 * The bytes of an email's request: made before the clock runs, as they are on
 * somebody else's machine.
 */
function bytesOf(given: Record<string, unknown>): Buffer<ArrayBuffer> {
  return Buffer.from(JSON.stringify(newEmail(given)))
}

function postJson(body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}) {
  return house.ask('inbound', path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** How an email is answered, and how long others had to wait meanwhile. */
async function answeredCalmly(given: Record<string, unknown>): Promise<{ status: number; longest: number }> {
  const { result, longest } = await calmest(() => {
    const bytes = bytesOf(given)
    return ticking(() => postJson(bytes))
  })
  return { status: result.status, longest }
}

function many(count: number, make: (i: number) => unknown) {
  return Array.from({ length: count }, (_, i) => make(i))
}

function million(part: string) {
  return filled(part, 1_000_000)
}
