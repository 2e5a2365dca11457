import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useBrowser, withoutBrowser } from '../support/browser.js'
import { asOwner } from '../support/database.js'
import { useHouse } from '../support/house/house.js'
import { type Examples, examplesOf } from '../support/pages.js'
import { inWholeRun, perRun } from '../support/run/extent.js'
import { layoutFaults, openStage, show, violations, violationsByLook, wholePageViolations } from './audit.js'
import {
  everyPage,
  problemPages,
  refusedForms,
  type State,
  secondFactorPages,
  singleSignOnPages,
  stateOf,
  webPushPages,
} from './states.js'

describe.skipIf(withoutBrowser)('every page, for everybody who sees it', { timeout: 240_000 }, () => {
  const { house, faultsOf } = useLooks()

  inWholeRun(() => {
    let examples: Examples
    beforeAll(async () => {
      examples = await examplesOf(house)
    })

    it.each<[string, () => Promise<State[]>]>([
      ['in both themes at 320 and 1280 px', () => everyPage(house, examples)],
      ['when a form is refused', () => refusedForms(house, examples)],
      ['when there is nothing to show but a problem', () => problemPages(house)],
      ['from setting up a second factor to typing its code', () => secondFactorPages(house)],
      ['where people may sign in at a provider', () => singleSignOnPages(house)],
      ['where browsers are notified', () => webPushPages(house)],
    ])('is without a fault %s', async (_where, pages) => {
      expect(await faultsOf(await pages())).toEqual([])
    })
  })

  it('is so in Spanish, where what is seen and what is heard are other words', async () => {
    await house.json('manager', '/api/account', { method: 'PATCH', json: { locale: 'es' } })
    const [{ id }] = await house.json('guest', '/api/incidents')
    const more = perRun({ quick: [], whole: ['/', '/account', '/admin/contacts'] })
    const paths = ['/report?assetId=1', '/admin', `/incidents/${id}`, ...more]
    const spanish = await Promise.all(paths.map((path) => stateOf(house, 'manager', path)))
    for (const { html } of spanish) expect(html).toContain('<html lang="es"')
    expect(await faultsOf(spanish)).toEqual([])
    await house.json('manager', '/api/account', { method: 'PATCH', json: { locale: 'en' } })
  })
})

inWholeRun(() => {
  describe.skipIf(withoutBrowser)('every page of a new building', { timeout: 240_000 }, () => {
    const { house, faultsOf } = useLooks()

    it('is without a fault where nothing is written down yet', async () => {
      await asOwner(
        'truncate assets, incidents, contacts, webhook_subscriptions, outbox cascade',
        house.url(),
      )
      await house.changeProperty({ name: 'New House' })
      const paths = [
        '/',
        '/incidents',
        '/report',
        '/contacts',
        '/display',
        '/my-reports',
        '/admin',
        '/admin/assets',
      ]
      const states = [
        ...paths,
        '/admin/contacts',
        '/admin/maintenance',
        '/admin/assets/posters',
        '/admin/webhooks',
      ]
      const empty = await Promise.all(states.map((path) => stateOf(house, 'manager', path)))
      expect(await faultsOf(empty)).toEqual([])
      expect(await faultsOf([await stateOf(house, 'guest', '/')])).toEqual([])
    })
  })
})

it('the style sheets choose no colour by the width, and no size by the theme', () => {
  const folder = new URL('../../static/css/', import.meta.url)
  const sheets = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const queries = sheets.flatMap((css) => [...css.matchAll(/@media ([^{]+)\{([\s\S]*?)\n\}/g)])
  expect(queries.length).toBeGreaterThan(8)
  for (const [, condition, rules] of queries) {
    if (/width/.test(condition!))
      expect(rules).not.toMatch(/\b(color|background|fill|stroke|opacity|filter)[\w-]*:/)
    if (/color-scheme/.test(condition!))
      expect(rules!.replace(/--[\w-]+: #[0-9a-f]+;/g, '')).toMatch(/^[\s:root{}]+$/)
  }
})

const wide = { width: 1280, height: 900 }

const narrow = { width: 320, height: 640 }

/**
 * Everything about pages in a building of its own: `faultsOf` looks at each that
 * was not looked at before.
 */
function useLooks() {
  const house = useHouse()
  const browser = useBrowser()
  let light: Page
  let dark: Page
  const seen = new Set<string>()

  beforeAll(async () => {
    light = await browser.open({ viewport: wide, colorScheme: 'light' })
    dark = await browser.open({ viewport: narrow, colorScheme: 'dark' })
    await Promise.all([light, dark].map((page) => openStage(page, house.origin())))
  })

  /**
   * Two looks at each page, at once: light and wide, dark and narrow. Between them every theme and
   * every width is looked at, and no style depends on both (the last test). A page that differs by
   * its frame alone from one looked at gets one look at how its parts go together.
   */
  async function faultsOf(states: State[]): Promise<string[]> {
    const faults: string[] = []
    for (const state of states) {
      if (seen.has(state.whole)) continue
      const found = seen.has(state.main) ? await frameOf(state) : await bothLooks(state)
      seen.add(state.main).add(state.whole)
      faults.push(...found.map((fault) => `${state.name}: ${fault}`))
    }
    return faults
  }

  async function frameOf({ html }: State): Promise<string[]> {
    await show(light, html)
    return wholePageViolations(light)
  }

  async function bothLooks({ html }: State): Promise<string[]> {
    const [one, other] = await Promise.all([
      show(light, html).then(() => violations(light)),
      show(dark, html).then(async () => [...(await violationsByLook(dark)), ...(await layoutFaults(dark))]),
    ])
    return [...one, ...other.map((fault) => `dark, 320 px: ${fault}`)]
  }

  return { house, faultsOf }
}
