import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { senders } from '../../src/app/wiring.js'
import { fanOut } from '../../src/notifications/fanOut.js'
import { query } from '../../src/platform/db/database.js'
import { config } from '../../src/platform/process/config.js'
import { announceStatus } from '../../src/status/announceStatus.js'
import { emailFollower } from '../support/email/emailFollowers.js'
import { emptyOutbox } from '../support/email/messages.js'
import { useHouse } from '../support/house/house.js'
import { perRun } from '../support/run/extent.js'

const house = useHouse()
const { office } = house
const followers = perRun({ quick: 15, whole: 200 })

let server: SMTPServer | undefined
afterEach(async () => {
  Object.assign(config.email, original)
  await new Promise<void>((resolve) => (server ? server.close(resolve) : resolve()))
})

describe(`a lift that ${followers} people follow by email`, () => {
  it('costs each change one row, and each of them gets one email about it', async () => {
    for (let i = 0; i < followers; i++) await emailFollower(`jo${i}@outside.test`, [`asset:${lift}`])
    await breakAndRepair()
    const rows = await query('select from events where asset_id = $1', [lift])
    expect(rows).toHaveLength(2)

    await emptyOutbox()
    await house.json('manager', '/api/incidents', {
      json: { assetId: lift, title: 'Stuck', severity: 'critical' },
    })
    await announceStatus(new Set([lift]))
    const taken = await emailServer()
    await fanOut()
    await senders()
      .find(({ name }) => name === 'messages')!
      .drain()
    const outside = taken.filter((address) => address.endsWith('@outside.test'))
    expect(outside).toHaveLength(followers)
    expect(new Set(outside).size).toBe(followers)
  })
})

const original = { ...config.email }

const lift = 2

/** A real email server; returns the addresses it took emails for. */
async function emailServer(): Promise<string[]> {
  const taken: string[] = []
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      taken.push(address)
      done()
    },
    onData(stream, _session, done) {
      stream.on('end', () => done())
      stream.resume()
    },
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  config.email.smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return taken
}

/** The lift breaks down and is repaired, and both are announced. */
async function breakAndRepair(): Promise<void> {
  const id = await house.report({ reporter: 'manager', assetId: lift, title: 'Stuck', severity: 'critical' })
  await announceStatus(new Set([lift]))
  await office.acknowledges(id)
  await house.json('manager', `/api/incidents/${id}/updates`, { json: { body: 'x', newStatus: 'resolved' } })
  await announceStatus(new Set([lift]))
}
