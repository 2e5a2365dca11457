import { expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { signInOn, useBrowser, withoutBrowser } from '../support/browser.js'
import { useHouse } from '../support/house/house.js'
import { picture } from '../support/pictures.js'
import { perRun } from '../support/run/extent.js'

const house = useHouse()
const browser = useBrowser()

it.skipIf(withoutBrowser).each(perRun({ quick: [true], whole: [true, false] }))(
  'a resident reports a fault with a photo, once, and staff fix it (scripts: %s)',
  async (javaScriptEnabled) => {
    const { assets } = await house.json('guest', '/api/status')
    const asset = assets.find(({ status }: { status: string }) => status === 'operational')
    const title = `Stuck, scripts ${javaScriptEnabled}`

    const resident = await browser.open({ javaScriptEnabled })
    await signInOn(resident, house.origin(), 'resident')
    await resident.goto(`${house.origin()}/r/${asset.id}`)
    expect(await resident.getByLabel('What’s broken?').inputValue()).toBe(`asset-${asset.id}`)
    await resident.getByLabel('What’s wrong?').fill(title)
    await resident.getByLabel('Dangerous, or people can’t get in or out').check()
    await resident
      .getByLabel('Choose photos')
      .setInputFiles({ name: 'lift.png', mimeType: 'image/png', buffer: await picture('png') })
    await resident.getByRole('button', { name: 'Send report' }).dblclick()
    await resident.waitForURL(/\/incidents\/\d+\?notice=reported/)
    expect(await resident.getByRole('heading', { level: 1 }).innerText()).toBe(title)
    expect(await resident.getByRole('img', { name: /Photo 1 of 1/ }).count()).toBe(1)
    expect(await query('select from incidents where title = $1', [title])).toHaveLength(1)
    const incident = new URL(resident.url()).pathname

    await resident.goto(house.origin())
    const row = resident.locator(`#asset-${asset.id}`)
    expect(await row.innerText()).toContain('Out of service')
    expect(await resident.title()).toMatch(/out of service/)

    const manager = await browser.open({ javaScriptEnabled, viewport: { width: 1280, height: 900 } })
    await signInOn(manager, house.origin(), 'manager')
    for (const status of ['Seen by the office', 'Marked as fixed']) {
      await manager.goto(house.origin() + incident)
      await manager.getByLabel('Update for residents').fill(`Now ${status.toLowerCase()}`)
      await manager.getByLabel('New status').selectOption({ label: status })
      await manager.getByRole('button', { name: 'Post an update' }).click()
      await manager.waitForURL(/notice=updated/)
    }

    if (javaScriptEnabled)
      await resident.evaluate(
        `htmx.ajax('GET', '/live', { source: '#live', target: '#live', swap: 'outerHTML' })`,
      )
    else await resident.goto(house.origin())
    await row.getByText('Working', { exact: true }).waitFor()
    if (javaScriptEnabled) expect(await resident.locator('#announcements').innerText()).toContain(asset.name)
    expect(browser.complaints).toEqual([])
  },
)
