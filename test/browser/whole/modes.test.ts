import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'
import { pastYear } from '../../support/pastYear.js'
import { scalar } from '../../support/rows.js'

describe.skipIf(withoutBrowser)('a reader who sets the browser their own way', () => {
  /** A page of each kind: figures, a form, a story, a desk, a table, a long form, an account. */
  const paths = [
    '/',
    '/report?assetId=1',
    '/incidents/:story',
    '/assets/1',
    '/incidents',
    '/admin',
    '/admin/contacts',
    '/admin/maintenance/:window',
    '/account',
  ]
  const house = useHouse()
  const browser = useBrowser()
  let page: Page
  let story: number
  let windowId: number
  const at = (path: string) => path.replace(':story', String(story)).replace(':window', String(windowId))

  beforeAll(async () => {
    story = await scalar<number>(`select i.id from incidents i join incident_updates u on u.incident_id = i.id
        join photos p on p.incident_id = i.id
       where i.merged_into_id is null group by i.id order by count(distinct u.id) desc, i.id limit 1`)
    windowId = await scalar<number>('select min(id) as id from maintenance_windows')
    page = await browser.open()
    await enterAs(page, house, 'manager')
  })
  afterEach(async () => {
    await page.emulateMedia({ media: null, forcedColors: null, reducedMotion: null })
    expect(browser.complaints.splice(0)).toEqual([])
  })

  it.each(paths)(
    'loses nothing of %s enlarged fourfold, or with large or wide text, and nothing covers it',
    async (path) => {
      await page.setViewportSize({ width: 320, height: 256 })
      await page.goto(house.origin() + at(path))
      expect(await page.evaluate(lost)).toEqual([])
      expect(await page.evaluate(stuck)).toEqual([])
      for (const [css, width] of looks) {
        await page.setViewportSize({ width, height: 800 })
        await addSheet(page, css)
        expect(await page.evaluate(lost), `${width} px: ${css}`).toEqual([])
      }
    },
  )

  it('tells the states apart by shape, height and word with colours of their own choice', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto(house.origin())
    const icons = await Promise.all(
      ['operational', 'maintenance', 'degraded', 'down'].map((status) =>
        page.locator(`.overview .icon:has(use[href="#i-${status}"])`).first().screenshot(),
      ),
    )
    expect(new Set(icons.map((icon) => icon.toString('base64'))).size).toBe(4)
    const strokes = await page.locator('.bar path').evaluateAll((all) =>
      all.map((el) => {
        const style = el.ownerDocument.defaultView!.getComputedStyle(el)
        return `${el.getAttribute('class')} ${style.strokeWidth} ${style.strokeDasharray} ${style.stroke}`
      }),
    )
    const kinds = new Map(
      strokes.map((stroke) => [stroke.split(' ')[0], stroke.split(' ').slice(1).join(' ')]),
    )
    expect(new Set(kinds.values()).size).toBe(kinds.size)
    expect(kinds.size).toBe(4)
    const [ink, paper] = await coloursOf(page.locator('body'))
    expect(ink).not.toBe(paper)
    for (const stroke of kinds.values()) expect(stroke).toContain(ink)
  })

  it('sees buttons, fields and the focus with colours of their own choice', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    for (const path of ['/report', '/incidents/:story', '/admin']) {
      await page.goto(house.origin() + at(path))
      const bare = await page
        .locator('main :is(button:not(.quiet), .button, select, textarea, input[type=text])')
        .evaluateAll((all) =>
          all
            .filter((el) => {
              const style = el.ownerDocument.defaultView!.getComputedStyle(el)
              return parseFloat(style.borderTopWidth) < 1 || style.borderTopColor === style.backgroundColor
            })
            .map((el) => el.outerHTML.slice(0, 100)),
        )
      expect(bare, path).toEqual([])
      await page.keyboard.press('Tab')
      const ring = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
      expect(ring, path).toBe('solid')
    }
  })

  it('is shown nothing that moves when they ask for rest', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const path of [...paths, '/display']) {
      await page.goto(house.origin() + at(path))
      const moving = await page.locator('body *').evaluateAll((all) =>
        all
          .filter((el) => {
            const style = el.ownerDocument.defaultView!.getComputedStyle(el)
            return parseFloat(style.transitionDuration) > 0 || style.animationName !== 'none'
          })
          .map((el) => el.outerHTML.slice(0, 100)),
      )
      expect(moving, path).toEqual([])
      expect(
        await page.evaluate(
          `document.getAnimations().length + Number(getComputedStyle(document.documentElement).scrollBehavior === 'smooth')`,
        ),
        path,
      ).toBe(0)
    }
  })

  it('prints what is to know and nothing that cannot be pressed on paper', async () => {
    await page.setViewportSize({ width: 794, height: 1123 })
    await page.emulateMedia({ media: 'print' })
    for (const path of ['/', '/incidents/:story', '/assets/1', '/contacts']) {
      await page.goto(house.origin() + at(path))
      for (const gone of ['nav', '.skip', 'main form', 'main button', '.follow', '#add'])
        expect(await visible(page.locator(gone)), `${path} ${gone}`).toEqual([])
      expect(await page.locator('h1').isVisible()).toBe(true)
      expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)')
    }
    await page.goto(house.origin())
    expect(sheetsOf(await page.pdf({ format: 'A4' }))).toBeLessThanOrEqual(2)
    await page.goto(`${house.origin()}/assets/1`)
    expect(await page.locator('details table').first().isVisible()).toBe(true)
  })

  it('prints a year on two sheets, which also fits a phone', async () => {
    await pastYear()
    await page.goto(`${house.origin()}/admin/year`)
    expect(sheetsOf(await page.pdf({ preferCSSPageSize: true }))).toBe(2)
    await page.emulateMedia({ media: null })
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360)
  })
})

