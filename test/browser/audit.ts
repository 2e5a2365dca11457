import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules every page is held to; A, AA of WCAG 2.0 to 2.2, and what axe calls best practice. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What a page can break although each of its parts is right. */
const wholePage = [
  'bypass',
  'document-title',
  'duplicate-id-aria',
  'heading-order',
  'html-has-lang',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'page-has-heading-one',
  'region',
  'skip-link',
]

/** What changes with the theme or the width: the colours, the sizes, and what is hidden. */
const byLook = [
  ...wholePage,
  'aria-hidden-focus',
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'target-size',
]

/** What the browser's part of an audit is asked for, as JSON. */
type Asked = { tags?: string[]; rules?: string[] }

/**
 * A page that shows others: their HTML is put in place of its own, with our style sheets and policy
 * in force and axe loaded once, which is five times as fast as opening each.
 */
export async function openStage(page: Page, origin: string): Promise<void> {
  await page.goto(origin)
  await page.evaluate(axe)
}

/** Shows a page without its scripts, which would poll for another. */
export async function show(page: Page, html: string): Promise<void> {
  const withoutScripts = html.replace(/<script\b.*?<\/script>/g, '')
  // The lobby's script takes this line out, as the browser tests of that screen see.
  await page.setContent(
    withoutScripts.replace(/<meta http-equiv="refresh" content="\d+; url=\/display[^>]*>/, ''),
  )
}

/** Everything axe finds wrong with what is shown. */
export function violations(page: Page): Promise<string[]> {
  return askAxe(page, { tags })
}

/** The same of a page that a browser has opened by itself. */
export async function violationsOpened(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return violations(page)
}

/** What axe finds wrong with another look of a page that was without violations in its first. */
export function violationsByLook(page: Page): Promise<string[]> {
  return askAxe(page, { rules: byLook })
}

/** What axe finds wrong with how the parts of the page go together. */
export function wholePageViolations(page: Page): Promise<string[]> {
  return askAxe(page, { rules: wholePage })
}

function askAxe(page: Page, asked: Asked): Promise<string[]> {
  const only = asked.tags ? { type: 'tag', values: asked.tags } : { type: 'rule', values: asked.rules }
  const options = { runOnly: only, resultTypes: ['violations'], preload: false, iframes: false }
  return page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`,
  )
}

/**
 * Smallest side of what is pressed or chosen, in CSS pixels (WCAG 2.5.8, without its
 * exceptions for spacing).
 */
const smallestTarget = 24

/**
 * What is wrong with the page's outline and with its layout at the width it has: no h1 or two,
 * something wider than the screen, a scroll region without a name, a target that is hard to hit. A
 * link in the middle of a sentence may be as high as its line.
 */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(`(${lookAtLayout})(${smallestTarget})`)
}

const lookAtLayout = `(smallest) => {
  const faults = []
  const show = (el) => el.outerHTML.slice(0, 160).replace(/\\s+/g, ' ')
  const all = (selector) => [...document.querySelectorAll(selector)]
  const root = document.documentElement
  if (all('h1').length !== 1) faults.push(all('h1').length + ' h1')
  if (all('main').length !== 1) faults.push(all('main').length + ' main')
  if (!root.lang || !root.dir) faults.push('no language')
  if (!document.title.trim()) faults.push('no title')

  const regions = all('body *').filter((el) =>
    el.scrollWidth > el.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(el).overflowX) &&
    !['TEXTAREA', 'INPUT', 'SELECT'].includes(el.tagName))
  for (const el of regions) {
    const named = el.getAttribute('aria-label') || el.getAttribute('aria-labelledby')
    if (el.tabIndex < 0 || !named || !el.getAttribute('role')) faults.push('nameless scroll region: ' + show(el))
  }
  if (root.scrollWidth > innerWidth) {
    const wide = all('body *').filter((el) => el.getBoundingClientRect().right > innerWidth + 1 &&
      !regions.some((region) => region.contains(el)))
    faults.push('scrolls sideways (' + root.scrollWidth + '): ' + wide.slice(-3).map(show).join(' | '))
  }

  const inSentence = (el) => {
    if (getComputedStyle(el).display !== 'inline') return false
    const around = el.parentElement.textContent.replace(el.textContent, '')
    return el.tagName === 'A' && /\\p{L}/u.test(around)
  }
  for (const el of all('a[href], button, input:not([type=hidden]), select, textarea, summary')) {
    const boxes = [...el.getClientRects()]
    if (boxes.length === 0 || inSentence(el)) continue
    const height = Math.max(...boxes.map((box) => box.height))
    const width = Math.max(...boxes.map((box) => box.width))
    if (Math.min(height, width) < smallest)
      faults.push('small target (' + Math.round(width) + '×' + Math.round(height) + '): ' + show(el))
  }
  return faults
}`
