import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { applyPatch } from '../../src/incidents/acts/applyPatch.js'
import { Incident } from '../../src/incidents/model/incident.js'
import { change } from '../../src/platform/db/change.js'
import { query } from '../../src/platform/db/database.js'
import { idle, startOutbox, stopOutbox } from '../../src/platform/outbox/outbox.js'
import { announceStatus } from '../../src/status/announceStatus.js'
import { systemActor } from '../../src/vocabulary/people/actor.js'
import type { Recurrence } from '../../src/vocabulary/time/recurrence.js'
import { actorOf } from '../support/house/acting.js'
import { useHouse } from '../support/house/house.js'
import { endImpacts } from '../support/impacts.js'
import { insertRow, scalar } from '../support/rows.js'
import { eventually } from '../support/run/eventually.js'
import { queryAfterFanOut } from '../support/sending.js'

const house = useHouse()
const { office } = house

beforeAll(() => house.subscription({ events: ['asset.status_changed'] }))

describe('asset.status_changed', () => {
  it('has nothing to say of the demo building as it was filled', async () => {
    expect(await announceStatus(null)).toBe(0)
  })

  it('is said once, however many look at the same time, as at its write', async () => {
    const { id, createdAt } = await house.json('resident', '/api/incidents', {
      json: { assetId: 2, title: 'Down', severity: 'critical' },
    })
    const before = await length()
    await Promise.all([
      ...Array.from({ length: 12 }, () => announceStatus(new Set([2]))),
      house.sweep(),
      house.sweep(),
    ])
    expect(await since(before)).toEqual([{ asset: 2, status: 'down', at: createdAt }])
    const [body] = await queryAfterFanOut<{ body: string }>(
      `select body from webhook_deliveries where event = 'asset.status_changed' order by id desc`,
    )
    expect(JSON.parse(body!.body)).toEqual({
      event: 'asset.status_changed',
      occurredAt: createdAt,
      property: { id: 1, name: 'Larkspur Court' },
      asset: { id: 2, name: expect.any(String), category: 'Lift', status: 'down' },
    })
    await office.acknowledges(id)
    await house.json('manager', `/api/incidents/${id}/updates`, {
      json: { body: 'x', newStatus: 'resolved' },
    })
    await announceStatus(null)
    const { resolvedAt } = await house.json('guest', `/api/incidents/${id}`)
    expect((await announcements()).at(-1)).toEqual({ asset: 2, status: 'operational', at: resolvedAt })
  })

  it('follows a report and its resolution by itself', async () => {
    startOutbox([], async (assets) => void (await announceStatus(assets)))
    const before = await length()
    const { id } = await house.json('resident', '/api/incidents', {
      json: { assetId: 3, title: 'x', severity: 'critical' },
    })
    await idle()
    await office.acknowledges(id)
    await house.json('manager', `/api/incidents/${id}/updates`, {
      json: { body: 'x', newStatus: 'resolved' },
    })
    await idle()
    await stopOutbox()
    expect((await since(before)).map(({ asset, status }) => ({ asset, status }))).toEqual([
      { asset: 3, status: 'down' },
      { asset: 3, status: 'operational' },
    ])
  })

  it('does not make the status page look changed', async () => {
    await endImpacts()
    await announceStatus(null)
    await planned(6, ago(1), ago(-60))
    const etag = (await house.ask('guest', '/api/status')).headers.get('etag')!
    expect(await announceStatus(null)).toBe(1)
    expect((await house.ask('guest', '/api/status', { headers: { 'if-none-match': etag } })).status).toBe(304)
  })
})

