import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { config } from '../../../src/platform/process/config.js'
import { answerSignIn, clockOf, enterAs, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'
import { picture } from '../../support/pictures.js'
import { startProxy, type TcpProxy } from '../../support/services/proxy.js'
import {
  putReport as put,
  type KeptReport as Row,
  keptReports as rows,
} from '../../support/waitingReports.js'

/** A worker starts slowly on a busy machine. */
const patience = { timeout: 100_000 }

describe.skipIf(withoutBrowser)('a report that cannot be sent', () => {
  const house = useHouse()
  const browser = useBrowser()
  let line: TcpProxy
  beforeAll(async () => {
    line = await startProxy(house.origin())
  })
  afterEach(async () => {
    config.serviceWorker = true
    await mended()
  })
  afterAll(() => line.end())

  const origin = () => `http://127.0.0.1:${line.port}`
  const isReport = (request: Buffer) => request.toString('latin1', 0, 13) === 'POST /report '
  const isRedirect = (answer: Buffer) => answer.toString('latin1', 0, 12) === 'HTTP/1.1 303'

  /** Ways in which a report does not come, or is not known to have come. */
  const faults = {
    'is down': () => line.refuse(),
    hangs: async () => line.hang(),
    'is cut in the form': async () => line.cutRequests(isReport),
    'is cut before the answer': async () => line.cutAnswers(isRedirect),
  }
  type Fault = keyof typeof faults

  async function mended() {
    line.cutRequests(null)
    line.cutAnswers(null)
    await line.mend()
  }

  const titled = (title: string) =>
    query<{ id: number; photos: number }>(
      `select id, (select count(*)::integer from photos p where p.incident_id = i.id) as photos
       from incidents i where title = $1`,
      [title],
    )
  const arrived = (title: string) => expect.poll(() => titled(title), patience)

  /** A page whose browser keeps what it needs without a connection. */
  async function ready(who: string | null, path = '/report'): Promise<Page> {
    const page = await browser.open({ serviceWorkers: 'allow' })
    if (who) await enterAs(page, house, who)
    await page.goto(origin() + path)
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    await expect
      .poll(() => page.evaluate('caches.match("/report/waiting").then(Boolean)'), patience)
      .toBe(true)
    return page
  }
  const send = (page: Page) => page.getByRole('button', { name: 'Send report' }).click()

  async function fillIn(page: Page, title: string) {
    await page.getByLabel('What’s wrong?').fill(title)
    const asset = page.locator('#assetId option[value^="asset-"]').first()
    await page.locator('#assetId').selectOption(await asset.getAttribute('value'))
    await page.locator('#severity').check()
  }

  /** Fills in the report form and presses Send on a line that does not carry it. */
  async function wrote(
    page: Page,
    title: string,
    { photos = 0, fault = 'is down' }: { photos?: number; fault?: Fault } = {},
  ) {
    await fillIn(page, title)
    if (photos) {
      const file = { name: 'a.png', mimeType: 'image/png', buffer: await picture('png') }
      await page.getByLabel('Choose photos').setInputFiles([file])
    }
    await faults[fault]()
    await send(page)
    await page.getByText('We’ve saved your report on this phone. It hasn’t been sent yet').waitFor()
  }

  /**
   * Looks at what waits, which sends it, until it is told that it was; follows
   * the link to the incident.
   */
  async function followNewsOf(page: Page, title: string): Promise<void> {
    const news = page.getByText(/Report sent|We’ve sent a report/).getByRole('link')
    await expect
      .poll(async () => {
        await page.goto(`${origin()}/report/waiting`)
        return news.count()
      }, patience)
      .toBe(1)
    await news.click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await expect.poll(() => rows(page), patience).toEqual([])
  }

  const cases = (Object.keys(faults) as Fault[]).flatMap((fault) => [0, 1].map((n) => [fault, n] as const))
  it.each(cases)(
    'is kept when the line %s, and sent once when it is mended, with %i photos',
    async (fault, photos) => {
      const title = `A line that ${fault}, ${photos}`
      const page = await ready('resident')
      if (fault === 'hangs') await hurry(page)
      await wrote(page, title, { fault, photos })
      expect(await page.locator('#waiting li').count()).toBe(1)
      expect((await titled(title)).length).toBe(fault === 'is cut before the answer' ? 1 : 0)
      if (fault === 'hangs') await page.context().serviceWorkers()[0]!.evaluate('slow()')
      await mended()
      await followNewsOf(page, title)
      expect(await titled(title)).toEqual([{ id: expect.any(Number), photos }])
    },
  )

  const returns: Record<string, (page: Page) => Promise<unknown>> = {
    'the next page': (page) => page.goto(`${origin()}/contacts`),
    'a page that hears of the connection': (page) =>
      page.evaluate('dispatchEvent(new Event("online")), null'),
    'the worker when the browser wakes it': async (page) => {
      const client = await page.context().newCDPSession(page)
      const found = new Promise<string>((resolve) =>
        client.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) =>
          resolve(first!.registrationId),
        ),
      )
      await client.send('ServiceWorker.enable')
      const [registrationId, asked] = [await found, { origin: origin(), tag: 'reports', lastChance: false }]
      await client.send('ServiceWorker.dispatchSyncEvent', { ...asked, registrationId })
    },
    'somebody who presses Send now': (page) => page.getByRole('button', { name: 'Send now' }).click(),
    'two tabs and the next page at the same time': async (page) => {
      const other = await page.context().newPage()
      await line.refuse()
      await other.goto(`${origin()}/report/waiting`)
      await mended()
      const third = await page.context().newPage()
      const pressSend = (tab: Page) =>
        tab.evaluate('document.querySelector("button[name=send]")?.click()').catch(() => {})
      await Promise.all([
        // At once in both, whatever the worker does to them meanwhile: it may have led one of
        // them on before the press.
        pressSend(page),
        pressSend(other),
        third.goto(`${origin()}/contacts`),
      ])
    },
  }
  it.each(Object.keys(returns))('is sent once by %s', async (how) => {
    const page = await ready('resident')
    await wrote(page, `By ${how}`)
    await mended()
    await returns[how]!(page)
    await arrived(`By ${how}`).toEqual([{ id: expect.any(Number), photos: 0 }])
    await expect.poll(() => rows(page), patience).toEqual([])
    expect((await titled(`By ${how}`)).length).toBe(1)
  })

  it('waits for the one who wrote it, and never goes in the name of another', async () => {
    const page = await ready('resident')
    await page.evaluate(`document.querySelector('#isAnonymous').closest('details').open = true`)
    await page.getByLabel('Hide my name from other residents').check()
    await wrote(page, 'In my name')
    expect(await page.getByRole('heading', { name: 'In my name' }).count()).toBe(0)
    await page.context().clearCookies()
    await mended()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.waitForURL(/sign-in\?next=/)
    await enterAs(page, house, 'board')
    await page.goto(`${origin()}/report/waiting`)
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('Someone else is signed in. Only the person').waitFor()
    expect(await titled('In my name')).toEqual([])
    await page.context().clearCookies()
    await enterAs(page, house, 'resident')
    await followNewsOf(page, 'In my name')
    const [sent] = await query<{ email: string; isAnonymous: boolean }>(
      `select u.email, i.is_anonymous from incidents i join users u on u.id = i.reporter_id
       where title = 'In my name'`,
    )
    expect(sent).toEqual({ email: 'resident@example.com', isAnonymous: true })
  })

  it('outlives the end of its session and a sign-out, at which the browser is cleared', async () => {
    const page = await ready('resident')
    await wrote(page, 'Signed out')
    await page.context().clearCookies()
    await enterAs(page, house, 'board')
    await mended()
    await page.goto(`${origin()}/account`)
    await page.getByText('You have an unsent report on this phone').waitFor()
    await page.evaluate(`document.querySelector('form[action="/sign-out"]').submit()`)
    await page.waitForURL(/notice=signedOut/)
    expect((await rows(page)).length).toBe(1)
    await query(`update sessions set expires_at = now() - interval '1 minute'`)
    await page.goto(`${origin()}/contacts`)
    expect((await rows(page)).length).toBe(1)
  })

  it('by a guest is kept where the guest is asked who they are', async () => {
    const page = await ready(null)
    await wrote(page, 'By a guest')
    await mended()
    await page.goto(`${origin()}/report/waiting`)
    await page.getByText('Press “Send now” when you’re online').waitFor()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('Your report isn’t sent yet:').waitFor()
    await answerSignIn(page, 'resident')
    await page.waitForURL(/notice=reported/)
    expect((await titled('By a guest')).length).toBe(1)
    expect(await rows(page)).toEqual([])
  })

  it('that is refused is shown again with its words, and stays until it is thrown away', async () => {
    const page = await ready('resident')
    const asset = await page.locator('#assetId option[value^="asset-"]').first().getAttribute('value')
    await wrote(page, 'Of a thing archived since')
    await query('update assets set archived_at = now() where id = $1', [asset!.slice('asset-'.length)])
    await mended()
    await page.goto(`${origin()}/contacts`)
    await expect
      .poll(async () => {
        await page.goto(`${origin()}/contacts`)
        return page.getByText('We couldn’t accept a report').count()
      }, patience)
      .toBe(1)
    await page.getByText('We couldn’t accept a report').getByRole('link').click()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.locator('#errors').waitFor()
    await query('update assets set archived_at = null')
    expect(await page.getByLabel('What’s wrong?').inputValue()).toBe('Of a thing archived since')
    await page.goto(`${origin()}/contacts`)
    expect(await page.getByText('an unsent report on this phone').count()).toBe(0)
    await page.goto(`${origin()}/report/waiting`)
    await page.getByText('If you’ve sent it another way, delete it').waitFor()
    await page.getByText('Delete report', { exact: true }).click()
    await page.getByRole('button', { name: 'Yes, delete this report' }).click()
    await page.getByText('Everything has been sent').waitFor()
    expect(await titled('Of a thing archived since')).toEqual([])
  })

  it('sent from the form after all, or written anew in it, waits no more', async () => {
    const page = await ready('resident')
    await wrote(page, 'First words')
    const [{ key }] = (await rows(page)) as [Row]
    /** As a form that was gone back to has it. */
    const again = async () => {
      await mended()
      await page.goto(`${origin()}/report`)
      await page.evaluate(`document.querySelector('[name=formKey]').value = '${key}'`)
    }
    await put(page, { ...(await rows(page))[0]!, writer: 'another' })
    await again()
    await wrote(page, 'Better words')
    expect((await rows(page)).map(({ title }) => title)).toEqual(['Better words'])
    await put(page, { ...(await rows(page))[0]!, writer: 'another' })
    await again()
    await fillIn(page, 'Best words')
    await send(page)
    await page.waitForURL(/notice=reported/)
    await expect.poll(() => rows(page), patience).toEqual([])
    expect([await titled('First words'), await titled('Better words')]).toEqual([[], []])
    expect((await titled('Best words')).length).toBe(1)
  })

  it('that is one too many, or of a phone without room, is said not to be kept', async () => {
    const page = await ready('resident')
    const at = await clockOf(page)
    const row = { at, fields: [], title: 'One of five', writer: 'x', state: 'waiting', bytes: 1 }
    for (const key of ['1', '2', '3', '4', '5']) await put(page, { ...row, key })
    await fillIn(page, 'The <sixth>')
    await line.refuse()
    await send(page)
    await page.getByText('this phone can’t hold more.').waitFor()
    expect(await page.locator('#waiting').innerText()).toContain('The <sixth>')
    expect((await rows(page)).length).toBe(5)
    const [worker] = page.context().serviceWorkers()
    await worker!.evaluate('indexedDB.open = () => { throw new Error("no room") }')
    await page.reload()
    await page.getByText('we couldn’t save this on your phone').waitFor()
    await mended()
    await page.reload()
    await page.waitForURL(/notice=reported/)
    expect((await titled('The <sixth>')).length).toBe(1)
  })

  it('is left to the person when it may have come under a key that is forgotten', async () => {
    const page = await ready('resident')
    await wrote(page, 'Of yesterday')
    const [row] = await rows(page)
    const now = await clockOf(page)
    await put(page, { ...row!, at: now - 21 * 3_600_000 })
    await put(page, { ...row!, key: 'over', at: now - 8 * 86_400_000 })
    await put(page, { key: 'of a newer worker', at: now, kind: 'unknown' })
    await mended()
    await page.goto(`${origin()}/report/waiting`)
    await page.getByText('may already have been sent').waitFor()
    expect(await titled('Of yesterday')).toEqual([])
    expect((await rows(page)).map(({ key }) => key)).toEqual([row!.key, 'of a newer worker'].sort())
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.waitForURL(/notice=reported/)
  })

  it('is sent by the worker that takes the place of all, before it goes', async () => {
    const page = await ready('resident')
    await wrote(page, 'Before it goes')
    config.serviceWorker = false
    await mended()
    await page.goto(`${origin()}/`)
    await arrived('Before it goes').toEqual([{ id: expect.any(Number), photos: 0 }])
    // The other worker is there once it has thrown away what was kept.
    await expect.poll(() => page.evaluate('caches.keys()'), patience).toEqual([])
    const left = 'navigator.serviceWorker.getRegistrations().then((all) => all.length)'
    await expect
      .poll(async () => {
        // A page without a script registers none anew.
        await page.goto(`${origin()}/offline`)
        return [await rows(page), await page.evaluate(left)]
      }, patience)
      .toEqual([[], 0])
  })

  /** Lets page and worker give up on a hanging line after a hundredth of their time. */
  async function hurry(page: Page): Promise<void> {
    const script =
      'const real = setTimeout; self.setTimeout = (act, ms) => real(act, ms / 100); self.slow = () => { self.setTimeout = real }'
    await page.evaluate(`{ ${script} }`)
    await page.context().serviceWorkers()[0]!.evaluate(`{ ${script} }`)
  }
})
