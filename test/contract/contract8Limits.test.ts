import { beforeAll, describe, expect, it, vi } from 'vitest'
import { useHouse } from '../support/house/house.js'

vi.hoisted(() => {
  process.env.SLA_HOURS_LOW = '200.5'
})

/**
 * Spec §8, row by row, through the real app. The delivery timeout: test/platform/net/outboundHttp;
 * the schedule: test/jobs.
 */
const house = useHouse()
const { office } = house
/**
 * Moments are measured from here, so that however slow the test is, none of them moves over a
 * limit.
 */
let base = Date.now()
let years: { old: number; recent: number; windows: number }

beforeAll(prepare)

describe('the time to acknowledge', () => {
  it.each([
    ['critical', 4],
    ['high', 24],
    ['medium', 72],
    ['low', 200.5],
  ] as const)('%s is %d hours, of which the last is an override', async (severity, hours) => {
    await house.json('cron', '/api/cron/sweep', { method: 'POST' })
    base = Date.now()
    const early = await house.report({ severity, createdAt: ago((hours - 0.25) * hour) })
    const late = await house.report({ severity, createdAt: ago((hours + 0.001) * hour) })
    const { escalated } = await house.json('cron', '/api/cron/sweep', { method: 'POST' })
    expect(escalated.map(({ id }: { id: number }) => id)).toEqual([late])
    await office.acknowledges(early)
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

async function prepare(): Promise<void> {
  years = {
    old: await assetWithOldDowntime(),
    recent: await assetWithCosts(),
    windows: await assetWithWork(),
  }
}

const hour = 3_600_000

const day = 24 * hour

function ago(milliseconds: number) {
  return new Date(base - milliseconds)
}

/** Out of service for three days within 90, and for twenty that are longer ago than a year. */
async function assetWithOldDowntime(): Promise<number> {
  const assetId = await house.asset()
  await outOfService(assetId, 40, 37)
  await addCost(await outOfService(assetId, 400, 380), 7_000, 380)
  return assetId
}

/** Out of service for two days, for which there are bills. */
async function assetWithCosts(): Promise<number> {
  const assetId = await house.asset()
  await addCost(await outOfService(assetId, 100, 99), 1_250, 99)
  await addCost(await outOfService(assetId, 4, 3), 30, 3)
  return assetId
}

/** With planned work just before and just after thirty days from now. */
async function assetWithWork(): Promise<number> {
  const assetId = await house.asset()
  for (const [title, days] of [
    ['within', 29.5],
    ['beyond', 30.5],
  ] as const)
    await house.window({ assetId, title, startsAt: ago(-days * day), endsAt: ago(-days * day - hour) })
  return assetId
}

/** A report that put an asset out of service between these days ago; returns its id. */
function outOfService(assetId: number, from: number, to: number): Promise<number> {
  return house.report({
    assetId,
    severity: 'critical',
    createdAt: ago(from * day),
    status: 'resolved',
    changedAt: ago(to * day),
  })
}

async function addCost(report: number, amountCents: number, daysAgo: number): Promise<void> {
  const incurredOn = ago(daysAgo * day)
    .toISOString()
    .slice(0, 10)
  await office.addsCost(report, { amountCents, incurredOn })
}
