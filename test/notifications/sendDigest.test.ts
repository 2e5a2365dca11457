import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compileDigest, digestContents } from '../../src/notifications/digest/compileDigest.js'
import type { DigestRows } from '../../src/notifications/digest/digestQueries.js'
import { query } from '../../src/platform/db/database.js'
import { startOutbox, stopOutbox } from '../../src/platform/outbox/outbox.js'
import type { Deliver, DeliveryOutcome } from '../../src/vocabulary/email/delivery.js'
import { userIdOf } from '../support/accounts.js'
import { emptyOutbox } from '../support/email/messages.js'
import { useHouse } from '../support/house/house.js'
import { messageSender } from '../support/sending.js'

const house = useHouse()
const { maya, office, board } = house

describe('downtime in the digest', () => {
  it.each([
    ['nothing', [], 0, 0],
    ['an hour this week', [outage('2026-11-20T10:00Z', '2026-11-20T11:00Z')], 1, 0],
    ['one across the border of the weeks', [outage('2026-11-16T06:00Z', '2026-11-16T10:00Z')], 3, 1],
    [
      'two that overlap',
      [outage('2026-11-20T10:00Z', '2026-11-20T12:00Z'), outage('2026-11-20T11:00Z', '2026-11-20T13:00Z')],
      3,
      0,
    ],
    ['one that still runs', [outage('2026-11-23T05:00Z', null)], 2, 0],
    ['one since before both weeks', [outage('2026-01-01T00:00Z', null)], 168, 168],
  ])('%s', (_what, downtime, thisWeek, weekBefore) => {
    const digest = digestContents(rows('2026-11-23T07:00:00Z', { downtime }))
    expect(digest.towers).toEqual([
      {
        name: 'North Tower',
        hours: { thisWeek, weekBefore },
        assets: [{ id: 1, name: 'Lift', status: 'operational', hours: { thisWeek, weekBefore } }],
      },
    ])
  })

  it('is elapsed time across a clock change, and planned work does not count', () => {
    // Clocks went back on 25 October: midnight to 03:00 lasted four hours.
    const night = [outage('2026-10-24T23:00Z', '2026-10-25T03:00Z')]
    const weekly = {
      assetId: 1,
      title: 'Check',
      startsAt: Date.parse('2026-10-11T00:00Z'),
      endsAt: Date.parse('2026-10-11T01:00Z'),
      recurrence: 'weekly' as const,
    }
    expect(digestContents(rows('2026-10-26T07:00:00Z', { downtime: night })).towers[0]!.hours.thisWeek).toBe(
      4,
    )
    // 01:00–02:00 summer time on the 11th comes again at 01:00–02:00 by the clock on the 25th,
    // which happens first in summer time.
    expect(
      digestContents(rows('2026-10-26T07:00:00Z', { downtime: night, windows: [weekly] })).towers[0]!.hours
        .thisWeek,
    ).toBeLessThan(4)
  })

  it('names planned work of the next two weeks, at its wall clock time', () => {
    const weekly = {
      assetId: 1,
      title: 'Check',
      startsAt: Date.parse('2026-10-20T05:00Z'),
      endsAt: Date.parse('2026-10-20T06:00Z'),
      recurrence: 'weekly' as const,
    }
    const { maintenance } = digestContents(rows('2026-10-19T07:00:00Z', { windows: [weekly] }))
    expect(maintenance.map(({ startsAt }) => startsAt)).toEqual([
      '2026-10-20T05:00:00.000Z',
      '2026-10-27T06:00:00.000Z',
    ])
    expect(maintenance[0]).toMatchObject({ title: 'Check', assetName: 'Lift', towerName: 'North Tower' })
  })
})

