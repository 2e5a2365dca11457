import { beforeAll, describe, expect, it } from 'vitest'
import { fanOut } from '../../src/notifications/fanOut.js'
import { query } from '../../src/platform/db/database.js'
import { announceStatus } from '../../src/status/announceStatus.js'
import { type Status, statuses } from '../../src/vocabulary/lifecycle.js'
import { userIdOf } from '../support/accounts.js'
import { emptyOutbox } from '../support/email/messages.js'
import { useHouse } from '../support/house/house.js'
import type { GivenReport } from '../support/house/report.js'
import { column } from '../support/rows.js'
import { queryAfterFanOut } from '../support/sending.js'

/** Spec §3, row by row, through the real app. */
const house = useHouse()
const { board, office, app } = house
const assetId = 1

beforeAll(() => house.subscription())

describe('an incident is created', () => {
  it.each([
    ['a web session', 'resident', 'web', 'resident@example.com'],
    ['the bearer key', 'mobile', 'mobile', 'mobile-reporter@caretaker.invalid'],
    ['inbound email', 'inbound', 'email', 'resident@example.com'],
  ] as const)(
    'by %s: open, followed by its reporter, told and audited',
    async (_what, who, source, reporter) => {
      const report = { assetId, title: 'x', severity: 'low' }
      const id =
        who === 'inbound'
          ? (await house.emails({ from: reporter })).incidentId
          : (await house.json(who, '/api/incidents', { json: report })).id
      expect(await house.json('guest', `/api/incidents/${id}`)).toMatchObject({ status: 'open', source })
      expect(await followers(id)).toEqual([reporter])
      expect(await traces(id)).toMatchObject({ events: ['incident.created'], entries: ['incident.created'] })
    },
  )
})

const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const))

describe('staff set a status', () => {
  it.each(pairs)('%s to %s', async (from, to) => {
    const id = await aReport({ status: from })
    await board.follows(id)
    const before = await standing(id)
    const { events, entries } = await traces(id)
    const answer = await setStatus(id, to)
    const after = await standing(id)
    const left = await traces(id)
    if (from === 'verified' && to !== 'verified') {
      expect([answer.status, (await answer.json()).code]).toEqual([409, 'incident_verified'])
      expect([after, left.events, left.entries]).toEqual([before, events, entries])
      return
    }
    expect(answer.status).toBe(201)
    const moved = from !== to
    expect(await answer.json()).toMatchObject({ newStatus: moved ? to : null })
    expect(after.status).toBe(to)
    expect(left.events).toEqual(moved ? [...events, 'incident.status_changed'] : events)
    expect(left.entries.at(-1)).toBe(moved ? 'incident.status_changed' : 'incident.commented')
    expect(left.notified).toContain('board@example.com')
    if (before.acknowledged) expect(after.acknowledged).toEqual(before.acknowledged)
    else expect(after.acknowledged !== null).toBe(to !== 'open')
    expect(after.resolved !== null).toBe(to === 'resolved' || to === 'verified')
  })
})

describe('a verification', () => {
  it.each([
    [true, 'verified', 'incident.verified'],
    [false, 'in_progress', 'incident.reopened'],
  ] as const)('with fixed %s makes a resolved incident %s', async (fixed, to, entry) => {
    const id = await aReport({ status: 'resolved' })
    await board.follows(id)
    await emptyOutbox()
    const detail = await house.json('mobile', `/api/incidents/${id}/verify`, { json: { fixed } })
    expect([detail.status, detail.updates.at(-1).newStatus]).toEqual([to, to])
    const { events, entries, notified } = await traces(id)
    expect([events.at(-1), entries.at(-1)]).toEqual(['incident.status_changed', entry])
    // Whoever resolved it follows it; that it is not fixed is told to all of
    // the office (decision 7.2).
    expect(notified.sort()).toEqual([
      ...(fixed ? [] : ['admin@example.com']),
      'board@example.com',
      'manager@example.com',
      'resident@example.com',
    ])
  })

  it.each(statuses.filter((status) => status !== 'resolved'))('is refused on %s', async (status) => {
    const id = await aReport({ status })
    for (const fixed of [true, false])
      expect((await house.ask('resident', `/api/incidents/${id}/verify`, { json: { fixed } })).status).toBe(
        409,
      )
    expect((await standing(id)).status).toBe(status)
  })
})

it('the sweep raises what is open past its target, leaves its status, and tells', async () => {
  await house.json('cron', '/api/cron/sweep', { method: 'POST' })
  const id = await aReport({ createdAt: new Date(Date.now() - 73 * 3_600_000) })
  await board.follows(id)
  expect((await house.json('cron', '/api/cron/sweep', { method: 'POST' })).escalated).toEqual([
    { id, from: 'medium', to: 'high' },
  ])
  expect(await house.json('guest', `/api/incidents/${id}`)).toMatchObject({
    status: 'open',
    severity: 'high',
    slaBreached: true,
  })
  const { events, entries, notified } = await traces(id)
  expect([events.at(-1), entries.at(-1)]).toEqual(['incident.sla_breached', 'incident.sla_breached'])
  expect(notified.sort()).toEqual(['board@example.com', 'resident@example.com'])
})

