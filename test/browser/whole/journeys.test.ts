import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { demoPassword } from '../../../src/vocabulary/people/demo.js'
import { actsOn } from '../../support/acts.js'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'
import { report } from '../../support/house/report.js'
import { picture } from '../../support/pictures.js'
import { manyRows, scalar } from '../../support/rows.js'

describe.skipIf(withoutBrowser).each([true, false])('what people do most, scripts %s', (scripts) => {
  const house = useHouse()
  const browser = useBrowser()
  const counted = new Map<string, number>()
  let assetId: number
  /** Works, and no one has reported anything about it. */
  let quietAssetId: number
  let id: number

  beforeEach(async () => {
    await house.emptyDesk()
    const { assets } = await house.json('guest', '/api/status')
    const working = assets.filter(({ status }: { status: string }) => status === 'operational')
    assetId = working[0].id
    quietAssetId = working[1].id
    id = await report({ assetId, title: 'It rattles', severity: 'low' })
  })

  /** A page of somebody, and the acts it took so far; the sign-in is not counted. */
  async function openAs(who: string | null, path: string) {
    const page = await browser.open({ javaScriptEnabled: scripts })
    if (who) await enterAs(page, house, who)
    await page.goto(house.origin() + path)
    return { page, acts: actsOn(page) }
  }
  const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name })

  /** Holds a journey to its goal; the last test of the file shows what all of them took. */
  function within(journey: Journey, took: number): void {
    counted.set(journey, took)
    expect(took, journey).toBeLessThanOrEqual(goals[journey])
  }

  it('five new reports are cleared from the sign-in', async () => {
    for (let n = 2; n <= 5; n++) await report({ assetId, title: `Report ${n}`, severity: 'low' })
    const { page, acts } = await openAs(null, '/sign-in')
    await acts.fill(page.locator('#email'), 'manager@example.com')
    await acts.fill(page.locator('#password'), demoPassword)
    await acts.tap(page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }))
    await page.waitForURL(/\/admin/)
    await acts.tap(page.getByRole('link', { name: 'Select all' }))
    await acts.tap(page.locator('.selection-bar').getByRole('button', { name: 'Acknowledge' }))
    await page.waitForURL(/did=acknowledged&n=5/)
    within('clear five new reports, from signing in', acts.total())
  })

  it('a report is acknowledged from its page, from the desk, and once', async () => {
    const { page, acts } = await openAs('manager', `/incidents/${id}`)
    await acts.tap(button(page, 'Acknowledge'))
    await page.waitForURL(/notice=/)
    within('acknowledge on the report', acts.total())
    const second = await report({ assetId, title: 'It squeaks', severity: 'low' })
    const desk = await openAs('manager', '/admin?tab=new')
    const other = await openAs('manager', '/admin?tab=new')
    await desk.acts.tap(desk.page.locator(`#row-${second} .act`))
    await desk.page.waitForURL(/notice=tap-acknowledge/)
    within('acknowledge on the desk', desk.acts.total())
    expect(await desk.page.locator('.notice').innerText()).toContain(`INC-${second} acknowledged`)
    await other.page.locator(`#row-${second} .act`).click()
    await other.page.waitForURL(/notice=tap-already/)
    expect(await other.page.locator('.notice').innerText()).toContain('Nothing changed')
    await desk.page.goBack()
    expect(await desk.page.locator(`#row-${second}`).count()).toBe(0)
  })

  it('a duplicate is merged from the desk, and that can be undone', async () => {
    const duplicate = await report({ assetId, title: 'It rattles again', severity: 'low' })
    const { page, acts } = await openAs('manager', '/admin?tab=new')
    await acts.tap(page.locator(`#row-${duplicate} .row-menu summary`))
    await acts.tap(page.getByRole('button', { name: `Merge into INC-${id}` }))
    await acts.tap(page.getByRole('button', { name: 'Merge report' }))
    await page.waitForURL(/notice=tap-merge/)
    within('merge a duplicate', acts.total())
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL(/notice=tap-unmerge/)
    expect(await page.locator(`#row-${duplicate}`).count()).toBe(1)
  })

  it('five duplicates are merged into their survivor in 3 taps', async () => {
    for (let i = 0; i < 5; i++) await report({ assetId, title: 'Gutter leaks', severity: 'medium' })
    const survivor = await report({ assetId, title: 'Gutter leaks', severity: 'medium' })
    const { page, acts } = await openAs('manager', `/incidents/${survivor}`)
    const preview = page.locator(`form[action="/incidents/${survivor}/duplicates/preview"]`)
    await acts.tap(page.locator('details', { has: preview }).locator('summary'))
    await acts.tap(preview.locator('button').last())
    await acts.tap(page.locator(`form[action="/incidents/${survivor}/duplicates"] button`).last())
    await page.waitForURL(/notice=mergedNow/)
    expect(acts.counts.taps).toBe(3)
    expect((await house.json('guest', `/api/incidents/${survivor}`)).duplicates).toHaveLength(5)
  })

  it('an update with a status and a promise is posted by one form', async () => {
    const { page, acts } = await openAs('manager', `/incidents/${id}`)
    await acts.tap(page.getByRole('link', { name: 'Post an update' }))
    await acts.fill(page.getByLabel('Update for residents'), 'The part comes tomorrow.')
    await acts.choose(page.getByLabel('New status'), 'in_progress')
    await acts.fill(page.getByLabel('Expected back'), '2099-01-01T10:00')
    await acts.tap(button(page, 'Post an update'))
    await page.waitForURL(/notice=/)
    within('update with a promise', acts.total())
    const answered = await house.json('guest', `/api/incidents/${id}`)
    expect(answered).toMatchObject({
      status: 'in_progress',
      expectedBackAt: expect.stringContaining('2099'),
    })
    expect(answered.updates.at(-1).body).toBe('The part comes tomorrow.')
  })

  it('the boiler report of three weeks ago is found, and all reports are exported', async () => {
    const old = await report({
      assetId: await scalar<number>(`select id from assets where name ilike '%boiler%'`),
      title: 'Only cold water',
      severity: 'low',
      createdAt: new Date(Date.now() - 21 * 86_400_000),
    })
    const { page, acts } = await openAs('manager', '/admin')
    await acts.fill(page.getByRole('banner').getByRole('searchbox'), 'boiler')
    await acts.press('Enter')
    await page.waitForURL(/q=boiler/)
    await acts.tap(page.getByRole('link', { name: 'Only cold water' }).first())
    await page.waitForURL(`**/incidents/${old}`)
    within('find the boiler report of three weeks ago', acts.total())
    const list = await openAs('manager', '/incidents')
    const download = list.page.waitForEvent('download')
    await list.acts.tap(list.page.getByRole('link', { name: /CSV|spreadsheet/i }))
    expect((await download).suggestedFilename()).toMatch(/\.csv$/)
    within('export as a spreadsheet', list.acts.total())
  })

  /** Reports with a photo, from the status page or a sticker; a guest signs in at the end. */
  async function reports(who: string | null, path: string): Promise<number> {
    const { page, acts } = await openAs(who, path)
    if (path === '/') {
      await acts.tap(page.getByRole('banner').getByRole('link', { name: 'Report a problem' }))
      await page.waitForURL(/\/report$/)
    }
    const photo = { name: 'lift.png', mimeType: 'image/png', buffer: await picture('png') }
    await acts.attach(page.getByLabel('Choose photos'), photo)
    if (path === '/') await acts.choose(page.getByLabel('What’s broken?'), `asset-${quietAssetId}`)
    if (path === '/' && scripts) await page.locator('#chosen[data-said]').waitFor({ state: 'attached' })
    await acts.fill(page.getByLabel('What’s wrong?'), `It smells of rubber, ${counted.size}`)
    await acts.tap(button(page, 'Send report'))
    if (who === null) {
      await page.waitForURL(/sign-in/)
      await acts.fill(page.locator('#email'), 'resident@example.com')
      await acts.fill(page.locator('#password'), demoPassword)
      await acts.tap(button(page, 'Sign in and send report'))
    }
    await page.waitForURL(/\/incidents\/\d+/)
    const sent = await house.json('guest', `/api/incidents/${/\d+/.exec(new URL(page.url()).pathname)![0]}`)
    expect(sent).toMatchObject({ assetId: path === '/' ? quietAssetId : assetId, severity: 'medium' })
    expect(sent.photos).toHaveLength(1)
    return acts.total()
  }

  it('a broken thing is reported with a photo', async () => {
    within('report with a photo', await reports('resident', '/'))
    await house.emptyDesk()
    within('report with a photo, as a guest', await reports(null, '/'))
  })

  it('a broken thing is reported with a photo from its sticker', async () => {
    await house.emptyDesk()
    within('report with a photo, from the sticker', await reports('resident', `/r/${assetId}`))
    await house.emptyDesk()
    within('report with a photo, from the sticker, as a guest', await reports(null, `/r/${assetId}`))
  })

  it('a lift is followed by email', async () => {
    const broken = await report({ assetId, title: 'It is stuck', severity: 'critical' })
    const { assetName } = await house.json('guest', `/api/incidents/${broken}`)
    const { page, acts } = await openAs(null, '/')
    await acts.tap(page.getByRole('main').getByRole('link', { name: assetName }).first())
    await page.waitForURL(`**/assets/${assetId}`)
    await acts.tap(page.getByRole('link', { name: 'Get email updates' }))
    await page.waitForURL(/\/follow\?/)
    await acts.fill(page.getByLabel('Your email address'), 'jo@outside.test')
    await acts.tap(button(page, 'Email me a link'))
    await page.waitForURL(/notice=followLinkSent/)
    within('follow a lift by email', acts.total())
  })

  it('a comment is written on a long report', async () => {
    const long = await report({ assetId, title: 'It is stuck', severity: 'critical', reporter: 'board' })
    await manyRows('incident_updates', 40, {
      incident_id: `${long}`,
      author_label: `'Maya Okafor'`,
      body: `'Still the same, ' || n`,
      created_at: `now() + n * interval '1 minute'`,
    })
    const { page, acts } = await openAs('resident', '/')
    await acts.tap(page.locator(`#inc-${long}`))
    await page.waitForURL(`**/incidents/${long}`)
    await acts.tap(page.getByRole('link', { name: 'Add a comment' }).first())
    await acts.fill(page.getByLabel('Comment', { exact: true }), 'On the third floor, too')
    await acts.tap(button(page, 'Post comment'))
    await page.waitForURL(/notice=/)
    within('comment on a long report', acts.total())
  })

  const follows: [Journey, () => string][] = [
    ['“I have this too”, as a guest', () => `/r/${assetId}`],
    ['follow a report by email', () => `/incidents/${id}`],
  ]
  it.each(follows)('%s', async (journey, pathOf) => {
    const { page, acts } = await openAs(null, pathOf())
    const has = page.getByRole('link', { name: 'I have this too' }).first()
    await acts.tap(journey === 'follow a report by email' ? page.locator('.follow summary') : has)
    await acts.fill(page.getByLabel('Your email address'), 'jo@outside.test')
    await acts.tap(button(page, 'Email me a link'))
    await page.waitForURL(/notice=followLinkSent/)
    within(journey, acts.total())
  })

  it('a desk of sixteen reports is short, and its first report is near', async () => {
    for (let n = 2; n <= 16; n++) {
      const title = n <= 5 ? `Report number ${n}` : `A somewhat longer title of report ${n}`
      await report({ assetId: 1 + (n % 5), title, severity: 'low' })
    }
    const { page, acts } = await openAs('manager', '/admin?tab=new')
    expect(await page.locator('#queue .desk > li').count()).toBe(16)
    within('desk of 16 reports, screens of a phone', await acts.screens())
    const isInFirst = `document.querySelector('#queue .desk > li').contains(document.activeElement)`
    const skip = page.getByRole('link', { name: 'Skip to reports' })
    let stops = 0
    while (stops < 50 && !(await page.evaluate(isInFirst))) {
      await page.keyboard.press('Tab')
      stops++
      if (await skip.evaluate((link) => link.matches(':focus'))) await page.keyboard.press('Enter')
    }
    within('tab stops before the first report of the desk', stops)
    await page.setViewportSize({ width: 1280, height: 800 })
    within('desk of 16 reports, screens of a desktop', await acts.screens())
  })

  // The figures of today: --reporter=verbose prints them.
  it('every journey has been counted', async ({ annotate }) => {
    expect([...counted.keys()].sort()).toEqual(Object.keys(goals).sort())
    for (const [journey, took] of counted)
      await annotate(`${journey}: ${Number(took.toFixed(1))}, goal ${goals[journey as Journey]}`)
    expect(browser.complaints).toEqual([])
  })
})

/**
 * The most a journey may take on a phone of 360 × 740: taps, fields and
 * scrolls, or what its name says.
 */
const goals = {
  'clear five new reports, from signing in': 7,
  'acknowledge on the desk': 3,
  'acknowledge on the report': 2,
  'update with a promise': 5,
  'merge a duplicate': 4,
  'find the boiler report of three weeks ago': 3,
  'export as a spreadsheet': 3,
  'report with a photo': 6,
  'report with a photo, as a guest': 9,
  'report with a photo, from the sticker': 5,
  'report with a photo, from the sticker, as a guest': 9,
  'follow a lift by email': 4,
  'comment on a long report': 4,
  '“I have this too”, as a guest': 4,
  'follow a report by email': 4,
  'desk of 16 reports, screens of a phone': 4,
  'desk of 16 reports, screens of a desktop': 1.5,
  'tab stops before the first report of the desk': 3,
}

type Journey = keyof typeof goals