describe('the digest of the building', () => {
  it('counts what is in the tables, without merged duplicates', async () => {
    const before = await compileDigest()
    const ids = []
    for (let i = 0; i < 3; i++)
      ids.push(await house.report({ assetId: 4, title: `New ${i}`, severity: 'high' }))
    await office.resolves(ids[0]!, 'x')
    await maya.confirms(ids[0]!)
    await office.merges(ids[1]!, ids[2]!)
    const { counts, unacknowledged } = await compileDigest()
    expect(counts.created.thisWeek - before.counts.created.thisWeek).toBe(2)
    expect(counts.resolved.thisWeek - before.counts.resolved.thisWeek).toBe(1)
    expect(counts.verified.thisWeek - before.counts.verified.thisWeek).toBe(1)
    expect(unacknowledged.total - before.unacknowledged.total).toBe(1)
    expect(unacknowledged.oldest.length).toBeLessThanOrEqual(10)
  })

  it('names the oldest unacknowledged incidents first, however urgent newer ones are', async () => {
    const createdAt = new Date(Date.now() - 40 * 86_400_000)
    const old = await house.report({ assetId: 4, title: 'Waits for long', severity: 'low', createdAt })
    for (let i = 0; i < 12; i++)
      await house.report({ assetId: 4, title: `Urgent ${i}`, severity: 'critical' })
    const { oldest } = (await compileDigest()).unacknowledged
    expect(oldest).toHaveLength(10)
    expect(oldest.map(({ id }) => id)).toContain(old)
    const moments = oldest.map(({ createdAt }) => createdAt)
    expect(moments).toEqual([...moments].sort())
  })

  it('agrees with the asset pages on the last week', async () => {
    const { towers } = await compileDigest()
    expect(towers.map(({ name }) => name)).toEqual(['North Tower', 'South Tower'])
    expect(towers.flatMap(({ assets }) => assets).find(({ id }) => id === 1)!.hours.thisWeek).toBeGreaterThan(
      0,
    )
  })
})

it('POST /api/cron/digest writes to staff only, and always sends by hand', async () => {
  for (let run = 1; run <= 2; run++) {
    expect(await house.json('cron', '/api/cron/digest', { method: 'POST' })).toMatchObject({
      recipients: 3,
      outbox: expect.any(String),
    })
    const rows = await query(
      `select u.role from outbox o join users u on u.id = o.recipient_id where o.event = 'digest'`,
    )
    expect(rows).toHaveLength(3 * run)
  }
})

describe('the numbers of a digest', () => {
  const run = () => house.json('cron', '/api/cron/digest', { method: 'POST' })
  const sendingAs = (deliver: Deliver) =>
    startOutbox([messageSender({ mail: deliver, push: deliver })], async () => {}, { watch: false })
  const ends =
    (toBoard: DeliveryOutcome): Deliver =>
    async ({ recipientId }) =>
      recipientId === boardId ? toBoard : { as: 'sent' }
  let boardId = 0

  beforeEach(async () => {
    await emptyOutbox()
    boardId = await userIdOf('board')
  })
  afterEach(async () => {
    await stopOutbox()
    await board.wants({ 'digest.mail': true })
  })

  it('leave out who does not want it: nothing is written to them', async () => {
    await board.wants({ 'digest.mail': false })
    sendingAs(ends({ as: 'sent' }))
    expect(await run()).toMatchObject({ recipients: 2, delivered: 2 })
    expect(await query('select from outbox where recipient_id = $1', [boardId])).toEqual([])
  })

  it('leave out who said so meanwhile', async () => {
    sendingAs(ends({ as: 'dropped', why: 'not wanted' }))
    expect(await run()).toMatchObject({ recipients: 2, delivered: 2 })
  })

  it('count who is still to be sent theirs, and who could not be, as written to alone', async () => {
    sendingAs(ends({ as: 'retry', why: 'away' }))
    expect(await run()).toMatchObject({ recipients: 3, delivered: 2 })
    await stopOutbox()
    sendingAs(ends({ as: 'failed', why: 'refused' }))
    expect(await run()).toMatchObject({ recipients: 3, delivered: 2 })
  })
})

/** A week that ends at this instant, in a building of one lift. */
function rows(to: string, given: Partial<DigestRows> = {}): DigestRows {
  return {
    now: Date.parse(to),
    zone: 'Europe/London',
    assets: [{ id: 1, name: 'Lift', towerName: 'North Tower', status: 'operational', back: null }],
    downtime: [],
    windows: [],
    counts: {
      created: { thisWeek: 0, weekBefore: 0 },
      resolved: { thisWeek: 0, weekBefore: 0 },
      verified: { thisWeek: 0, weekBefore: 0 },
    },
    unacknowledged: [],
    unacknowledgedTotal: 0,
    passed: { promises: { total: 0, first: [] }, overdue: { total: 0, first: [] } },
    ...given,
  }
}

/** An outage of the lift, or one that is not over. */
function outage(start: string, end: string | null) {
  return { assetId: 1, start: Date.parse(start), end: end ? Date.parse(end) : Infinity }
}