async function coloursOf(place: Locator): Promise<[string, string]> {
  return place.evaluate((el) => {
    const { color, backgroundColor } = el.ownerDocument.defaultView!.getComputedStyle(el)
    return [color, backgroundColor] as [string, string]
  })
}

const sheetsOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)!.length

async function visible(places: Locator): Promise<string[]> {
  const all = await places.all()
  const seen = await Promise.all(all.map(async (each) => ((await each.isVisible()) ? each.innerText() : '')))
  return seen.filter(Boolean)
}

/** Text of twice its size in a window that stays as it is (WCAG 1.4.4). */
const doubled = 'html { font-size: 212.5% !important }'

/** WCAG 1.4.12, to the letter; set as no policy forbids it. */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }`

/** Each at a width it has to fit into, and where there is room. */
const looks: [css: string, width: number][] = [
  [doubled, 640],
  [doubled, 1280],
  [spacing, 320],
  [spacing, 1280],
]

/** Adds a style sheet as a reader's own would be. */
function addSheet(page: Page, css: string) {
  return page.evaluate(
    `{ const sheet = new CSSStyleSheet(); sheet.replaceSync(${JSON.stringify(css)}); document.adoptedStyleSheets = [sheet] }`,
  )
}

/**
 * Text that is cut off or runs out of its box, and whether the page has to be
 * pushed sideways to be read.
 */
const lost = `(() => {
  const faults = []
  const root = document.documentElement
  if (root.scrollWidth > innerWidth) faults.push('sideways: ' + root.scrollWidth)
  for (const el of document.querySelectorAll('body *')) {
    const { overflowX, overflowY, display, fontSize } = getComputedStyle(el)
    // The room around a link in a line, which is there for fingers, may stand out of its box:
    // nothing is drawn there.
    const spare = parseFloat(fontSize) / 2
    const { clientWidth, clientHeight, scrollWidth, scrollHeight } = el
    // The button that Enter presses is for nobody's eyes.
    if (el.matches('.hidden') || clientWidth <= 1 || clientHeight <= 1 || /^(inline|none|contents)$/.test(display) || !el.innerText) continue
    // A quote is a taste of what stands whole on the page its row leads to.
    if (['SELECT', 'TEXTAREA'].includes(el.tagName) || el.matches('.quote')) continue
    const cutX = overflowX !== 'auto' && scrollWidth > clientWidth + 1
    const cutY = overflowY !== 'auto' && scrollHeight > clientHeight + spare
    if (cutX || cutY) faults.push(el.outerHTML.slice(0, 120) + ' ' + [clientWidth, scrollWidth, clientHeight, scrollHeight])
  }
  return faults
})()`

/** What stays where it is while the page scrolls under it, and may cover what has the focus. */
const stuck = `[...document.querySelectorAll('body *')].filter((el) => /fixed|sticky/.test(getComputedStyle(el).position))
  .map((el) => el.outerHTML.slice(0, 100))`
