import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { deskTabs } from '../../src/incidents/model/deskLists.js'
import { enterAs, useBrowser, withoutBrowser } from '../support/browser.js'
import { useHouse } from '../support/house/house.js'
import { maya } from '../support/house/people.js'
import { report } from '../support/house/report.js'
import { picture } from '../support/pictures.js'
import { perRun } from '../support/run/extent.js'

describe.skipIf(withoutBrowser)('what a page says of itself', () => {
  const house = useHouse()
  const browser = useBrowser()

  beforeAll(async () => {
    for (let n = 1; n <= 4; n++) {
      await report({ assetId: 1, title: `New ${n}`, severity: 'low' })
      await report({ assetId: 1, title: `Wobbling ${n}`, severity: 'low', status: 'in_progress' })
      const reopened = await report({ assetId: 2, title: `Again ${n}`, status: 'resolved' })
      await maya.saysNotFixed(reopened)
    }
  })

  const tabs = perRun({ quick: ['new'], whole: ['new', 'reopened', 'inProgress'] })

  it.each(tabs)('is how many reports are selected on the tab %s, however they were selected', async (tab) => {
    const page = await browser.open({ viewport: { width: 1280, height: 800 } })
    await enterAs(page, house, 'manager')
    await page.goto(`${house.origin()}/admin?tab=${tab}`)
    const boxes = page.locator('#queue input[name=ids]')
    const all = await boxes.count()
    expect(all).toBeGreaterThanOrEqual(4)
    expect(await saidSelected(page)).toBeNull()
    for (const [i, count] of [1, 2, 3].entries()) {
      await boxes.nth(i).check()
      expect(await saidSelected(page)).toBe(count)
    }
    await boxes.nth(1).uncheck()
    expect(await saidSelected(page)).toBe(2)
    await page.locator('#queue .desk > li').nth(3).focus()
    await page.keyboard.press('x')
    expect(await saidSelected(page)).toBe(3)
    await page.locator('#select-all').click()
    expect(await saidSelected(page)).toBe(all)
    await page.locator('#clear').click()
    expect(await saidSelected(page)).toBeNull()
    expect(browser.complaints).toEqual([])
  })

  it('is how many reports are selected, also without scripts and on a phone', async () => {
    const page = await browser.open({ javaScriptEnabled: false })
    await enterAs(page, house, 'manager')
    await page.goto(`${house.origin()}/admin?tab=new&select=all`)
    const all = await page.locator('#queue input[name=ids]:checked').count()
    expect(all).toBeGreaterThanOrEqual(4)
    expect(await saidSelected(page)).toBe(all)
    await page.locator('#queue input[name=ids]').first().uncheck()
    expect(await saidSelected(page)).toBe(all - 1)
  })

  it('is how many reports each tab of the desk has', async () => {
    const page = await browser.open()
    await enterAs(page, house, 'manager')
    for (const tab of deskTabs.filter((each) => each !== 'emails')) {
      await page.goto(`${house.origin()}/admin?tab=${tab}`)
      const current = await page.locator('nav [aria-current=page]').allTextContents()
      const said = current.map((text) => /(\d+)/.exec(text)?.[1]).find(Boolean)
      expect(`${tab} ${said ?? 0}`).toBe(`${tab} ${await page.locator('#queue .desk > li').count()}`)
    }
  })

  it('is how many reports were found, also while somebody types', async () => {
    const page = await browser.open()
    await enterAs(page, house, 'manager')
    const said = async () =>
      Number(/(\d+) reports?/.exec(await page.locator('#found > .muted').innerText())?.[1])
    await page.goto(`${house.origin()}/incidents?q=Wobbling`)
    expect(await said()).toBe(4)
    expect(await page.locator('#found .incidents > li').count()).toBe(4)
    await page.locator('#q').fill('Wobbling 2')
    await page.waitForURL(/Wobbling(\+|%20)2/)
    expect(await said()).toBe(1)
    expect(await page.locator('#found .incidents > li').count()).toBe(1)
    await expect.poll(() => page.locator('#announcements').textContent()).toContain('1 report')
  })

  it('is which photos are sent', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'photos-'))
    const files = ['one.jpg', 'two.jpg', 'three.jpg'].map((name) => path.join(folder, name))
    for (const file of files) await writeFile(file, await picture())
    const page = await browser.open()
    await enterAs(page, house, 'resident')
    await page.goto(`${house.origin()}/report`)
    const input = page.locator('#photos')
    const listed = page.locator('ul.chosen-photos > li')
    const sent = () =>
      page.evaluate<string[]>(`[...document.querySelector('#photos').files].map(({ name }) => name)`)
    await input.setInputFiles(files.slice(0, 2))
    await listed.nth(1).waitFor()
    await input.setInputFiles(files.slice(2))
    await listed.nth(2).waitFor()
    expect(await sent()).toHaveLength(3)
    await listed.nth(0).getByRole('button').click()
    await expect.poll(() => listed.count()).toBe(2)
    const buttons = await listed.getByRole('button').all()
    const labels = await Promise.all(buttons.map((button) => button.getAttribute('aria-label')))
    const names = labels.map((label) => label?.split(': ')[1])
    expect(names).toEqual(await sent())
  })
})

type Node = { role?: { value: string }; name?: { value: string }; ignored: boolean }

/**
 * Everything a page says as it is read out: what style sheets write, such as
 * counters, is in no document.
 */
async function spokenBy(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: Node[] }
  await session.detach()
  return nodes
    .filter(({ ignored, role }) => !ignored && role?.value === 'StaticText')
    .map(({ name }) => name?.value ?? '')
    .join('')
}

/** What the bar says to be selected; null where it is not shown. */
async function saidSelected(page: Page): Promise<number | null> {
  const said = /Selected: (\d+)/.exec(await spokenBy(page))
  return said && Number(said[1])
}
