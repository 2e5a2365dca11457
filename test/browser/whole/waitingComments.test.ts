import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'
import { keptReports } from '../../support/waitingReports.js'
import { layoutFaults, violationsOpened } from '../audit.js'

/** A worker starts slowly on a busy machine. */
const patience = { timeout: 100_000 }

describe.skipIf(withoutBrowser)('what residents do on a report without a connection', () => {
  const house = useHouse()
  const browser = useBrowser()
  const { maya, neighbour, office } = house

  /** The page of a report, open in a browser that has just lost its connection. */
  async function openAndCut(report: number, options = {}): Promise<Page> {
    const page = await browser.open({ serviceWorkers: 'allow', ...options })
    await enterAs(page, house, 'resident')
    await page.goto(`${house.origin()}/incidents/${report}`)
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    await expect
      .poll(() => page.evaluate('caches.match("/report/waiting").then(Boolean)'), patience)
      .toBe(true)
    await page.context().setOffline(true)
    return page
  }
  const mend = (page: Page) => page.context().setOffline(false)
  const sends = (page: Page, text: string) =>
    expect
      .poll(async () => {
        await page.goto(`${house.origin()}/contacts`)
        return page.getByText(text).count()
      }, patience)
      .toBe(1)
  const bodies = (report: number) =>
    query(
      `select body, author_id is not null as named from incident_updates where incident_id = $1 order by id`,
      [report],
    )

  it('a comment is kept, sent once by the next page and said to be sent', async () => {
    const report = await neighbour.reports(await house.lift())
    const page = await openAndCut(report)
    await page.locator('[name=body]').fill('Still <stuck> at floor 3')
    await page.getByRole('button', { name: 'Post comment' }).click()
    await page.getByText('You’re offline. We’ve saved your comment on this phone').waitFor()
    await page.getByRole('heading', { name: `Comment on INC-${report}` }).waitFor()
    // Whoever holds the phone without a connection doesn't read it.
    expect(await page.content()).not.toContain('stuck')
    expect(await bodies(report)).toEqual([])
    await mend(page)
    await sends(page, 'We’ve sent a comment you had saved on this phone')
    expect(await bodies(report)).toEqual([{ body: 'Still <stuck> at floor 3', named: true }])
    await expect.poll(() => keptReports(page), patience).toEqual([])
  })

  it('a comment whose session has ended is kept, asks to sign in, and goes in no other name', async () => {
    const report = await neighbour.reports(await house.lift())
    const page = await openAndCut(report)
    await page.locator('[name=body]').fill('Written by Maya')
    await page.getByRole('button', { name: 'Post comment' }).click()
    await page.getByText('We’ve saved your comment').waitFor()
    await page.context().clearCookies()
    await mend(page)
    await page.goto(`${house.origin()}/`)
    const waiting = page.getByText('You have an unsent comment on this phone')
    expect(await waiting.getAttribute('class')).toBe('trouble')
    await waiting.getByRole('link').click()
    await page.getByText('Not sent yet. Sign in and we’ll send it.').waitFor()
    expect(await page.getByRole('link', { name: 'Sign in to send it' }).getAttribute('href')).toBe(
      '/sign-in?next=/report/waiting',
    )
    await enterAs(page, house, 'board')
    await page.goto(`${house.origin()}/report/waiting`)
    await page.getByText('only the person who wrote this can send it').waitFor()
    expect(await page.content()).not.toContain('Written by Maya')
    expect(await bodies(report)).toEqual([])
    await page.context().clearCookies()
    await enterAs(page, house, 'resident')
    await sends(page, 'We’ve sent a comment')
    expect(await bodies(report)).toHaveLength(1)
  })

  it('“I have this too” is sent once, and an answer when its writer tries again', async () => {
    const joined = await neighbour.reports(await house.lift())
    const first = await openAndCut(joined)
    await first.getByRole('button', { name: 'I have this too' }).click()
    await first.getByText('We’ve saved “I have this too” on this phone').waitFor()
    await mend(first)
    await sends(first, 'We’ve sent “I have this too”')
    expect(await maya.json(`/api/incidents/${joined}`)).toMatchObject({ affectedCount: 2 })

    const repaired = await maya.reports(await house.lift())
    await office.resolves(repaired, 'Oiled.')
    const second = await openAndCut(repaired)
    await second.locator('section.ask button[value=true]').click()
    await second.getByText('We’ve saved your answer on this phone').waitFor()
    await mend(second)
    await sends(second, 'You have an unsent answer on this phone')
    expect(await maya.json(`/api/incidents/${repaired}`)).toMatchObject({ status: 'resolved' })
    await second.goto(`${house.origin()}/report/waiting`)
    await second.getByText('Check the report first, as it may have changed').waitFor()
    await second.getByRole('button', { name: 'Try again' }).click()
    await second.waitForURL(/notice=verified/)
    expect(await maya.json(`/api/incidents/${repaired}`)).toMatchObject({ status: 'verified' })
    expect(await keptReports(second)).toEqual([])
  })

  it('an answer about an earlier repair is not taken for the last one, and keeps its words', async () => {
    const repaired = await maya.reports(await house.lift())
    await office.resolves(repaired, 'Oiled.')
    const page = await openAndCut(repaired)
    await page.locator('section.ask button[value=true]').click()
    await page.getByText('We’ve saved your answer on this phone').waitFor()
    await maya.saysNotFixed(repaired)
    await office.resolves(repaired, 'Oiled again.')
    await mend(page)
    await page.goto(`${house.origin()}/report/waiting`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL(`**/incidents/${repaired}?notice=refused-*`)
    await page.getByText('Someone answered before you').waitFor()
    expect(await maya.json(`/api/incidents/${repaired}`)).toMatchObject({ status: 'resolved' })
    expect((await keptReports(page)).map(({ state }) => state)).toEqual(['shown'])
  })

  it('one comment that two tabs send at once is one comment', async () => {
    const report = await neighbour.reports(await house.lift())
    const page = await openAndCut(report)
    await page.locator('[name=body]').fill('Once')
    await page.getByRole('button', { name: 'Post comment' }).click()
    await page.getByText('We’ve saved your comment').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${house.origin()}/report/waiting`)
    const tabs = [page, other]
    await mend(page)
    const press = 'document.querySelector("button[name=send]").click()'
    // One tab may have been led on before it is pressed.
    await Promise.all(tabs.map((tab) => tab.evaluate(press).catch(() => {})))
    await expect.poll(() => bodies(report), patience).toEqual([{ body: 'Once', named: true }])
    await expect.poll(() => keptReports(page), patience).toEqual([])
    await Promise.all(tabs.map((tab) => tab.goto(`${house.origin()}/report/waiting`)))
    expect(await bodies(report)).toHaveLength(1)
  })

  it('is listed without a fault at 320 px, in Spanish and in the dark', async () => {
    const report = await neighbour.reports(await house.lift())
    const page = await openAndCut(report, {
      viewport: { width: 320, height: 640 },
      colorScheme: 'dark',
      locale: 'es',
    })
    await page.locator('[name=body]').fill('Palabra'.repeat(30))
    await page.locator('form[action$="/updates"] button').last().click()
    await page.locator('#waiting li').waitFor()
    expect([...(await violationsOpened(page)), ...(await layoutFaults(page))]).toEqual([])
  })
})
