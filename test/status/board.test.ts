import { describe, expect, it } from 'vitest'
import { DAY, dateIn, HOUR } from '../../src/vocabulary/time/calendar.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const { guest, maya, neighbour, office } = house

describe('an asset that is new', () => {
  it('is not recorded before it was entered, in JSON and on its page', async () => {
    const id = await house.asset({ name: 'New gate' })
    const asset = await guest.json(`/api/assets/${id}`)
    expect(Date.now() - Date.parse(asset.recordedSince)).toBeLessThan(HOUR)
    expect(asset.days).toHaveLength(90)
    const page = await guest.page(`/assets/${id}`)
    expect(page('.bar .unrecorded').attr('d')).toBe('M0 11h89')
    expect(page('.past').first().text().trim()).toBe('Recorded since today')
    expect(page('table tbody tr').last().text()).toContain('Not recorded')
    const month = dateIn('Europe/London', Date.now() - 40 * DAY).slice(0, 7)
    const history = await guest.page(`/history?month=${month}`)
    expect(history(`h3:contains("New gate") + .past`).text()).toContain('Not recorded')
  })

  it('counts a past outage that is entered later, and from there', async () => {
    const id = await house.asset({ name: 'Old pump' })
    const report = await maya.reports(id, { severity: 'critical' })
    await office.resolves(report)
    const at = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString()
    await office.json(`/api/incidents/${report}`, {
      method: 'PATCH',
      json: { downtimeStartedAt: at(100), downtimeEndedAt: at(50) },
    })
    const { uptime30, uptime90 } = await guest.json(`/api/assets/${id}`)
    expect([Number(uptime30), Number(uptime90)]).toEqual([expect.closeTo(50, 0), expect.closeTo(50, 0)])
  })

  it('comes last in its tower', async () => {
    const json = { towerId: 1, name: 'Newest lift', category: 'Lift' }
    const { id } = await office.json('/api/admin/assets', { json })
    const { assets } = await guest.json('/api/status')
    const north = assets.filter(({ towerName }: { towerName: string }) => towerName === 'North Tower')
    expect(north.at(-1).id).toBe(id)
  })
})

describe('the days of an asset on the status page', () => {
  it('are links with their dates where something was wrong, to what happened', async () => {
    const lift = await house.lift('Days lift')
    const report = await house.at(new Date(Date.now() - 20 * DAY)).maya.reports(lift, {
      severity: 'critical',
      title: 'The rope is worn',
    })
    await house.at(new Date(Date.now() - 19 * DAY)).office.resolves(report)
    const page = await guest.page('/')
    const link = page(`#asset-${lift} .bar a`)
    expect(link).toHaveLength(1)
    expect(link.text()).toMatch(/\d+.*: Out of service/)
    expect(page(`#asset-${lift} .past`).text()).toMatch(/2 bad days in 21/)
    const story = await guest.page(link.attr('href')!)
    expect(story('h1').text()).toContain('Days lift')
    expect(story('main').text()).toContain('The rope is worn')
    expect(story('.state')).toHaveLength(2)
  })

  it('say that a full uptime has days on which it only partly worked', async () => {
    const lift = await house.lift('Partly lift')
    const hoursAgo = (hours: number) => house.at(new Date(Date.now() - hours * HOUR))
    const report = await hoursAgo(72).maya.reports(lift, { severity: 'medium' })
    await hoursAgo(71).office.resolves(report)
    const row = (await guest.page('/'))(`#asset-${lift} .past`).text()
    expect(row).toMatch(/[12] bad days? in [45] \(partly working\) · in service 100.00% of the time/)
  })

  it.each(['2026-13-01', 'x', '1999-01-01', '2999-01-01'])('of %s are not found', async (day) => {
    const lift = await house.lift()
    const { status } = await guest.ask(`/assets/${lift}/days/${day}`)
    expect(status).toBe(day === '1999-01-01' ? 200 : 404)
  })

  it('are 31 at most', async () => {
    const lift = await house.lift()
    const { status } = await guest.ask(`/assets/${lift}/days/2020-01-01?to=2020-03-01`)
    expect(status).toBe(404)
  })
})

