import { beforeAll, describe, expect, it } from 'vitest'
import { dateIn } from '../../src/vocabulary/time/calendar.js'
import { useHouse } from '../support/house/house.js'
import { moveToNoon } from '../support/run/noon.js'

const house = useHouse()
let zone: string
let assetId: number
beforeAll(async () => {
  zone = await moveToNoon()
  assetId = await house.lift('Goods lift')
  await reportFaults()
})

describe('the year of an asset', () => {
  it('is of the last twelve months of the calendar, oldest first', async () => {
    const asset = await house.json('manager', `/api/assets/${assetId}`)
    const months = asset.costByMonth.map(({ month }: Month) => month)
    expect(months).toHaveLength(12)
    expect(months).toEqual(months.toSorted())
    expect(new Set(months).size).toBe(12)
    expect(months.at(-1)).toBe(thisMonth())
    expect(asset.faultsByMonth.map(({ month }: Month) => month)).toEqual(months)
  })

  it('adds costs up by the month they were incurred in, without the void ones', async () => {
    const costs = `/api/incidents/${ids[3]}/costs`
    await house.json('manager', costs, { json: { amountCents: 10_000 } })
    await house.json('manager', costs, { json: { amountCents: 50 } })
    const voided = await house.json('manager', costs, { json: { amountCents: 700 } })
    await house.ask('manager', `${costs}/${voided.id}`, { method: 'DELETE' })
    await house.json('manager', costs, { json: { amountCents: 3, incurredOn: '2020-01-01' } })
    const { costByMonth } = await house.json('manager', `/api/assets/${assetId}`)
    expect(spentIn(costByMonth, thisMonth())).toBe(10_050)
    const sum = costByMonth.reduce((total: number, { costCents }: Month) => total + costCents, 0)
    expect(sum).toBe(10_050)
  })

  it('lists what broke again within 30 days of a repair', async () => {
    const { repeatFaults, faultsByMonth } = await house.json('manager', `/api/assets/${assetId}`)
    expect(
      repeatFaults.map((each: { id: number; after: { id: number }; daysAfter: number }) => [
        each.id,
        each.after.id,
        each.daysAfter,
      ]),
    ).toEqual([
      [ids[3], ids[2], 4],
      [ids[1], ids[0], 20],
    ])
    const counted = faultsByMonth.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    expect(counted).toBeGreaterThanOrEqual(2)
  })

  it('is shown to staff as a chart with its table', async () => {
    const page = await house.page('board', `/assets/${assetId}`)
    const chart = page('.chart svg')
    expect(chart.attr('aria-hidden')).toBe('true')
    expect(chart.find('rect').length).toBe(1)
    expect(chart.find('rect').attr('height')).toBe('40')
    expect(page('.chart figcaption').text()).toMatch(/^Total: £100\.50\. Highest in \w+ \d{4}: £100\.50\.$/)
    const rows = page('.office table tbody tr')
    expect(rows.length).toBe(12)
    expect(rows.last().find('td').first().text()).toBe('£100.50')
    expect(page('.repeat').first().text()).toContain('Button stuck <again>')
    expect(page('.repeat').first().text()).toContain('4 days after the repair of')
    expect(
      page('.office a.button')
        .map((_, each) => page(each).attr('href'))
        .get(),
    ).toEqual([`/admin/assets/${assetId}`, `/admin/maintenance/new?assetId=${assetId}`])
  })

  it.each(['guest', 'resident'] as const)('is nothing %s gets', async (who) => {
    const asset = await house.json(who, `/api/assets/${assetId}`)
    for (const field of staffOnly) expect(asset).not.toHaveProperty(field)
    const page = await house.page(who, `/assets/${assetId}`)
    expect(page('.office, .chart, .repeat').length).toBe(0)
    expect(page.html()).not.toMatch(/£|Repair costs|Repeat faults|office\.[0-9a-f]+\.css/)
  })
})

it('the page of an archived asset leads people to its history, and programs to a 404', async () => {
  await house.json('manager', `/api/admin/assets/${assetId}/archive`, { method: 'POST', json: {} })
  const page = await house.ask('guest', `/assets/${assetId}`, { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('location')]).toEqual([
    303,
    `/incidents?assetId=${assetId}&notice=assetArchived`,
  ])
  const history = await house.page('guest', page.headers.get('location')!)
  expect(history('.notice').text()).toContain('This is no longer in use')
  expect(history('.incidents li').length).toBe(4)
  expect((await house.ask('guest', `/api/assets/${assetId}`)).status).toBe(404)
})

const thisMonth = () => dateIn(zone, Date.now()).slice(0, 7)

const staffOnly = ['cost365Cents', 'downtimeHours365', 'costByMonth', 'faultsByMonth', 'repeatFaults']

type Month = { month: string; costCents: number }

const spentIn = (months: Month[], month: string) => months.find((each) => each.month === month)?.costCents

/** What broke, the oldest first. */
const ids: number[] = []

async function reportFaults(): Promise<void> {
  ids.push(await fault('Belt worn', 380, 370))
  ids.push(await fault('Belt worn again', 350, 349))
  ids.push(await fault('Button stuck', 12, 9))
  ids.push(await fault('Button stuck <again>', 5, null))
}

/** A fault of the lift, reported so many days ago and repaired so many days ago, or not yet. */
function fault(title: string, reported: number, repaired: number | null): Promise<number> {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const createdAt = daysAgo(reported)
  const repair = repaired === null ? {} : { status: 'resolved' as const, changedAt: daysAgo(repaired) }
  return house.report({ assetId, title, severity: 'high', createdAt, ...repair })
}
