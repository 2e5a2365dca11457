import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { idle, startOutbox, stopOutbox, wake } from '../../src/platform/outbox/outbox.js'
import { announceStatus } from '../../src/status/announceStatus.js'
import { eventNames } from '../../src/vocabulary/events.js'
import { statuses } from '../../src/vocabulary/lifecycle.js'
import { webhookSender } from '../../src/webhooks/sending/sendWebhooks.js'
import { useHouse } from '../support/house/house.js'
import type { GivenReport } from '../support/house/report.js'
import { type Received, type Receiver, startReceiver } from '../support/webhooks/receiver.js'
import { onThisMachine } from '../support/webhooks/sending.js'

vi.hoisted(() => {
  process.env.WEBHOOK_ALLOWED_NETWORKS = '127.0.0.0/8'
})

/**
 * Spec §6, row by row: a subscription for each event, a receiver that checks
 * signatures, and what comes.
 */
const house = useHouse()
const { office } = house
const secret = 'the subscription’s own key'
let receiver: Receiver
let assetId: number

beforeAll(subscribeToEverything)
afterAll(stopReceiving)

describe('an event', () => {
  it.each<Act>([
    ['a report from the web', 'incident.created', nothing, () => reportFromWeb()],
    [
      'a report from the app',
      'incident.created',
      nothing,
      () => house.json('mobile', '/api/incidents', { json: { assetId, title: 'x', severity: 'low' } }),
    ],
    [
      'a report by email',
      'incident.created',
      nothing,
      () =>
        house.json('inbound', '/api/inbound-email', {
          json: { from: 'a@b.example', subject: 'x', text: 'y' },
        }),
    ],
    ...statuses.slice(1).map((status, i): Act => {
      const before = statuses[i]!
      const prepare = () => lowReport({ status: before })
      return [`staff saying ${status}`, 'incident.status_changed', prepare, (id) => setStatus(id, status)]
    }),
    [
      'a verification with fixed true',
      'incident.status_changed',
      resolved,
      (id) => house.json('mobile', `/api/incidents/${id}/verify`, { json: { fixed: true } }),
    ],
    [
      'a verification with fixed false',
      'incident.status_changed',
      resolved,
      (id) => house.json('mobile', `/api/incidents/${id}/verify`, { json: { fixed: false } }),
    ],
    [
      'the sweep',
      'incident.sla_breached',
      () => lowReport({ createdAt: new Date(Date.now() - 169 * 3_600_000) }),
      () => house.json('cron', '/api/cron/sweep', { method: 'POST' }),
    ],
  ])('of %s is %s, and reaches only who asked for it', async (_what, event, prepare, act) => {
    const id = await prepare()
    const got = await deliveriesAfter(() => act(id))
    const own = got.filter(({ path }) => path === `/ok/${event}`)
    expect(own.length).toBe(1)
    // The sweep raises a low report to one that colours its asset.
    const others = got.filter((each) => each !== own[0]).map(({ path }) => path)
    expect(others.filter((path) => path !== '/ok/asset.status_changed')).toEqual([])
    const body = bodyOf(own[0]!)
    expect(Object.keys(body)).toEqual(['event', 'occurredAt', 'property', 'incident'])
    expect(body).toMatchObject({ event, property: { id: 1, name: expect.any(String) } })
    expect(new Date(body.occurredAt).toISOString()).toBe(body.occurredAt)
    const fields = ['id', 'title', 'severity', 'status', 'slaBreached', 'source', 'assetId']
    expect(Object.keys(body.incident as object)).toEqual(fields)
    if (id) expect((body.incident as { id: number }).id).toBe(id)
  })

  it('of a merge is incident.merged, of the duplicate', async () => {
    const [duplicate, target] = [await lowReport(), await lowReport()]
    const got = await deliveriesAfter(() =>
      house.json('board', `/api/incidents/${duplicate}/merge`, { json: { targetId: target } }),
    )
    expect(got.map(({ path }) => path)).toEqual(['/ok/incident.merged'])
    expect(bodyOf(got[0]!).incident).toMatchObject({ id: duplicate, status: 'verified' })
  })

  it('of an asset is asset.status_changed, once for each change of its live status', async () => {
    const assets = (await house.json('guest', '/api/status')).assets
    const { id, name, category } = assets.findLast(
      (each: { status: string }) => each.status === 'operational',
    )
    const stopping: number[] = []
    const begun = await deliveriesAfter(async () => {
      for (const _ of [1, 2]) {
        stopping.push(await reportFromWeb({ assetId: id, severity: 'critical' }))
        await idle()
      }
    })
    const ended = await deliveriesAfter(async () => {
      for (const each of stopping) {
        await office.starts(each)
        await setStatus(each, 'resolved')
        await idle()
      }
    })
    const notified = [...begun, ...ended]
      .filter(({ path }) => path === '/ok/asset.status_changed')
      .map(bodyOf)
    expect(notified.map(({ asset }) => asset)).toEqual(
      ['down', 'operational'].map((status) => ({ id, name, category, status })),
    )
    expect(Object.keys(notified[0]!)).toEqual(['event', 'occurredAt', 'property', 'asset'])
  })

  it('is none for a comment, for the status it has, or for what is refused', async () => {
    const id = await lowReport()
    const got = await deliveriesAfter(async () => {
      await house.json('resident', `/api/incidents/${id}/updates`, { json: { body: 'x' } })
      await setStatus(id, 'open')
      await house.ask('resident', `/api/incidents/${id}/verify`, { json: { fixed: true } })
      await house.ask('resident', `/api/incidents/${id}/updates`, {
        json: { body: 'x', newStatus: 'resolved' },
      })
    })
    expect(got).toEqual([])
  })
})