describe('something that is out of service', () => {
  it('is shown with what works instead, and with the report that is quoted', async () => {
    const tower = await house.tower('Quiet tower')
    const [broken] = [
      await house.asset({ name: 'Quiet left lift', towerId: tower }),
      await house.asset({ name: 'Quiet right lift', towerId: tower }),
    ]
    const cause = await maya.reports(broken!, { severity: 'critical', title: 'Stuck on 3' })
    await office.acknowledges(cause, 'The engineer comes at ten.')
    await neighbour.reports(broken!, { severity: 'high', title: 'Broken again' })
    const card = (await guest.page('/'))(`#asset-${broken}`)
    expect(card.text()).toContain('Quiet right lift is working.')
    expect(card.find('.past a').first().text()).toBe('Stuck on 3')
    expect(card.find('svg.bar')).toHaveLength(1)
  })

  it('says how long repairs usually take where ten repairs say it', async () => {
    const lift = await house.lift('Often repaired')
    const usually = async () => (await guest.page(`/assets/${lift}`))('.overall').text()
    for (let days = 12; days > 2; days--) {
      const at = (hours: number) => house.at(new Date(Date.now() - days * DAY + hours * HOUR))
      const report = await at(0).maya.reports(lift, { severity: 'high', title: `Fault ${days}` })
      await at(2.5).office.resolves(report)
    }
    await maya.reports(lift, { severity: 'high', title: 'Once more' })
    expect(await usually()).toContain('Usually repaired within 3 hours.')
  })
})

describe('the list of all equipment', () => {
  it('finds assets by parts of their names, whatever their accents', async () => {
    const id = await house.asset({ name: 'Portón de la cochera', category: 'Gate' })
    const page = await guest.page('/assets?q=PORTON+cochera')
    expect(
      page('.rows li')
        .toArray()
        .map((row) => page(row).attr('id')),
    ).toEqual([`asset-${id}`])
    for (const word of ['elevator', 'Ascensores', 'eleva'])
      expect((await guest.page(`/assets?q=${word}`))('main').text(), word).toContain('South lift')
    expect((await guest.page('/assets?q=nothing+like+that'))('main').text()).toContain('Nothing found')
  })

  it('is of one tower where it is asked for, and of those with problems', async () => {
    const { assets, towerId } = await guest.json('/assets?towerId=2', {
      headers: { accept: 'application/json' },
    })
    expect(towerId).toBe(2)
    expect(new Set(assets.map(({ towerName }: { towerName: string }) => towerName))).toEqual(
      new Set(['South Tower']),
    )
    expect((await guest.ask('/assets?towerId=999')).status).toBe(404)
    expect((await guest.page('/assets?towerId=2&q=nothing+like+that'))('h1').text()).toBe('South Tower')
  })
})

describe('a page about something', () => {
  it('leads to a report of it from its header, and can be shared with a picture of its state', async () => {
    const lift = await house.lift('Shared lift')
    const report = await maya.reports(lift, { severity: 'critical', title: 'Dead' })
    for (const path of [`/assets/${lift}`, `/incidents/${report}`]) {
      const page = await guest.page(path)
      expect(page('header nav > a.button').attr('href')).toBe(`/report?assetId=${lift}`)
      expect(page('#share').attr('href')).toMatch(/^mailto:\?subject=.*Shared|^mailto:\?subject=.*Dead/)
      const picture = new URL(page('meta[property="og:image"]').attr('content')!)
      const answer = await guest.ask(picture.pathname)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect(picture.pathname).toContain('preview-down')
    }
    expect((await guest.page('/'))('header nav > a.button').attr('href')).toBe('/report')
  })
})
