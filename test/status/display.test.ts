import type { CheerioAPI } from 'cheerio'
import { beforeAll, describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'
import { hiddenReport } from '../support/house/report.js'
import { moveToNoon } from '../support/run/noon.js'

const house = useHouse()
let broken: Listed

beforeAll(async () => {
  await moveToNoon()
  const { assets } = await house.json<{ assets: Listed[] }>('guest', '/api/status')
  const [down, planned] = assets.filter(({ status }) => status === 'operational') as [Listed, Listed]
  broken = down
  await breakDown(broken.id)
  await planWork(planned.id)
})

describe('the lobby’s screen', () => {
  /** The screen's pages, each as it leads to the next, until the first comes again. */
  async function pagesOf(): Promise<CheerioAPI[]> {
    const pages = [await house.page('guest', '/display')]
    const next = () => pages.at(-1)!('#live').attr('data-next')!
    while (!/^\/display(\?page=1)?$/.test(next())) pages.push(await house.page('guest', next()))
    return pages
  }

  it('shows every asset once, on one of its pages, with its shape and its word: what is wrong first', async () => {
    const { assets } = await house.json<{ assets: Listed[] }>('guest', '/api/status')
    const pages = await pagesOf()
    expect(pages.flatMap((page) => page('.ticks > li, .problems > li').get()).length).toBe(assets.length)
    for (const { id, name, status, towerName } of assets) {
      const tile = pages.map((page) => page(`#asset-${id}`)).find(({ length }) => length === 1)!
      const isProblem = status === 'down' || status === 'degraded'
      expect(tile.find('h3, .name').text()).toBe(name)
      expect(tile.find(isProblem ? '.state' : '.hidden, .word').text()).not.toBe('')
      expect(tile.find('use').attr('href')).toBe(`#i-${status}`)
      expect(tile.closest('section').find('h2').text()).toBe(isProblem ? 'Current problems' : towerName)
    }
  })

  it('tells the browser to ask for the next page, and after the last comes the first', async () => {
    const pages = await pagesOf()
    for (const [i, page] of pages.entries()) {
      const next = ((i + 1) % pages.length) + 1
      const refresh = pages.length === 1 ? '30; url=/display' : `15; url=/display?page=${next}`
      // Outside of <noscript>: a browser that cannot read the script has scripts as well.
      expect(page('head > script + meta[http-equiv=refresh]').attr('content')).toBe(refresh)
      expect(page('#live').attr('data-next')).toBe(refresh.split('url=')[1])
    }
    const beyond = await house.page('guest', `/display?page=${pages.length + 1}`)
    expect(beyond('.board').text()).toBe(pages[0]!('.board').text())
  })

  it('says what is out of service since when, why, and when it is expected back', async () => {
    const page = await house.page('guest', '/display')
    const row = page(`.problems > li:contains("${broken.name}")`)
    expect(row.text()).toMatch(/Out of service, since .+An engineer is on the way\. Expected back: \d/s)
    expect(page('title').text()).toMatch(/out of service/)
    expect(page('link[rel=icon]').attr('href')).toContain('icon-down')
  })

  it('says what is planned for today and nothing later', async () => {
    const text = (await house.page('guest', '/display'))('section[aria-labelledby=today]').text()
    expect(text).toContain('Under way')
    expect(text).not.toContain('In ten days')
  })

  it('names three works of today, and counts the others', async () => {
    const todayOf = async () => (await house.page('guest', '/display'))('section[aria-labelledby=today]')
    const before = (await todayOf()).find('li').length
    const startsAt = new Date()
    const endsAt = new Date(startsAt.getTime() + 3_600_000)
    for (const title of ['First', 'Second', 'Third'])
      await house.window({ assetId: 2, title, startsAt, endsAt })
    const today = await todayOf()
    expect(today.find('li')).toHaveLength(3)
    expect(today.find('ul + p').text()).toBe(`${before} more`)
  })

  it('has a code to report with, the time of what it says, and nothing to press', async () => {
    const before = Date.now()
    const page = await house.page('guest', '/display')
    expect(page('.scan svg').attr('aria-label')).toMatch(/\/report$/)
    expect(page('.scan svg path').length).toBe(2)
    const asOf = Date.parse(page('.age time').attr('datetime')!)
    expect(asOf).toBeGreaterThanOrEqual(before - 1000)
    expect(page('a, button, input, form').length).toBe(0)
  })

  it('quotes the report where the office has said nothing, and says that it is not confirmed', async () => {
    const assetId = await house.lift('Goods lift')
    await house.report({ assetId, severity: 'medium', title: 'Someone leaves bikes in it' })
    const card = (await house.page('guest', '/display'))(`#asset-${assetId}`)
    expect(card.text()).toContain('Reported as not working properly. Not confirmed yet.')
    expect(card.find('.word').text()).toMatch(/^“Someone leaves bikes in it”\s\(Reported\)$/)
  })

  it('quotes the office instead, and no title that the office has hidden', async () => {
    const [answered, hidden] = [await house.lift('Answered lift'), await house.lift('Hidden lift')]
    await house.report({
      assetId: answered,
      severity: 'high',
      title: 'Stuck',
      status: 'acknowledged',
      body: 'Seen',
    })
    await hiddenReport({ assetId: hidden, severity: 'high', title: 'Maya is loud' })
    const pages = await pagesOf()
    const cardOf = (id: number) => pages.map((page) => page(`#asset-${id} .word`).text()).join('')
    expect(cardOf(answered)).toContain('Seen')
    expect(cardOf(answered)).not.toContain('Stuck')
    expect(cardOf(hidden)).toMatch(/^“Hidden by the office”\s\(Reported\)$/)
  })
})

type Listed = { id: number; name: string; towerName: string; status: string }

/** An asset is out of service; the office says why, and until when. */
async function breakDown(assetId: number): Promise<void> {
  const expectedBackAt = new Date('2099-01-01T09:00:00Z')
  await house.report({ assetId, severity: 'critical', statusReason: 'engineer_coming', expectedBackAt })
}

/** Work on an asset is under way now, and more is planned in ten days. */
async function planWork(assetId: number): Promise<void> {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
  await house.window({ assetId, title: 'Under way', startsAt: inHours(-1), endsAt: inHours(1) })
  await house.window({ assetId, title: 'In ten days', startsAt: inHours(240), endsAt: inHours(264) })
}
