import { expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useBrowser, withoutBrowser } from '../../support/browser.js'
import { useHouse } from '../../support/house/house.js'
import { examplesOf } from '../../support/pages.js'
import { layoutFaults, openStage, show } from '../audit.js'
import { everyPage } from '../states.js'

const house = useHouse()
const browser = useBrowser()

it.skipIf(withoutBrowser)(
  'no page scrolls sideways however long the words of its people are',
  { timeout: 600_000 },
  async () => {
    for (const [column, length] of Object.entries(names)) {
      const [table, field] = column.split('.')
      await query(
        `update ${table} set ${field} = left(repeat('Donaudampfschiff', 20), $1 - length(id::text)) || id`,
        [length],
      )
    }
    const seen = new Set<string>()
    const states = await everyPage(house, await examplesOf(house), ['guest', 'admin'])
    const different = states.filter(({ main }) => !seen.has(main) && seen.add(main))
    expect(different.length).toBeGreaterThan(100)
    const faults: string[] = []
    for (const width of [360, 1280]) {
      const page = await browser.open({ viewport: { width, height: 740 } })
      await openStage(page, house.origin())
      for (const { name, html } of different) {
        await show(page, html)
        faults.push(...(await layoutFaults(page)).map((fault) => `${width} px, ${name}: ${fault}`))
      }
    }
    expect(faults).toEqual([])
  },
)

/** What people name, and how long the longest of such names are that one meets. */
const names: Record<string, number> = {
  'properties.name': 60,
  'properties.address': 60,
  'towers.name': 60,
  'assets.name': 60,
  'assets.category': 60,
  'assets.code': 50,
  'assets.description': 200,
  'units.number': 50,
  'users.name': 60,
  'contacts.name': 60,
  'contacts.label': 60,
  'contacts.email': 60,
  'contacts.notes': 200,
  'maintenance_windows.title': 200,
  'maintenance_windows.notes': 200,
  'reply_templates.name': 60,
  'incidents.title': 200,
  'incidents.description': 200,
  'incident_updates.body': 200,
}
