import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'

/** More stops than any page has: whoever is still on the way then is in a trap. */
const mostStops = 150

describe.skipIf(withoutBrowser)('with the keyboard alone', () => {
  const house = useHouse()
  const browser = useBrowser()
  let assets: { id: number; name: string; status: string }[]

  beforeAll(async () => {
    assets = (await house.json('guest', '/api/status')).assets
  })
  afterEach(() => {
    opened.clear()
    expect(browser.complaints.splice(0)).toEqual([])
  })

  const opened = new Map<string, Page>()

  /** The page of somebody, who signs in once in a test. */
  async function openAs(who: string, path: string): Promise<Page> {
    if (!opened.has(who)) {
      opened.set(who, await browser.open({ viewport: { width: 1280, height: 800 } }))
      if (who !== 'guest') await enterAs(opened.get(who)!, house, who)
    }
    const page = opened.get(who)!
    await page.goto(house.origin() + path)
    return page
  }

  /** Goes on with Tab to what is called so; every stop on the way shows where it is. */
  async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
    for (let i = 0; i < mostStops; i++) {
      await page.keyboard.press(key)
      const at = await page.evaluate<Stop>(stop)
      if (at.tag !== 'BODY') expect(at, JSON.stringify(at)).toMatchObject({ shown: true })
      if (at.tag !== 'BODY') expect(at.ring, JSON.stringify(at)).toBeGreaterThanOrEqual(2)
      if (typeof name === 'string' ? at.name === name : name.test(at.name)) return
    }
    throw new Error(`no way to ${name}`)
  }

  it('a resident signs in, reports a fault, stops following it, and comments', async () => {
    const asset = assets.find(({ status }) => status === 'operational')!
    const page = await openAs('guest', `/sign-in?next=/r/${asset.id}`)
    await tabTo(page, 'Email address')
    await page.keyboard.type('resident@example.com')
    await tabTo(page, 'Password')
    await page.keyboard.type('caretaker-demo')
    await page.keyboard.press('Enter')
    await page.getByLabel('What’s wrong?').waitFor()

    await tabTo(page, 'What’s wrong?')
    await page.keyboard.type('Stuck between floors')
    await tabTo(page, 'Cosmetic: it still works')
    for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowDown')
    expect(await page.getByLabel('Can’t be used').isChecked()).toBe(true)
    await tabTo(page, 'Add details or hide my name (optional)')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Hide my name from other residents')
    await page.keyboard.press('Space')
    await tabTo(page, 'Send report')
    await page.keyboard.press('Enter')
    await page.waitForURL(/notice=reported/)
    const [row] = await query(
      `select is_anonymous, severity from incidents where title = 'Stuck between floors'`,
    )
    expect(row).toEqual({ isAnonymous: true, severity: 'high' })

    await tabTo(page, 'Unfollow this report')
    await page.keyboard.press('Enter')
    await page.waitForURL(/notice=unfollowed/)
    await tabTo(page, 'Comment')
    await page.keyboard.type('Nobody is inside')
    await tabTo(page, 'Post comment')
    await page.keyboard.press('Space')
    await page.waitForURL(/notice=commented/)
    expect(await page.getByText('Nobody is inside').count()).toBe(1)
  })

  it('a resident finds an incident on the status page and follows it', async () => {
    const { id } = await house.json('board', '/api/incidents', {
      json: { assetId: assets[1]!.id, title: 'Stuck between two floors', severity: 'critical' },
    })
    const page = await openAs('resident', '/')
    await tabTo(page, await page.locator(`main a[href="/incidents/${id}"]`).first().innerText())
    await page.keyboard.press('Enter')
    await page.waitForURL(/incidents/)
    await tabTo(page, 'I have this too')
    await page.keyboard.press('Enter')
    await page.waitForURL(/notice=following/)
    expect(await page.getByRole('status').innerText()).toMatch(/^You’re following this/)
  })

  it('a manager acknowledges from the desk', async () => {
    const { id } = await house.json('resident', '/api/incidents', {
      json: { assetId: assets[0]!.id, title: 'Answer me', severity: 'critical' },
    })
    const page = await openAs('manager', '/admin')
    await tabTo(page, `Acknowledge: INC-${id}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/notice=tap-acknowledge/)
    expect((await house.json('guest', `/api/incidents/${id}`)).status).toBe('acknowledged')
  })

  it('no page has a trap, and the first stop of each leads past the menu', async () => {
    for (const path of ['/', '/report', '/incidents/1', '/admin', '/admin/contacts']) {
      const page = await openAs('manager', path)
      expect(await page.locator('[tabindex]:not([tabindex="-1"], [tabindex="0"])').count()).toBe(0)
      await tabTo(page, /./)
      const first = await page.evaluate<Stop>(stop)
      await page.keyboard.press('Enter')
      expect([first.name, await page.evaluate('document.activeElement.id')]).toEqual([
        'Skip to the content',
        'main',
      ])
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.getElementById("main").contains(document.activeElement)')).toBe(
        true,
      )
      await page.evaluate('document.activeElement.blur()')
      await tabTo(page, first.name)
    }
  })

  it.each([true, false])(
    'a refused form begins with what is wrong (scripts: %s)',
    async (javaScriptEnabled) => {
      const page = await browser.open({ javaScriptEnabled })
      await enterAs(page, house, 'resident')
      for (const [path, button] of [
        ['/report', 'Send report'],
        ['/incidents/1', 'Post comment'],
        ['/account?tab=security', 'Change password'],
      ]) {
        await page.goto(house.origin() + path)
        await page.getByRole('button', { name: button!, exact: true }).press('Enter')
        // The browser moves the focus when it first draws the page, after what has it is there.
        await page.locator('#errors:focus').waitFor()
        await page.waitForLoadState()
        expect(await page.title()).toMatch(/^Error: /)
        const link = page.locator('#errors a').first()
        await page.keyboard.press('Tab')
        const field = (await link.getAttribute('href'))!
        await page.keyboard.press('Enter')
        await page.locator(`${field}:focus`).waitFor()
        expect(await page.locator(field).getAttribute('aria-describedby')).toContain(
          `${field.slice(1)}-error`,
        )
      }
    },
  )
})

type Stop = { tag: string; name: string; ring: number; shown: boolean }

/**
 * Where the focus is, what it is called there, and how wide the ring around it is in CSS pixels.
 */
const stop = `(() => {
  const el = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(el)
  const label = el.getAttribute('aria-label') || (el.labels && el.labels[0] && el.labels[0].textContent) || el.textContent
  const { top, bottom, width } = el.getBoundingClientRect()
  return {
    tag: el.tagName,
    name: label.trim().replace(/\\s+/g, ' '),
    ring: outlineStyle === 'none' ? 0 : parseFloat(outlineWidth),
    shown: width > 1 && bottom > 0 && top < innerHeight,
  }
})()`
