import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useApp } from '../../support/app.js'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'

/** What a screen reader is given, a line for each thing, without where links lead to. */
async function treeOf(place: Locator): Promise<string[]> {
  const lines = (await place.ariaSnapshot()).split('\n').map((line) => line.trim().slice(2))
  return lines
    .map((line) => line.replace(/^'(.*)'(:?.*)$/, '$1$2'))
    .filter((line) => !line.startsWith('/url'))
}

/** The headings in order, and a failure where one is skipped. */
async function outlineOf(page: Page): Promise<string[]> {
  const headings = (await treeOf(page.locator('body'))).filter((line) => line.startsWith('heading'))
  const levels = headings.map((line) => Number(/level=(\d)/.exec(line)![1]))
  expect(levels.filter((level) => level === 1)).toHaveLength(1)
  for (const [i, level] of levels.entries()) if (i > 0) expect(level - levels[i - 1]!).toBeLessThanOrEqual(1)
  return headings.map((line) => line.replace(/:$/, ''))
}

const withAll = (lines: string[]) => expect.arrayContaining(lines)

describe.skipIf(withoutBrowser)('what a screen reader is given', () => {
  const app = useApp()
  const browser = useBrowser()
  let page: Page

  beforeAll(async () => {
    page = await browser.open()
    await enterAs(page, app, 'resident')
  })
  afterEach(() => {
    expect(browser.complaints.splice(0)).toEqual([])
  })

  it('has the same landmarks on every page, in the same order', async () => {
    for (const path of ['/', '/report', '/incidents/46', '/nothing']) {
      await page.goto(app.origin() + path)
      const tree = await treeOf(page.locator('body'))
      const landmarks = tree.filter((line) => /^(link "Skip|banner|navigation|main|contentinfo)/.test(line))
      expect(landmarks, path).toEqual([
        'link "Skip to the content":',
        'banner:',
        'navigation "Main menu":',
        'main:',
        'contentinfo:',
      ])
    }
    await page.goto(`${app.origin()}/incidents`)
    await page.getByText('Menu', { exact: true }).click()
    expect(await page.locator('nav [aria-current=page]').allInnerTexts()).toEqual(['Reports'])
  })

  it('says on the status page how everything is, in words', async () => {
    const { assets } = await app.json('guest', '/api/status')
    await page.goto(app.origin())
    const outline = await outlineOf(page)
    expect(outline).toEqual(
      withAll(['heading "North Tower" [level=2]', 'heading "Current problems" [level=2]']),
    )
    expect(await page.title()).toMatch(/out of service/)
    const words: Record<string, RegExp> = {
      operational: /^paragraph: Working$/,
      degraded: /^paragraph: Partly working, since /,
      down: /^paragraph: Out of service, since /,
      maintenance: /^paragraph: Planned work, until /,
    }
    for (const { id, name, status } of assets) {
      const row = await treeOf(page.locator(`#asset-${id}`))
      expect(row).toEqual(withAll([`heading "${name}" [level=3]:`, `link "${name}":`]))
      expect(
        row.filter((line) => words[status]!.test(line)),
        name,
      ).toHaveLength(1)
      const isListed = status === 'operational' || status === 'maintenance'
      expect(
        row.filter((line) => /[\d.]+% uptime in 90 days/.test(line)),
        name,
      ).toHaveLength(isListed ? 1 : 0)
      // The bar is decoration: nothing of it is in the tree, so a row stays short to listen to.
      expect(row.filter((line) => /^(img|graphics)/.test(line))).toEqual([])
      expect(row.length, name).toBeLessThanOrEqual(12)
    }
  })

  it('announces politely, in a region that is there from the start', async () => {
    for (const path of ['/', '/report', '/incidents/46']) {
      await page.goto(app.origin() + path)
      const region = page.locator('#announcements[aria-live=polite]')
      expect([await region.count(), await region.innerText()]).toEqual([1, ''])
    }
  })

  it('names every question of the report form, with its hint, its choices and their state', async () => {
    await page.goto(`${app.origin()}/report?assetId=1`)
    expect(await outlineOf(page)).toContain('heading "Report a problem" [level=1]')
    const tree = await treeOf(page.locator('main'))
    expect(tree).toEqual(
      withAll([
        'combobox "What’s broken?":',
        'textbox "What’s wrong?"',
        'textbox "More detail (optional)"',
        'group "How bad is it?":',
        'radio "Cosmetic: it still works"',
        'radio "Works, but not properly"',
        'radio "Can’t be used"',
        'radio "Dangerous, or people can’t get in or out"',
        'checkbox "Hide my name from other residents"',
        'button "Photos"',
        'button "Send report"',
      ]),
    )
    // The number to call comes before the first question.
    const call = tree.findIndex((line) => /^link "020/.test(line))
    expect(call).toBeGreaterThan(-1)
    expect(call).toBeLessThan(tree.findIndex((line) => line.startsWith('combobox')))
    const hints = await page.locator('[aria-describedby]').evaluateAll((fields) =>
      fields.map((field) =>
        field
          .getAttribute('aria-describedby')!
          .split(' ')
          .map((id) => field.ownerDocument.getElementById(id)?.textContent ?? `no ${id}`)
          .join(' '),
      ),
    )
    expect(hints.length).toBeGreaterThan(3)
    expect(hints.filter((hint) => hint.startsWith('no ') || !hint.trim())).toEqual([])
  })

  it('follows an incident from its state to its story', async () => {
    const [{ id }] = (await query<{ id: number }>(
      `select max(id) as id from incidents where status = 'resolved' and merged_into_id is null`,
    )) as [{ id: number }]
    const { title, updates } = await app.json('guest', `/api/incidents/${id}`)
    await page.goto(`${app.origin()}/incidents/${id}`)
    expect(await outlineOf(page)).toEqual(
      withAll([
        `heading "${title}" [level=1]`,
        'heading "Description" [level=2]',
        'heading "Updates" [level=2]',
        'heading "Is it fixed?" [level=2]',
      ]),
    )
    const steps = await treeOf(page.getByRole('list', { name: 'Progress' }))
    expect(steps.slice(1)).toEqual([
      'listitem: Reported (done)',
      'listitem: Seen by the office (done)',
      'listitem: Being worked on (done)',
      'listitem: Marked as fixed',
      'listitem: Confirmed fixed',
    ])
    expect(await page.locator('[aria-current=step]').innerText()).toBe('Marked as fixed')
    const story = page.getByRole('region', { name: 'Updates' })
    expect(await story.getByRole('listitem').count()).toBe(updates.length + 1)
    expect((await treeOf(story)).filter((line) => line.startsWith('time:'))).toHaveLength(updates.length + 1)
    const question = await treeOf(page.getByRole('region', { name: 'Is it fixed?' }))
    expect(question).toEqual(withAll(['button "Yes, it’s fixed"', 'button "No, it isn’t fixed"']))
    for (const image of await page.getByRole('img').all())
      expect(await image.getAttribute('alt')).toMatch(/^Photo \d of \d of INC-\d+/)
  })
})