describe('without a worker, a sweep', () => {
  it('tells every beginning and end of planned work since the one before, each at its own moment, once', async () => {
    const id = await quietAsset(300)
    const times = [240, 200, 100, 40].map(ago)
    await planned(id, times[0]!, times[1]!)
    await planned(id, times[2]!, times[3]!)
    const before = await length()
    await Promise.all([house.sweep(), house.sweep(), house.sweep()])
    await house.sweep()
    const states = ['maintenance', 'operational', 'maintenance', 'operational']
    expect(await since(before)).toEqual(
      times.map((at, i) => ({ asset: id, status: states[i], at: at.toISOString() })),
    )
    const entries = await query<{ changes: unknown; via: string }>(
      `select changes, via from audit_entries where action = 'asset.status_changed' and entity_id = $1 order by id`,
      [id],
    )
    expect(entries.length).toBe(4)
    expect(entries[1]).toEqual({
      via: 'scheduler',
      changes: {
        status: { before: 'maintenance', after: 'operational' },
        occurredAt: { before: times[0]!.toISOString(), after: times[1]!.toISOString() },
      },
    })
  })

  it('says nothing of work that a fault hid all the time, and of its end what then showed', async () => {
    const id = await quietAsset(300)
    const incident = await house.json('resident', '/api/incidents', {
      json: { assetId: id, title: 'Dark', severity: 'critical' },
    })
    await house.sweep()
    await planned(id, ago(-0.001), ago(-0.002))
    const before = await length()
    await new Promise((resolve) => setTimeout(resolve, 150))
    await house.sweep()
    expect(await since(before)).toEqual([])
    await office.starts(incident.id)
    await house.json('manager', `/api/incidents/${incident.id}/updates`, {
      json: { body: 'x', newStatus: 'resolved' },
    })
    await house.sweep()
    expect((await since(before)).map(({ status }) => status)).toEqual(['operational'])
  })

  it('tells of what began long ago at its true moment, of the day before at most fifty changes, and their last', async () => {
    const [long, busy] = [await quietAsset(90 * 24 * 60), await quietAsset(30 * 60)]
    const began = ago(40 * 24 * 60)
    await planned(long, began, ago(-60))
    for (let i = 0; i < 40; i++) await planned(busy, ago(29 * 60 - i * 40), ago(29 * 60 - i * 40 - 20))
    const before = await length()
    await house.sweep()
    const of = (id: number, all: Announcement[]) => all.filter(({ asset }) => asset === id)
    const now = await since(before)
    expect(of(long, now)).toEqual([{ asset: long, status: 'maintenance', at: began.toISOString() }])
    const many = of(busy, now)
    expect(many.length).toBe(50)
    expect(many.at(-1)?.status).toBe('operational')
    expect(Date.parse(many[0]!.at)).toBeGreaterThan(Date.now() - 24 * 60 * MINUTE)
    expect(many.every(({ status }, i) => status !== many[i - 1]?.status)).toBe(true)
    await house.sweep()
    expect((await since(before)).length).toBe(51)
  })

  it('is exact where the clocks change', async () => {
    const id = await quietAsset(10)
    const zone = await scalar<string>('select timezone from properties')
    // Weekly in the small hours of Sunday, from before the last change to
    // summer time to the week of it.
    const change = lastChangeToSummer()
    const at = (hours: number) => new Date(change + hours * 60 * MINUTE)
    await planned(id, at(-168.5), at(-166.5), 'weekly')
    await setAnnouncedAt(id, at(-13))
    expect(zone).toBe('Europe/London')
    const { announcedAssets } = await import('../../src/status/announceStatus.js')
    const [asset] = await announcedAssets(query, [id])
    const sundays = asset!.spans.filter(({ status }) => status === 'maintenance')
    expect(sundays.slice(0, 2).map(({ start, end }) => [start, end])).toEqual([
      [+at(-0.5), +at(0.5)],
      [+at(166.5), +at(168.5)],
    ])
  })
})

