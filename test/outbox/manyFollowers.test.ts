import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { announceStatus } from '../../src/actions/status/announceStatus.js'
import { config } from '../../src/config.js'
import { query } from '../../src/database.js'
import { senders } from '../../src/senders.js'
import { useApp } from '../support/app.js'
import { mailFollower } from '../support/mail/mailFollowers.js'
import { inWholeRun, perRun } from '../support/suite/extent.js'
import { computed } from '../support/suite/ticking.js'

const app = useApp()
const original = { ...config.mail }
const followers = perRun({ quick: 40, whole: 200 })
/** How often it breaks down: a median of a few on a busy machine is none, and is not looked at. */
const breakdowns = perRun({ quick: 3, whole: 25 })
const lift = 2
const neighbour = 3

let server: SMTPServer | undefined
afterEach(async () => {
  Object.assign(config.mail, original)
  await new Promise<void>((resolve) => (server ? server.close(resolve) : resolve()))
})

/** A real mail server; returns the addresses it took mails for. */
async function mailServer(): Promise<string[]> {
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
  config.mail.smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return taken
}

/** The lift breaks down and is repaired: milliseconds of the two changes and what they announce. */
async function breakAndRepair(assetId: number): Promise<number> {
  const began = performance.now()
  const { id } = await app.json('manager', '/api/incidents', {
    json: { assetId, title: 'Stuck', severity: 'critical' },
  })
  await announceStatus(new Set([assetId]))
  await app.json('manager', `/api/incidents/${id}/updates`, { json: { body: 'x', newStatus: 'resolved' } })
  await announceStatus(new Set([assetId]))
  return performance.now() - began
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!

describe(`a lift that ${followers} follow by mail`, () => {
  it('is changed as fast as one nobody follows, and all of them have their mail within 30 seconds', async () => {
    for (let i = 0; i < followers; i++) await mailFollower(`jo${i}@outside.test`, [`asset:${lift}`])
    const times: Record<number, number[]> = { [lift]: [], [neighbour]: [] }
    for (let round = 0; round < breakdowns; round++)
      for (const asset of round % 2 ? [lift, neighbour] : [neighbour, lift])
        times[asset]!.push(await breakAndRepair(asset))
    const ratio = median(times[lift]!) / median(times[neighbour]!)
    const rows = await query<{ n: number }>(
      'select count(*)::integer as n from mail_events where asset_id = $1',
      [lift],
    )
    // Two events a round, each one row, whoever follows.
    expect(rows[0]!.n).toBe(2 * breakdowns)
    inWholeRun(() => expect(ratio).toBeLessThan(1.5))

    await query('delete from outbox')
    await app.json('manager', '/api/incidents', {
      json: { assetId: lift, title: 'Stuck', severity: 'critical' },
    })
    await announceStatus(new Set([lift]))
    const taken = await mailServer()
    const began = computed()
    await senders()
      .find(({ name }) => name === 'messages')!
      .drain()
    const seconds = (computed() - began) / 1000
    expect(new Set(taken.filter((address) => address.endsWith('@outside.test'))).size).toBe(followers)
    expect(taken.filter((address) => address.endsWith('@outside.test'))).toHaveLength(followers)
    expect(seconds).toBeLessThan(30)
    if (process.env.SHOW_FIGURES)
      process.stdout.write(
        `write with ${followers} to none: ${ratio.toFixed(3)}; mails: ${seconds.toFixed(1)} s\n`,
      )
  })
})
