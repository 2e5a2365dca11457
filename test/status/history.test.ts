import { beforeAll, describe, expect, it } from 'vitest'
import { historyTowers } from '../../src/status/present/history.js'
import { daysOfMonth, monthsAfter } from '../../src/vocabulary/time/calendar.js'
import { useHouse } from '../support/house/house.js'
import { moveToNoon } from '../support/run/noon.js'

const house = useHouse()
let assetId: number
let month: string
beforeAll(async () => {
  await moveToNoon()
  month = monthsAfter((await history()).month, -1)
  assetId = await house.lift('Goods lift')
  await breakFor18Hours()
  await house.window({ assetId, title: 'Oil change', startsAt: at('10T11:00'), endsAt: at('10T12:00') })
})

describe('the history of a month', () => {
  it('has every day of it, its problems and its planned work', async () => {
    const past = await history(month)
    const asset = ours(past)
    expect(asset.downtimeHours).toBe(18)
    expect(asset.problems).toMatchObject([{ impact: 'down', startedAt: `${month}-03T10:00:00.000Z` }])
    expect(asset.planned.map(({ title }) => title)).toEqual(['Oil change'])
    const worst = new Map(asset.days.map(({ date, status }) => [date, status]))
    expect(worst.get(`${month}-03`)).toBe('down')
    expect(worst.get(`${month}-10`)).toBe('maintenance')
    expect(worst.get(`${month}-20`)).toBe('operational')
    expect(asset.days[0]!.date).toBe(`${month}-01`)
    expect(asset.days.at(-1)!.date.slice(0, 7)).toBe(month)
    expect(ours(await history()).problems).toEqual([])
  })

  it('tells the hours of a whole tower, also on a page with some of its assets', async () => {
    const past = await house.json('guest', `/api/history?month=${month}`)
    const own = past.assets.filter(
      ({ towerName }: { towerName: string }) => towerName === ours(past).towerName,
    )
    const hours = own.reduce((sum: number, asset: Asset) => sum + asset.downtimeHours, 0)
    const others = own.filter(({ id }: Asset) => id !== assetId)
    const [tower] = historyTowers(others, past.assets, daysOfMonth('UTC', month))
    expect(tower!.assets.map(({ id }) => id)).toEqual(others.map(({ id }: Asset) => id))
    expect(tower).toMatchObject({ downtimeHours: hours, hasDowntime: true })
    expect(hours).toBeGreaterThanOrEqual(18)
  })

  it('ends with today in this month, and leads to its neighbours', async () => {
    const now = await history()
    expect([now.previous, now.next]).toEqual([month, null])
    expect(ours(now).days.length).toBeLessThanOrEqual(31)
    expect((await history(month)).next).toBe(now.month)
  })

  it('says so of a month that is none, or not yet', async () => {
    const status = async (asked: string) => (await house.ask('guest', `/api/history?month=${asked}`)).status
    expect(await status(monthsAfter(month, 2))).toBe(404)
    expect(await status('1999-01')).toBe(404)
    expect(await status('2026-13')).toBe(400)
    expect(await status('x')).toBe(400)
  })
})

type Asset = {
  id: number
  towerName: string
  downtimeHours: number
  days: { date: string; status: string }[]
  problems: { incidentId: number; impact: string; startedAt: string; endedAt: string | null }[]
  planned: { title: string }[]
  more: number
}

type History = { month: string; previous: string | null; next: string | null; assets: Asset[] }

const history = (month = ''): Promise<History> =>
  house.json('guest', `/api/history${month && `?month=${month}`}`)

/** A day and an hour of that month, such as 03T10:00. */
const at = (text: string) => new Date(`${month}-${text}:00Z`)

const breakFor18Hours = () =>
  house.report({
    assetId,
    severity: 'critical',
    createdAt: at('03T10:00'),
    status: 'resolved',
    changedAt: at('04T04:00'),
  })

const ours = ({ assets }: History) => assets.find(({ id }) => id === assetId)!