describe('the moment of a change', () => {
  // What the demo building has planned may begin or end meanwhile.
  beforeAll(async () => {
    await query('delete from maintenance_windows')
    await announceStatus(null)
  })
  beforeEach(() => startOutbox([], async (ids) => void (await announceStatus(ids)), { watch: false }))
  afterEach(stopOutbox)

  it('is the write’s where work is entered that has begun, and nothing is said of work that is over', async () => {
    const id = await quietAsset(300)
    const before = await length()
    const add = (from: number, to: number) =>
      house.json('manager', '/api/admin/maintenance', {
        json: { assetId: id, title: 'Entered late', startsAt: ago(from), endsAt: ago(to) },
      })
    await add(200, 100)
    await idle()
    expect(await since(before)).toEqual([])
    const { id: windowId } = await add(50, -50)
    await idle()
    const at = await scalar<Date>(
      `select at from audit_entries where action = 'maintenance_window.created' and entity_id = $1`,
      [windowId],
    )
    expect(await since(before)).toEqual([
      {
        asset: id,
        status: 'maintenance',
        at: at.toISOString(),
      },
    ])
  })

  it('is the correction’s where the past was corrected', async () => {
    const id = await quietAsset(300)
    const { id: incident } = await house.json('resident', '/api/incidents', {
      json: { assetId: id, title: 'Flickers', severity: 'medium' },
    })
    await idle()
    const before = await length()
    for (const isDowntime of [true, false]) {
      await house.json('manager', `/api/incidents/${incident}`, { method: 'PATCH', json: { isDowntime } })
      await idle()
    }
    const entries = await query<{ at: Date }>(
      `select at from audit_entries where action = 'incident.edited' and entity_id = $1 order by id`,
      [incident],
    )
    expect(await since(before)).toEqual([
      { asset: id, status: 'down', at: entries[0]!.at.toISOString() },
      { asset: id, status: 'degraded', at: entries[1]!.at.toISOString() },
    ])
  })

  it.each<[string, (id: number) => Promise<unknown>]>([
    ['is no downtime any more', (id) => edit(id, { isDowntime: false })],
    ['is "not a report"', (id) => house.json('manager', `/api/incidents/${id}/dismiss`, { json: {} })],
    [
      'was always a small matter',
      (id) => edit(id, { isDowntime: false, severity: 'low', retroactive: true }),
    ],
    ['began later', (id) => edit(id, { downtimeStartedAt: new Date() })],
    ['began earlier', (id) => edit(id, { downtimeStartedAt: ago(5) })],
  ])('does not exist where another report kept the status: one that %s', async (_what, correct) => {
    const id = await quietAsset(300)
    const report = async () =>
      (
        await house.json('resident', '/api/incidents', {
          json: { assetId: id, title: 'Dark', severity: 'critical' },
        })
      ).id
    const [first, second] = [await report(), await report()]
    await office.acknowledges(first)
    await house.json('manager', `/api/incidents/${first}/updates`, {
      json: { body: 'x', newStatus: 'resolved' },
    })
    await report()
    await idle()
    const before = await length()
    await correct(second)
    await idle()
    expect(await announceStatus(null)).toBe(0)
    expect(await since(before)).toEqual([])
  })

  it('does not exist for an asset that the report had left before it was corrected', async () => {
    const [left, present] = [await quietAsset(300), await quietAsset(300)]
    const incident = await house.json('resident', '/api/incidents', {
      json: { assetId: left, title: 'Flickers', severity: 'low' },
    })
    await office.starts(incident.id)
    const whileThere = new Date()
    await edit(incident.id, { assetId: present })
    await house.json('manager', `/api/incidents/${incident.id}/updates`, {
      json: { body: 'x', newStatus: 'resolved' },
    })
    await idle()
    const before = await length()
    const downtime = { downtimeStartedAt: ago(5), downtimeEndedAt: whileThere }
    await edit(incident.id, { isDowntime: true, ...downtime })
    await idle()
    expect(await announceStatus(null)).toBe(0)
    expect(await since(before)).toEqual([])
    const impacts = await query('select 1 from asset_impacts where asset_id = $1', [left])
    expect(impacts).toHaveLength(1)
  })

  it('is never before what was said already, also after the clock went back', async () => {
    const id = await quietAsset(0)
    const at = ago(-60)
    await setAnnouncedAt(id, at)
    // In progress by the clock that went back, over by what was said: nothing is said of it again.
    await planned(id, ago(1), ago(-30))
    const before = await length()
    expect(await announceStatus(null)).toBe(0)
    await house.json('resident', '/api/incidents', {
      json: { assetId: id, title: 'Dark', severity: 'critical' },
    })
    await idle()
    await Promise.all([announceStatus(null), announceStatus(null)])
    expect(await since(before)).toEqual([
      { asset: id, status: 'down', at: new Date(at.getTime() + 1).toISOString() },
    ])
  })

  it('is not looked for again in what was said already, by a correction after the clock went back', async () => {
    const assetId = await quietAsset(0)
    const { id } = await house.json('resident', '/api/incidents', {
      json: { assetId, title: 'Flickers', severity: 'low' },
    })
    const announcedUntil = ago(-60)
    await setAnnouncedAt(assetId, announcedUntil)
    await edit(id, { isDowntime: true, downtimeStartedAt: ago(0) })
    const announced = await scalar<Date>('select announced_at from assets where id = $1', [assetId])
    expect(announced.getTime()).toBeGreaterThanOrEqual(announcedUntil.getTime())
  })

  describe('of two writes on one asset that overlap', () => {
    const critical = (assetId: number) =>
      house.json('resident', '/api/incidents', { json: { assetId, title: 'Dark', severity: 'critical' } })
    /** Resolves the incident in a change that began before `before` and commits after `after`. */
    const resolved = async (
      id: number,
      { before, after }: Record<'before' | 'after', () => Promise<unknown>>,
    ) => {
      await office.acknowledges(id)
      await change(await actorOf('manager', { notified: true }), async (c) => {
        await before()
        const incident = (await Incident.locked(c.trx, id))!
        await applyPatch(c, incident, { body: 'Done', newStatus: 'resolved' })
        await after()
      })
    }
    const none = async () => {}
    /** How many statements of this building wait for a lock. */
    const waiting = async () =>
      (
        await query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).length

    it('has no gap where the one that began first commits last', async () => {
      const assetId = await quietAsset(60)
      const { id } = await critical(assetId)
      await announceStatus(new Set([assetId]))
      const before = await length()
      await resolved(id, { before: () => critical(assetId), after: none })
      await announceStatus(new Set([assetId]))
      expect(await since(before)).toEqual([])
    })

    it('lets a report wait for it, so that what is seen last is said last', async () => {
      const assetId = await quietAsset(60)
      const { id } = await critical(assetId)
      await announceStatus(new Set([assetId]))
      const before = await length()
      let reported: Promise<{ id: number }> | null = null
      let isIn = false
      await resolved(id, {
        before: none,
        after: async () => {
          reported = critical(assetId)
          void reported.then(() => (isIn = true))
          await eventually(async () => expect(await waiting()).toBeGreaterThan(0))
          expect(isIn).toBe(false)
        },
      })
      await reported!
      await announceStatus(new Set([assetId]))
      expect((await since(before)).map(({ status }) => status)).toEqual(['operational', 'down'])
    })

    it('lets it wait for a report, but no report for another', async () => {
      const assetId = await quietAsset(60)
      const { id } = await critical(assetId)
      let resolution: Promise<unknown> | null = null
      let isIn = false
      await change(systemActor('scheduler'), async (c) => {
        // As a report in flight has it.
        expect(await c.query('select from assets where id = $1 for share', [assetId])).toHaveLength(1)
        await critical(assetId)
        resolution = resolved(id, { before: none, after: none }).then(() => (isIn = true))
        await eventually(async () => expect(await waiting()).toBeGreaterThan(0))
        expect(isIn).toBe(false)
        c.noop()
      })
      await resolution
      expect(isIn).toBe(true)
    })
  })

  it('of the return of an archived asset is the return', async () => {
    const id = await quietAsset(300)
    await house.json('manager', `/api/admin/assets/${id}/archive`, { method: 'POST' })
    // No one can plan work on an asset that is not in use.
    const work = { asset_id: id, title: 'Planned', known_since: ago(24 * 60) }
    await insertRow('maintenance_windows', { ...work, starts_at: ago(200), ends_at: ago(150) })
    await insertRow('maintenance_windows', { ...work, starts_at: ago(100), ends_at: ago(-100) })
    const before = await length()
    await house.json('manager', `/api/admin/assets/${id}/unarchive`, { method: 'POST' })
    await idle()
    const at = await scalar<Date>(
      `select at from audit_entries where action = 'asset.unarchived' and entity_id = $1`,
      [id],
    )
    expect(await since(before)).toEqual([
      {
        asset: id,
        status: 'maintenance',
        at: at.toISOString(),
      },
    ])
  })
})

