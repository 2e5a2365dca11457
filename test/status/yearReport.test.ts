import { parse } from 'csv/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import type { YearReport } from '../../src/status/present/yearReport.js'
import { useHouse } from '../support/house/house.js'
import { endImpacts } from '../support/impacts.js'
import { pastYear } from '../support/pastYear.js'

const house = useHouse()
let past: number
beforeAll(async () => {
  past = await pastYear()
  await endImpacts()
})

describe('the year of the building', () => {
  it('is this one, up to now, beside the same stretch of the year before', async () => {
    const page = await yearReport()
    expect([page.year, page.previous, page.next]).toEqual([past + 2, past + 1, null])
    const apart = Date.parse(page.until) - Date.parse(page.comparedUntil!)
    expect(Math.round(apart / 86_400_000)).toBeOneOf([365, 366])
    expect(page.assets.length).toBe((await house.json('guest', '/api/status')).assets.length)
    expect(page.total.before).not.toBeNull()
  })

  it('of an asset says when it was answered, repaired and confirmed', async () => {
    const [{ assets, total, months, next, previous }, after] = [
      await yearReport(past),
      await yearReport(past + 1),
    ]
    expect([previous, next]).toEqual([null, past + 1])
    const figures = {
      outages: 1,
      downtimeHours: 2,
      reports: 1,
      hoursToAnswer: 1,
      hoursToRepair: 2,
      repaired: 1,
    }
    for (const asset of assets)
      expect(asset).toMatchObject({ ...figures, confirmed: 1, repeats: 0, before: null })
    for (const { before } of after.assets) expect(before).toMatchObject(figures)
    expect([total.confirmed, after.total.before?.confirmed]).toEqual([assets.length, assets.length])
    expect(months[0]).toEqual({
      month: `${past}-03`,
      downtimeHours: 2 * assets.length,
      costCents: 12_345_600 * assets.length,
      before: null,
    })
    expect(after.months[2]?.before).toMatchObject({ downtimeHours: 2 * assets.length })
  })

  it('counts a cost on its day, and a void one no more', async () => {
    const { assets } = await yearReport()
    const [incident] = await house.json('manager', '/api/incidents?assetId=1&limit=1')
    const costs = `/api/incidents/${incident.id}/costs`
    const spent = async () => (await yearReport()).assets.find(({ id }) => id === 1)!.costCents
    const was = assets.find(({ id }) => id === 1)!.costCents
    const { id } = await house.json('manager', costs, { json: { amountCents: 4_242 } })
    expect(await spent()).toBe(was + 4_242)
    await house.ask('manager', `${costs}/${id}`, { method: 'DELETE' })
    expect(await spent()).toBe(was)
  })

  it('is one that the building has seen', async () => {
    const status = async (year: string) => (await house.ask('board', `/api/admin/year?year=${year}`)).status
    expect(await status(String(past + 3))).toBe(404)
    expect(await status(String(past - 1))).toBe(404)
    expect(await status('26')).toBe(400)
    expect(await status('x')).toBe(400)
  })

  it('is a page with every figure in a table', async () => {
    const page = await house.page('manager', `/admin/year?year=${past}`)
    const { assets, months, total } = await yearReport(past)
    expect(page('table').length).toBe(2)
    const rows = page('table').first().find('tbody tr')
    expect(rows.length).toBeGreaterThan(assets.length)
    expect(rows.last().find('td').first().text()).toContain(`${Number(total.uptime).toFixed(2)}%`)
    expect(page('table').last().find('tbody tr').length).toBe(months.length)
    expect(page('svg[aria-hidden=true] rect.now').length).toBeGreaterThan(0)
    expect(page(`a[href="/admin/year?year=${past + 1}"]`).length).toBe(1)
    expect(page('nav a[href="/admin/year"]').attr('aria-current')).toBe('page')
  })

  it('is a spreadsheet of the same figures', async () => {
    const { assets, total, year } = await yearReport(past + 1)
    const csv = await (await house.ask('board', `/api/export/year.csv?year=${past + 1}`)).text()
    const lines = parse(csv, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[]
    const cells = ({ before: _, ...figures }: object & { before?: unknown }) =>
      Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, String(value ?? '')]))
    const line = (of: string, assetId: string, ofYear: number) =>
      lines.find((each) => each.of === of && each.assetId === assetId && each.year === String(ofYear))
    for (const { id, name, towerName, archived: _, recordedSince: __, ...figures } of assets) {
      expect(line('asset', String(id), year)).toMatchObject({
        asset: name,
        tower: towerName,
        ...cells(figures),
      })
      if (figures.before) expect(line('asset', String(id), year - 1)).toMatchObject(cells(figures.before))
    }
    expect(line('building', '', year)).toMatchObject(cells(total))
  })
})

const yearReport = (year?: number): Promise<YearReport> =>
  house.json('board', `/api/admin/year${year ? `?year=${year}` : ''}`)
