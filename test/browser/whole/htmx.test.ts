import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'

describe.skipIf(withoutBrowser)('a resident gets through with', () => {
  const house = useHouse()
  const browser = useBrowser()
  let working: { id: number; name: string }[]

  beforeAll(async () => {
    const { assets } = await house.json('guest', '/api/status')
    working = assets.filter(({ status }: { status: string }) => status === 'operational')
  })

  async function seesTheChange(page: Page, asset: Asset, polls: boolean): Promise<void> {
    const row = page.locator(`#asset-${asset.id}`)
    await page.goto(house.origin(), { waitUntil: 'commit' })
    await row.getByText('Working', { exact: true }).waitFor()
    await house.json('mobile', '/api/incidents', {
      json: { assetId: asset.id, title: 'Gone', severity: 'critical' },
    })
    if (polls) {
      await row.getByRole('link').first().focus()
      await page.clock.fastForward(61_000)
    } else await page.goto(house.origin(), { waitUntil: 'commit' })
    await row.getByText(/^Out of service/).waitFor()
    if (polls) {
      await page
        .locator('#announcements', { hasText: `${asset.name}: Out of service` })
        .waitFor({ state: 'attached' })
      // Who reads on with the keyboard is still there.
      await row.locator('a:focus').first().waitFor()
    }
  }

  async function reports(page: Page, asset: Asset, scripts: boolean, title: string): Promise<void> {
    await page.goto(`${house.origin()}/r/${asset.id}`, { waitUntil: 'commit' })
    // Our own script does its work whatever became of the other.
    if (scripts) await page.locator('.chosen-photos').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('What’s wrong?').fill(title)
    await page.getByLabel('Cosmetic: it still works').check()
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    expect(page.url()).toMatch(/notice=reported$/)
  }

  async function comments(page: Page, words: string): Promise<void> {
    await page.getByLabel('Comment', { exact: true }).fill(words)
    await page.getByRole('button', { name: 'Post comment' }).click()
    await page.getByRole('listitem').getByText(words).waitFor()
    expect(page.url()).toMatch(/notice=commented$/)
  }

  it.each<Htmx>([
    { how: 'scripts off', off: true },
    { how: 'htmx missing', script: (route) => route.abort(), noise: /ERR_FAILED/ },
    { how: 'htmx never arriving', script: () => {} },
    {
      how: 'htmx cut in half',
      script: served(half(distribution('htmx.org'))),
      noise: /^(Uncaught )?SyntaxError|Unexpected|Invalid/,
    },
    { how: 'htmx failing as it starts', script: served('throw new Error("too old")'), noise: /too old/ },
    { how: 'htmx 2', script: served(distribution('htmx.org')), polls: true },
    { how: 'htmx 4', script: served(distribution('htmx4')), polls: true },
  ])('$how', async ({ how, script, off, polls, noise }) => {
    const asset = working.pop()!
    const page = await browser.open({ javaScriptEnabled: !off })
    if (polls) await page.clock.install()
    if (script) await page.route('**/static/htmx.*.js', script)
    await enterAs(page, house, 'resident')
    await seesTheChange(page, asset, polls === true)
    await reports(page, asset, !off, `Scratched, ${how}`)
    await comments(page, `Still so, ${how}`)
    await page.goBack({ waitUntil: 'commit' })
    await page.getByRole('heading', { level: 1, name: `Scratched, ${how}` }).waitFor()
    expect(page.url()).toMatch(/notice=reported$/)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().close()
    expect(browser.complaints.splice(0).filter((complaint) => !noise?.test(complaint))).toEqual([])
  })
})

/** The script of a package of htmx. */
function distribution(name: string): string {
  const require = createRequire(import.meta.url)
  return readFileSync(require.resolve(`${name}/dist/htmx.min.js`), 'utf8')
}

function half(script: string): string {
  return script.slice(0, script.length / 2)
}

function served(body: string) {
  return (route: Route) => route.fulfill({ contentType: 'text/javascript', body })
}

/**
 * What can become of a script on its way to an old phone. `polls`: the page brings itself up to
 * date. `noise`: what the browser has to say about it.
 */
type Htmx = {
  how: string
  script?: (route: Route) => unknown
  off?: true
  polls?: true
  noise?: RegExp
}

type Asset = { id: number; name: string }