type Announcement = { asset: number; status: string; at: string }

const announcements = () =>
  queryAfterFanOut<Announcement>(
    `select (body::json -> 'asset' ->> 'id')::int as asset, body::json -> 'asset' ->> 'status' as status,
       body::json ->> 'occurredAt' as at
     from webhook_deliveries where event = 'asset.status_changed' order by id`,
  )

const MINUTE = 60_000

const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE)

/** An asset nothing has happened to, announced as working since `minutes` ago. */
async function quietAsset(minutes: number): Promise<number> {
  const id = await house.lift()
  await setAnnouncedAt(id, ago(minutes))
  return id
}

/** The status of an asset was announced then for the last time, as far as anything tells. */
const setAnnouncedAt = (id: number, at: Date) =>
  query('update assets set announced_at = $2 where id = $1', [id, at])

/** Planned work that was known a day before it began. */
const planned = (assetId: number, startsAt: Date, endsAt: Date, recurrence: Recurrence = 'none') =>
  house.window({
    assetId,
    startsAt,
    endsAt,
    recurrence,
    plannedAt: new Date(startsAt.getTime() - 24 * 60 * MINUTE),
  })

const since = async (before: number) => (await announcements()).slice(before)

const length = async () => (await announcements()).length

const edit = (id: number, json: object) =>
  house.json('manager', `/api/incidents/${id}`, { method: 'PATCH', json })

/**
 * When the clocks of London last went forward, at least eight days ago: 01:00 UTC
 * of a last Sunday of March.
 */
function lastChangeToSummer(): number {
  const weekAgo = ago(8 * 24 * 60)
  const of = (year: number) => {
    const last = new Date(Date.UTC(year, 2, 31, 1))
    return +last - last.getUTCDay() * 24 * 60 * MINUTE
  }
  const year = weekAgo.getUTCFullYear()
  return of(year) <= +weekAgo ? of(year) : of(year - 1)
}
