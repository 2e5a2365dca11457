import { beforeAll, describe, expect, it, vi } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { useHouse } from '../support/house/house.js'
import { impactsByFields } from '../support/impacts.js'
import { scalar } from '../support/rows.js'

vi.hoisted(() => {
  process.env.SLA_HOURS_LOW = '200.5'
})

/**
 * Spec §8, row by row, through the real app. The delivery timeout: test/platform/net/outboundHttp;
 * the schedule: test/jobs.
 */
const house = useHouse()
const hour = 3_600_000
const day = 24 * hour
let base: number

/**
 * Moments are measured from here, so that however slow the test is, none of
 * them moves over a limit.
 */
const ago = (ms: number) => new Date(base - ms)

async function anAsset(name: string): Promise<number> {
  return scalar<number>(
    `insert into assets (tower_id, name, category) select min(id), $1, 'Door' from towers returning id`,
    [name],
  )
}

async function downtime(assetId: number, from: number, to: number): Promise<number> {
  return scalar<number>(
    `insert into incidents (title, severity, status, source, asset_id, is_downtime, created_at, acknowledged_at,
       resolved_at)
     values ('Past', 'high', 'resolved', 'web', $1, true, $2, $3, $3) returning id`,
    [assetId, ago(from), ago(to)],
  )
}

async function open(severity: string, hours: number): Promise<number> {
  return scalar<number>(
    `insert into incidents (title, severity, source, unit_id, created_at)
     select 'Old', $1, 'web', min(id), $2 from units returning id`,
    [severity, ago(hours * hour)],
  )
}

const cost = (incidentId: number, cents: number, days: number) =>
  query(
    `insert into repair_costs (incident_id, amount_cents, incurred_on, created_by)
     select $1, $2, $3::date, min(id) from users where role = 'manager'`,
    [incidentId, cents, ago(days * day)],
  )

let years: { old: number; recent: number; windows: number }

beforeAll(async () => {
  base = (await scalar<Date>('select now()')).getTime()
  years = { old: await anAsset('Old'), recent: await anAsset('Recent'), windows: await anAsset('Windows') }
  await downtime(years.old, 40 * day, 37 * day)
  await cost(await downtime(years.old, 400 * day, 380 * day), 7_000, 380)
  await cost(await downtime(years.recent, 100 * day, 99 * day), 1_250, 99)
  await cost(await downtime(years.recent, 4 * day, 3 * day), 30, 3)
  for (const [title, from] of [
    ['within', 29.5],
    ['beyond', 30.5],
  ] as const)
    await query(
      'insert into maintenance_windows (asset_id, title, starts_at, ends_at) values ($1, $2, $3, $4)',
      [years.windows, title, ago(-from * day), ago(-from * day - hour)],
    )
  await impactsByFields()
})

describe('the time to acknowledge', () => {
  it.each([
    ['critical', 4],
    ['high', 24],
    ['medium', 72],
    ['low', 200.5],
  ])('%s is %d hours, of which the last is an override', async (severity, hours) => {
    await house.json('cron', '/api/cron/sweep', { method: 'POST' })
    base = (await scalar<Date>('select now()')).getTime()
    const early = await open(severity, hours - 0.25)
    const late = await open(severity, hours + 0.001)
    const { escalated } = await house.json('cron', '/api/cron/sweep', { method: 'POST' })
    expect(escalated.map(({ id }: { id: number }) => id)).toEqual([late])
    await query('delete from incidents where id = $1', [early])
  })
})

describe('an asset', () => {
  const shown = (id: number, who: 'guest' | 'board' = 'guest') => house.json(who, `/api/assets/${id}`)

  it('has exactly 90 days, in the status view and in its detail', async () => {
    const { assets } = await house.json('guest', '/api/status')
    for (const each of assets) expect(each.days.length).toBe(90)
    const { days } = await shown(years.recent)
    expect(days.length).toBe(90)
    expect(new Set(days.map(({ date }: { date: string }) => date)).size).toBe(90)
  })

  it('has uptimes over the trailing 30 and 90 days', async () => {
    expect(await shown(years.old)).toMatchObject({ uptime30: '100.00', uptime90: '96.67' })
    expect(await shown(years.recent)).toMatchObject({ uptime30: '96.67', uptime90: '98.89' })
  })

  it('names the maintenance that begins in the next 30 days', async () => {
    const { maintenanceUpcoming } = await shown(years.windows)
    expect(maintenanceUpcoming.map(({ title }: { title: string }) => title)).toEqual(['within'])
  })

  it('has the cost and downtime of 365 days, for staff', async () => {
    expect(await shown(years.recent, 'board')).toMatchObject({ cost365Cents: 1_280, downtimeHours365: 48 })
    expect(await shown(years.old, 'board')).toMatchObject({ cost365Cents: 0, downtimeHours365: 72 })
    expect(Object.keys(await shown(years.recent))).not.toContain('cost365Cents')
  })
})
