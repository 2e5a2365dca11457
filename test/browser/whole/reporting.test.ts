import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { signInOn, useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'
import { cameraPhoto, picture } from '../../support/pictures.js'

describe.skipIf(withoutBrowser)('reporting in a browser', () => {
  const house = useHouse()
  const browser = useBrowser()
  let assets: { id: number; name: string; status: string }[]

  beforeAll(async () => {
    assets = (await house.json('guest', '/api/status')).assets
  })
  afterEach(() => {
    expect(browser.complaints.splice(0)).toEqual([])
  })

  const working = () => assets.find(({ status }) => status === 'operational')!
  const titled = (title: string) =>
    query<{ id: number }>('select id from incidents where title = $1', [title])
  const photosOf = (title: string) =>
    query<{ width: number; bytes: number }>(
      `select p.width, p.bytes from photos p join incidents i on i.id = p.incident_id where i.title = $1`,
      [title],
    )
  /** As large as a camera makes it; made once. */
  const camera = cameraPhoto(3000, 2250, { sigma: 40, quality: 95 })
  const large = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await camera })

  async function openForm(page: Page, title: string, path = `/report?assetId=${working().id}`) {
    await page.goto(house.origin() + path)
    await page.getByLabel('What’s wrong?').fill(title)
    await page.getByLabel('Works, but not properly').check()
  }
  const sendButton = (page: Page) => page.getByRole('button', { name: 'Send report' })

  const topOfList = 'document.getElementById("assetId").getBoundingClientRect().top'

  it('what is known changes with the choice, is said once, and moves nothing', async () => {
    const page = await browser.open()
    await signInOn(page, house.origin(), 'resident')
    await openForm(page, 'Kept', '/report')
    const [first, second] = assets
    const list = page.getByLabel('What’s broken?')
    for (const asset of [first!, second!]) {
      await list.focus()
      const top = await page.evaluate<number>(topOfList)
      await list.selectOption(`asset-${asset.id}`)
      await page.locator('#chosen').getByRole('heading', { name: asset.name }).waitFor()
      await page
        .locator('#announcements', { hasText: new RegExp(`^${asset.name}: `) })
        .waitFor({ state: 'attached' })
      expect(await page.evaluate(topOfList)).toBe(top)
      expect(await page.evaluate('document.activeElement.id')).toBe('assetId')
    }
    await list.selectOption('')
    await page.locator('#chosen section').waitFor({ state: 'detached' })
    expect(await page.getByLabel('What’s wrong?').inputValue()).toBe('Kept')
  })

  it('somebody joins what is known of the choice, with Enter in the title still sending the report', async () => {
    const asset = working()
    const title = 'Joined from the choice'
    const json = { assetId: asset.id, title, severity: 'low' }
    const { id } = await house.json('mobile', '/api/incidents', { json })
    const page = await browser.open()
    await signInOn(page, house.origin(), 'resident')
    const join = page.locator('#chosen').getByRole('button', { name: `I have this too: ${title}` })
    await openForm(page, 'Sent with Enter', '/report')
    await page.getByLabel('What’s broken?').selectOption(`asset-${asset.id}`)
    await join.waitFor()
    await page.getByLabel('What’s wrong?').press('Enter')
    await page.waitForURL(/notice=reported/)
    expect((await titled('Sent with Enter')).length).toBe(1)
    await page.goto(`${house.origin()}/report`)
    await page.getByLabel('What’s broken?').selectOption(`asset-${asset.id}`)
    // The report that was just sent is newer, and the others are folded.
    await page.locator('#chosen summary').click()
    await join.click()
    await page.waitForURL(`**/incidents/${id}?notice=following`)
  })

  it.each([true, false])('who sees the flat is said with a flat, scripts %s', async (javaScriptEnabled) => {
    const page = await browser.open({ javaScriptEnabled })
    await page.goto(`${house.origin()}/report?assetId=${working().id}`)
    const said = page.getByText('Anyone can see the flat number')
    expect(await said.isVisible()).toBe(false)
    await page.getByText('Change', { exact: true }).click()
    await page.getByLabel('What’s broken?').selectOption('unit-1')
    expect(await said.isVisible()).toBe(true)
  })

  it('photos are made smaller on the phone, listed, and can be taken away again', async () => {
    const page = await browser.open()
    await signInOn(page, house.origin(), 'resident')
    await openForm(page, 'Two photos')
    const input = page.getByLabel('Choose photos')
    await input.setInputFiles([await large('IMG_1.jpg'), await large('IMG_2.jpg')])
    await page.getByRole('button', { name: 'Remove photo 2: IMG_2.jpg' }).waitFor()
    await input.setInputFiles([await large('IMG_3.jpg')])
    await page.getByRole('button', { name: 'Remove photo 3: IMG_3.jpg' }).waitFor()
    await page.getByRole('button', { name: 'Remove photo 1: IMG_1.jpg' }).click()
    expect(await page.locator('.chosen-photos canvas').count()).toBe(2)
    await page.getByRole('button', { name: 'Remove photo 1: IMG_2.jpg' }).waitFor()
    await page.getByRole('button', { name: 'Remove photo 2: IMG_3.jpg' }).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('photos')
    expect(
      await page.evaluate('[...document.getElementById("photos").files].every((file) => file.size < 1.5e6)'),
    ).toBe(true)
    await sendButton(page).click()
    await page.waitForURL(/notice=reported/)
    expect((await photosOf('Two photos')).map(({ width }) => width)).toEqual([2000, 2000])
  })

  it.each([true, false])('a phone offers its camera and its gallery, scripts %s', async (scripts) => {
    const title = `From the camera ${scripts}`
    const page = await browser.open({ javaScriptEnabled: scripts, hasTouch: true, isMobile: true })
    await signInOn(page, house.origin(), 'resident')
    await openForm(page, title)
    await page.getByLabel('Take a photo').setInputFiles([await large('camera.jpg')])
    if (scripts) await page.locator('.chosen-photos canvas').waitFor()
    await page.getByLabel('Choose photos').setInputFiles([await large('gallery.jpg')])
    if (scripts) await page.locator('.chosen-photos canvas').nth(1).waitFor()
    await sendButton(page).click()
    await page.waitForURL(/notice=reported/)
    expect((await photosOf(title)).length).toBe(2)
  })

  it('a browser that cannot make photos smaller sends them as they are', async () => {
    const page = await browser.open()
    await page.addInitScript('delete window.createImageBitmap')
    await signInOn(page, house.origin(), 'resident')
    await openForm(page, 'No change')
    const photo = await large('a.jpg')
    await page.getByLabel('Choose photos').setInputFiles([photo])
    await page.locator('.chosen-photos li').waitFor()
    expect(await page.evaluate('document.getElementById("photos").files[0].size')).toBe(photo.buffer.length)
    await sendButton(page).click()
    await page.waitForURL(/notice=reported/)
    expect((await photosOf('No change')).length).toBe(1)
  })

  it('a sending that fails on the way is sent once more as any form is', async () => {
    const page = await browser.open()
    await signInOn(page, house.origin(), 'resident')
    await openForm(page, 'Second try')
    await page.getByLabel('Choose photos').setInputFiles([await large('a.jpg')])
    let tries = 0
    await page.route('**/report', async (route) => {
      tries += 1
      await (tries === 1 ? route.abort() : route.continue())
    })
    await sendButton(page).click()
    await page.waitForURL(/notice=reported/)
    expect([tries, (await titled('Second try')).length, (await photosOf('Second try')).length]).toEqual([
      2, 1, 1,
    ])
    browser.complaints.splice(0)
  })

  it.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('nothing is lost when the session ends while somebody types, %s', async (_how, javaScriptEnabled) => {
    const title = `Typed slowly ${javaScriptEnabled}`
    const page = await browser.open({ javaScriptEnabled })
    await signInOn(page, house.origin(), 'resident')
    await openForm(page, title)
    await page
      .getByLabel('Choose photos')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await picture('png') })
    await query(`update sessions set last_seen_at = now() - interval '7 days 1 hour'`)
    await sendButton(page).click()
    await page.getByText('We’ve kept your text').waitFor()
    await page.locator('#email').fill('resident@example.com')
    await page.locator('#password').fill('caretaker-demo')
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('1 photo already attached').waitFor()
    expect(await page.getByLabel('What’s wrong?').inputValue()).toBe(title)
    await sendButton(page).click()
    await page.waitForURL(/notice=reported/)
    expect((await photosOf(title)).length).toBe(1)
  })
})