describe('a delivery', () => {
  it('is a POST of JSON, signed over the exact bytes', async () => {
    const [got] = await deliveriesAfter(() => reportFromWeb({ title: 'Ünïcode “quotes” 🛗 <&>' }))
    const signature = createHmac('sha256', secret).update(got!.raw).digest('hex')
    expect(got!.method).toBe('POST')
    expect(got!.headers['content-type']).toBe('application/json')
    expect(got!.headers['x-service-signature']).toBe(`sha256=${signature}`)
    expect(got!.verified).toBe(true)
  })

  it.each([
    ['200', '/200', true],
    ['500', '/500', true],
    ['302', '/to-itself', true],
    ['401', '/ok', false],
    ['failed: reset', '/reset', true],
  ])(
    'that ends with %s is not tried again, and says so on the subscription',
    async (status, path, knowsKey) => {
      const own = await subscribe({ path: `${path}?own`, events: ['incident.created'] })
      const change = { method: 'PATCH', json: { secret: 'another key' } }
      if (!knowsKey) await house.json('admin', `/api/admin/webhooks/${own.id}`, change)
      const got = await deliveriesAfter(async () => {
        await reportFromWeb()
        for (let i = 0; i < 3; i++) {
          await idle()
          wake()
        }
      })
      expect(got.filter((each) => each.path === `${path}?own`).length).toBe(1)
      const shown = await house.json('manager', `/api/admin/webhooks/${own.id}`)
      expect(shown.lastStatus).toBe(status)
      expect(Date.parse(shown.lastFiredAt)).toBeGreaterThan(0)
      await house.ask('admin', `/api/admin/webhooks/${own.id}`, { method: 'DELETE' })
    },
  )
})

function subscribe({ path, ...rest }: { path: string; events: string[]; active?: boolean }) {
  return house.json('admin', '/api/admin/webhooks', { json: { url: receiver.url(path), secret, ...rest } })
}

/** What reaches the receivers through an act. */
async function deliveriesAfter(act: () => Promise<unknown>): Promise<Received[]> {
  await idle()
  receiver.received.length = 0
  await act()
  await idle()
  return [...receiver.received]
}

type Body = { event: string; occurredAt: string; property: unknown; incident?: unknown; asset?: unknown }

function bodyOf({ raw }: Received) {
  return JSON.parse(raw.toString()) as Body
}

/** Reports as a resident does on a page; returns the report's id. */
async function reportFromWeb(given: object = {}): Promise<number> {
  const json = { assetId, title: 'Case', severity: 'low', ...given }
  return (await house.json('resident', '/api/incidents', { json })).id
}

/** A report that changes no asset's status. */
function lowReport(given: GivenReport = {}) {
  return house.report({ assetId, title: 'Case', severity: 'low', ...given })
}

function setStatus(id: number, newStatus: string) {
  return house.json('manager', `/api/incidents/${id}/updates`, { json: { body: 'x', newStatus } })
}

function resolved() {
  return lowReport({ status: 'resolved' })
}

type Act = [
  what: string,
  event: string,
  prepare: () => Promise<number>,
  act: (id: number) => Promise<unknown>,
]

/** For acts that need no report. */
async function nothing(): Promise<number> {
  return 0
}

/** Subscribes a path of the receiver to each event, one to none, and an inactive one to all. */
async function subscribeToEverything(): Promise<void> {
  receiver = await startReceiver({ secret })
  assetId = (await house.json('guest', '/api/status')).assets.find(
    ({ status }: { status: string }) => status === 'operational',
  ).id
  for (const event of eventNames) await subscribe({ path: `/ok/${event}`, events: [event] })
  await subscribe({ path: '/ok/nothing', events: [] })
  await subscribe({ path: '/ok/inactive', events: [...eventNames], active: false })
  startOutbox([webhookSender({ policy: onThisMachine })], async (ids) => void (await announceStatus(ids)))
  await house.json('cron', '/api/cron/sweep', { method: 'POST' })
}

async function stopReceiving(): Promise<void> {
  await stopOutbox()
  await receiver.stop()
}
