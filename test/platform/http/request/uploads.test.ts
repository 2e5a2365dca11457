import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../../src/platform/db/database.js'
import { config } from '../../../../src/platform/process/config.js'
import type { Who } from '../../../support/house/asking.js'
import { useHouse } from '../../../support/house/house.js'
import { forgetCounts } from '../../../support/house/limits.js'
import { picture } from '../../../support/pictures.js'
import { eventually } from '../../../support/run/eventually.js'
import { perRun } from '../../../support/run/extent.js'

const house = useHouse()

let photo: Buffer
let incidentId: number

beforeAll(async () => {
  photo = await picture()
  incidentId = await house.maya.reports(2)
})
afterEach(() => eventually(async () => expect(await remains()).toEqual([])))

/** The addresses that take photos. */
const pages = ['/report', '/report/suggest', '/incidents', '/incidents/:id/updates']
const doors = [...pages, '/api/incidents', '/api/incidents/:id/updates']

// Who is refused while still sending may find the connection closed before the answer is
// read, on a busy machine.
describe.each(perRun({ quick: ['/report'], whole: doors }))(
  'a request with files to %s',
  { retry: 2 },
  (door) => {
    /** Every way a request with files ends, and the statuses that can be its answer. */
    const ways: Record<string, Way> = {
      'is not refused for its files': { parts: () => [filePart(photo), end], status: [200, 201, 303, 422] },
      'has more files than a post may have': {
        parts: () => [...times(6, filePart(photo)), end],
        status: [200, 422],
      },
      'has too many parts': { parts: () => [...times(60, filePart(photo)), end], status: [413] },
      'has too many fields': {
        parts: () => [filePart(photo), ...times(120, fieldPart('x', 'y')), end],
        status: [413],
      },
      'has a field that is too long': {
        parts: () => [filePart(photo), fieldPart('title', 'y'.repeat(300_000)), end],
        status: [413],
      },
      'has a file that is too large': {
        parts: () => [filePart(photo), filePart(Buffer.alloc(61 * 1024 * 1024)), end],
        status: [413],
      },
      'has a file that is no picture': { parts: () => [filePart('hello'), end], status: [200, 415, 422] },
      'has an empty file': { parts: () => [filePart(''), end], status: [200, 201, 303, 422] },
      'has a file of another name': {
        parts: () => [filePart(photo, 'document'), end],
        status: [200, 201, 303, 422],
      },
      'stops in the middle of a part': { parts: () => [filePart(photo).subarray(0, -20)], status: [400] },
      'is no form at all': { parts: () => [Buffer.from('--other\r\n\r\n')], status: [400, 422] },
      'comes from another site': {
        headers: { 'sec-fetch-site': 'cross-site' },
        parts: () => [filePart(photo), end],
        status: [403],
      },
      'comes from a guest': { who: 'guest', parts: () => [filePart(photo), end], status: [401, 422] },
      'comes with a wrong key': {
        who: 'guest',
        headers: { authorization: 'Bearer no' },
        parts: () => [filePart(photo), end],
        status: [401],
      },
      'has a bad Idempotency-Key': {
        headers: { 'idempotency-key': 'with a space' },
        parts: () => [filePart(photo), end],
        status: [200, 400, 422],
      },
    }

    it.each(Object.entries(ways))(
      'that %s leaves none behind',
      async (_way, { who = 'resident', headers, parts, status }) => {
        const answer = await house.ask(who, at(door), {
          headers: { ...form, ...headers },
          body: Buffer.concat(parts()),
        })
        expect(status).toContain(answer.status)
        await answer.arrayBuffer()
      },
    )

    it('whose sender has sent too much leaves none behind', async () => {
      const [{ id } = { id: 0 }] = await query<{ id: number }>(
        `select id from users where email = 'board@example.com'`,
      )
      await query(`update users set role = 'resident' where id = $1`, [id])
      // A try before this one may have ended half-way.
      await forgetCounts()
      for (const kind of ['reports', 'writes'])
        await query(
          `insert into throttles (key, points, expire) values ($1, 100000, extract(epoch from now()) * 1000 + 60000)`,
          [`${kind}:user:${id}`],
        )
      const answer = await house.ask('board', at(door), {
        headers: form,
        body: Buffer.concat([filePart(photo), end]),
      })
      await forgetCounts()
      await query(`update users set role = 'board' where id = $1`, [id])
      expect(answer.status).toBe(429)
    })

    it.each([0, 1, 5, 9])('whose sender goes away after %i of 10 parts leaves none behind', async (sent) => {
      const { hostname, port } = new URL(house.origin())
      const cookie = await house.signIn('resident@example.com')
      const parts = times(10, filePart(Buffer.alloc(50_000)))
      const length = Buffer.concat([...parts, end]).length
      const socket = connect(Number(port), hostname)
      socket.write(
        `POST ${at(door)} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: ${form['content-type']}\r\nContent-Length: ${length}\r\n\r\n`,
      )
      for (const part of parts.slice(0, sent)) socket.write(part)
      // Early enough to meet the server before it reads, and late enough to meet it in the middle.
      await new Promise((resolve) => setTimeout(resolve, 8 * sent))
      if (sent > 1) await eventually(async () => expect(await remains()).not.toEqual([]))
      socket.destroy()
      await eventually(async () => expect(await remains()).toEqual([]))
    })

    it('at the same time as others leaves none behind', async () => {
      const sent = { headers: form, body: Buffer.concat([...times(3, filePart(photo)), end]) }
      const answers = await Promise.all(Array.from({ length: 4 }, () => house.ask('manager', at(door), sent)))
      for (const { status } of answers) expect(status).toBeLessThan(500)
    })
  },
)

const boundary = 'edge'
const form = { 'content-type': `multipart/form-data; boundary=${boundary}`, 'sec-fetch-site': 'same-origin' }

const filePart = (bytes: string | Buffer, field = 'photos[]') =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="p.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
    ),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ])

const fieldPart = (name: string, value: string) =>
  Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)

const end = Buffer.from(`--${boundary}--\r\n`)
const times = (count: number, part: Buffer) => Array<Buffer>(count).fill(part)

/**
 * What stands in the upload folder once the requests are done with; retried, since a
 * client may not wait for that.
 */
async function remains(): Promise<string[]> {
  return existsSync(config.uploadDir) ? readdir(config.uploadDir, { recursive: true }) : []
}

type Way = { who?: Who; headers?: Record<string, string>; parts: () => Buffer[]; status: number[] }
const at = (path: string) => path.replace(':id', String(incidentId))