describe('a merge', () => {
  it.each(statuses)('closes a duplicate that is %s out into its target', async (status) => {
    const [duplicate, target] = [await aReport({ status }), await app.reports(assetId)]
    await board.follows(duplicate)
    await query('delete from followers where incident_id = $1 and user_id = $2', [
      duplicate,
      await userIdOf('resident@example.com'),
    ])
    const answer = await house.json('admin', `/api/incidents/${duplicate}/merge`, {
      json: { targetId: target },
    })
    expect(answer).toEqual({ mergedInto: target, redirectTo: `/api/incidents/${target}` })
    expect(await standing(duplicate)).toMatchObject({ status: 'verified', merged: target })
    // The reporters, who followed, who moved the duplicate, and who merged it (decision 7.2).
    expect(await followers(target)).toEqual([
      'admin@example.com',
      'board@example.com',
      ...(status === 'open' ? [] : ['manager@example.com']),
      'mobile-reporter@caretaker.invalid',
      'resident@example.com',
    ])
    const { updates } = await house.json('guest', `/api/incidents/${target}`)
    expect(updates.at(-1).body).toContain(`INC-${duplicate}`)
    const { events, entries } = await traces(duplicate)
    expect([events.at(-1), entries.at(-1)]).toEqual(['incident.merged', 'incident.merged'])
  })
})

describe('an asset', () => {
  const changes = async () => {
    await fanOut()
    return column<string>(
      `select body::json -> 'asset' ->> 'status' as status from webhook_deliveries
         where event = 'asset.status_changed' and (body::json -> 'asset' ->> 'id')::int = $1 order by id`,
      [own],
    )
  }
  let own: number

  it('goes through all its states, and says each once', async () => {
    const [made] = await query<{ id: number }>(
      // Announced a while ago: what begins in the very millisecond of an announcement is
      // taken for announced with it.
      `insert into assets (tower_id, name, category, announced_at)
       select min(id), 'Gate', 'Door', now() - interval '1 minute' from towers returning id`,
    )
    own = made!.id
    const shown = async () => {
      await announceStatus(null)
      await announceStatus(null)
      const { assets, summary } = await house.json('guest', '/api/status')
      const states: string[] = assets.map(({ status }: { status: string }) => status)
      for (const state of ['operational', 'degraded', 'down', 'maintenance'])
        expect(summary[state]).toBe(states.filter((each) => each === state).length)
      expect(summary.total).toBe(states.length)
      return assets.find(({ id }: { id: number }) => id === own).status
    }
    await query(
      `insert into maintenance_windows (asset_id, title, starts_at, ends_at)
       values ($1, 'Oil', now() - interval '1 hour', now() + interval '1 hour')`,
      [own],
    )
    const degrading = await aReport({ assetId: own })
    expect(await shown()).toBe('degraded')
    const stopping = await aReport({ assetId: own, severity: 'critical' })
    expect(await shown()).toBe('down')
    await office.resolves(stopping)
    expect(await shown()).toBe('degraded')
    await office.resolves(degrading)
    expect(await shown()).toBe('maintenance')
    await query('delete from maintenance_windows where asset_id = $1', [own])
    await aReport({ assetId: own, severity: 'low' })
    expect(await shown()).toBe('operational')
    expect(await changes()).toEqual([
      'maintenance',
      'degraded',
      'down',
      'degraded',
      'maintenance',
      'operational',
    ])
  })
})

/** A report on the asset of this test. */
function aReport(given: GivenReport = {}) {
  return house.report({ assetId, title: 'Case', ...given })
}

function setStatus(id: number, newStatus: Status) {
  return house.ask('manager', `/api/incidents/${id}/updates`, { json: { body: 'x', newStatus } })
}

type Standing = { status: Status; acknowledged: Date | null; resolved: Date | null; merged: number | null }

async function standing(id: number): Promise<Standing> {
  const [row] = await query<Standing>(
    `select status, acknowledged_at as acknowledged, resolved_at as resolved, merged_into_id as merged
     from incidents where id = $1`,
    [id],
  )
  return row!
}

/**
 * What an act left since the last look: events, audit entries, and emails to
 * whoever is not staff by office.
 */
async function traces(id: number): Promise<{ events: string[]; entries: string[]; notified: string[] }> {
  const [row] = await queryAfterFanOut<{ events: string[]; entries: string[]; notified: string[] }>(
    `select
      coalesce((select json_agg(event order by id) from webhook_deliveries
        where event like 'incident.%' and (body::json -> 'incident' ->> 'id')::int = $1), '[]') as events,
      coalesce((select json_agg(action order by id) from audit_entries
        where entity = 'incident' and entity_id = $1), '[]') as entries,
      coalesce((select json_agg(distinct u.email) from outbox o join users u on u.id = o.recipient_id
        where o.incident_id = $1 and o.event <> 'incident.created'), '[]') as notified`,
    [id],
  )
  return row!
}

function followers(id: number) {
  return column<string>(
    'select u.email from followers f join users u on u.id = f.user_id where f.incident_id = $1 order by u.email',
    [id],
  )
}
