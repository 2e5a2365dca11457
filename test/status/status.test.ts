import { beforeAll, describe, expect, it } from 'vitest'
import { texts } from '../../src/text/index.js'
import { useHouse } from '../support/house/house.js'
import { endImpacts } from '../support/impacts.js'
import { perRun } from '../support/run/extent.js'
import { moveToNoon } from '../support/run/noon.js'

const house = useHouse()
const { maya } = house
let zone: string
beforeAll(async () => {
  zone = await moveToNoon()
  await endImpacts()
})
const statuses = ['operational', 'degraded', 'down', 'maintenance']

describe('GET /api/status', () => {
  it('counts each asset once, has ninety dates that end today where the building stands, and is the same for all', async () => {
    const { property, summary, assets } = await house.json('guest', '/api/status')
    expect(summary.total).toBe(assets.length)
    const count = (of: string) => assets.filter(({ status }: { status: string }) => status === of).length
    for (const each of statuses) expect(summary[each]).toBe(count(each))
    const dates = assets[0].days.map((day: { date: string }) => day.date)
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: property.timezone }).format(new Date())
    expect([property.timezone, dates.length, dates.at(-1)]).toEqual([zone, 90, today])
    for (const [i, date] of dates.entries())
      if (i > 0) expect(Date.parse(date) - Date.parse(dates[i - 1])).toBe(86_400_000)
    const [asGuest, asAdmin] = await Promise.all(
      (['guest', 'admin'] as const).map(async (who) => (await house.ask(who, '/api/status')).text()),
    )
    expect(asAdmin).toBe(asGuest)
  })

  it('shows a write of the moment before, and a 304 while nothing changes', async () => {
    const first = await house.ask('guest', '/api/status')
    const etag = first.headers.get('etag')!
    const { assets } = await first.json()
    const working = assets.find((asset: { status: string }) => asset.status === 'operational')
    const unchanged = await house.ask('guest', '/api/status', { headers: { 'if-none-match': etag } })
    expect(unchanged.status).toBe(304)
    await house.json('resident', '/api/incidents', {
      json: { assetId: working.id, title: 'Stuck', severity: 'critical' },
    })
    const after = await house.ask('guest', '/api/status', { headers: { 'if-none-match': etag } })
    expect(after.status).toBe(200)
    const asset = (await after.json()).assets.find(({ id }: { id: number }) => id === working.id)
    expect(asset.status).toBe('down')
    expect(asset.days.at(-1).status).toBe('down')
  })

  it('does not change for a comment', async () => {
    const etag = (await house.ask('guest', '/api/status')).headers.get('etag')!
    const [incident] = await house.json('guest', '/api/incidents?status=open')
    await maya.comments(incident.id, 'Any news?')
    expect((await house.ask('guest', '/api/status', { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  it('answers a poll that changed nothing in at most 300 bytes', async () => {
    const { Socket } = await import('node:net')
    const etag = (await house.ask('guest', '/api/status')).headers.get('etag')!
    const { hostname, port } = new URL(house.origin())
    const socket = new Socket().connect(Number(port), hostname)
    socket.write(`GET /api/status HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${etag}\r\n\r\n`)
    const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
    socket.destroy()
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 304 /)
    expect(answer.length).toBeLessThanOrEqual(300)
  })
})

describe('the status page', () => {
  /** What is broken has a card at the top instead of a row. */
  const isListed = ({ status }: { status: string }) => ['operational', 'maintenance'].includes(status)

  it('shows each asset once, with its status in a word and a shape, and its bar when it works', async () => {
    const { assets } = await house.json('guest', '/api/status')
    const page = await house.page('guest', '/')
    for (const asset of assets) {
      const row = page(`#asset-${asset.id}`)
      expect([row.length, row.find('h3').text()]).toEqual([1, asset.name])
      const links = row.find('svg.bar a').length
      expect(row.find('*').length + 1 - 3 * links).toBeLessThanOrEqual(18)
      expect(row.find('.icon use').attr('href')).toBe(`#i-${asset.status}`)
      if (!isListed(asset)) continue
      expect(row.find('svg.bar').attr('aria-hidden')).toBe(links > 0 ? undefined : 'true')
      expect(row.find('svg.bar > path').length).toBeLessThanOrEqual(4)
      expect(row.find('.past').text()).toContain(`${asset.uptime90}%`)
    }
  })

  it('draws the days its JSON tells', async () => {
    const { assets } = await house.json('guest', '/api/status')
    const page = await house.page('guest', '/')
    for (const asset of assets) {
      const drawn: string[] = []
      for (const path of page(`#asset-${asset.id} .bar > path`).toArray()) {
        for (const [, from, length] of page(path)
          .attr('d')!
          .matchAll(/M(\d+) [\d.]+h(\d+)/g)) {
          for (let i = 0; i < Number(length); i++)
            drawn[Number(from) + i] = page(path).attr('class') ?? 'operational'
        }
      }
      expect(drawn).toEqual(asset.days.map((day: { status: string }) => day.status))
    }
  })

  it('is polled by a part of its own that keeps its tag', async () => {
    const page = await house.page('guest', '/')
    const live = page('#live')
    expect(page('[hx-trigger]').length).toBe(1)
    expect(live.attr('hx-get')).toBe('/live')
    expect(live.attr('hx-trigger')).toBe('every 60s')
    const first = await house.ask('guest', '/live', { headers: { 'hx-request': 'true' } })
    expect(await first.text()).toMatch(/^<div id="live"/)
    const again = await house.ask('guest', '/live', {
      headers: { 'hx-request': 'true', 'if-none-match': first.headers.get('etag')! },
    })
    expect(again.status).toBe(304)
  })

  it('is what a browser gets at the API address, too, and JSON for a client that says so', async () => {
    expect((await house.page('guest', '/api/status'))('#live')).toHaveLength(1)
    const answer = await house.ask('guest', '/', { headers: { accept: 'application/json' } })
    expect(answer.headers.get('content-type')).toContain('application/json')
  })
})

describe('a notice on the status page', () => {
  const noticeOf = async (path: string, headers: Record<string, string> = {}) =>
    (await house.page('guest', path, { headers }))('p.notice').text()

  it('greets a guest, whichever it is, in their language', async () => {
    for (const [locale, text] of Object.entries(texts))
      for (const [name, sentence] of perRun({ quick: { every: 20 }, whole: Object.entries(text.notices) }))
        expect(await noticeOf(`/?notice=${name}`, { 'accept-language': locale }), name).toBe(
          typeof sentence === 'string' ? sentence : sentence(),
        )
  })

  it('is shown to who has just signed out', async () => {
    const answer = await house.submit({ cookie: await house.signIn('board@example.com') }, '/sign-out')
    expect(await noticeOf(answer.headers.get('location')!)).toBe(texts.en.notices.signedOut)
  })

  it('is none of the page that everybody gets', async () => {
    await noticeOf('/?notice=signedOut')
    expect(await noticeOf('/')).toBe('')
    expect(await noticeOf('/?notice=nothing')).toBe('')
    expect(await noticeOf('/?from=poster')).toBe('')
  })
})
