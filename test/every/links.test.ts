import { beforeAll, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { Crawl } from '../support/crawl/crawl.js'
import { useHouse } from '../support/house/house.js'
import { forgetCounts } from '../support/house/limits.js'
import { examplesOf, pageRoutes, type Reader, readers } from '../support/pages.js'
import { perRun } from '../support/run/extent.js'

const house = useHouse()
const { maya, office } = house

let starts: Map<Reader, string[]>
beforeAll(async () => {
  starts = await startsOfReaders()
})

/** Those whose pages between them have everything; the whole run asks everybody. */
const crawlers = perRun<readonly Reader[]>({ quick: ['resident', 'manager'], whole: readers })

/** The crawl of everybody, in one building: nobody presses anything before all have looked. */
const crawls = new Map<Reader, Crawl>()

it.each(crawlers)('every link on a page for %s leads somewhere', { timeout: 60_000 }, async (who) => {
  const crawl = new Crawl(house, who)
  crawls.set(who, crawl)
  await crawl.open(starts.get(who)!)
  expect([...crawl.faults]).toEqual([])
  expect(crawl.pages.size).toBeGreaterThan(least[who].pages * share)
})

it.each(crawlers)('every button on a page for %s does something', { timeout: 60_000 }, async (who) => {
  await forgetCounts()
  const crawl = crawls.get(who)!
  crawl.faults.clear()
  await crawl.pressAll()
  expect([...crawl.faults]).toEqual([])
  expect(crawl.presses.size).toBeGreaterThan(least[who].presses * share)
})

/** The addresses from which each reader looks around. */
async function startsOfReaders(): Promise<Map<Reader, string[]>> {
  const examples = await examplesOf(house)
  // Their files were never stored, which is of no interest here but in a report made from one.
  await query('delete from held_email_photos')
  const more = await moreStates()
  const addressesFor = (who: Reader) => [
    ...pageRoutes().flatMap(({ path, readers }) => (readers.includes(who) ? (examples[path] ?? []) : [])),
    ...more.filter(({ readers }) => readers.includes(who)).map(({ address }) => address),
  ]
  return new Map(readers.map((who) => [who, addressesFor(who)]))
}

/**
 * States that no page of the demo building is in: merged a minute ago, reopened,
 * just done and still to undo.
 */
async function moreStates(): Promise<{ address: string; readers: readonly Reader[] }[]> {
  const staff: Reader[] = ['board', 'manager', 'admin']
  const [survivor, duplicate] = [await house.report({ assetId: 1 }), await house.report({ assetId: 1 })]
  await office.merges(duplicate, survivor)
  const reopened = await house.report({ assetId: 2, status: 'resolved' })
  await maya.saysNotFixed(reopened)
  const fixed = await house.report({ assetId: 2, severity: 'high' })
  await office.resolves(fixed)
  const confirmed = await house.report({ assetId: 3 })
  await office.resolves(confirmed)
  await house.json('manager', `/api/incidents/${confirmed}/confirm`, { json: {} })
  const assigned = await house.report({
    assetId: 3,
    status: 'in_progress',
    contactId: 4,
    dueOn: '2020-01-01',
  })
  const json = { amountCents: 1200, vendor: 'Plumber' }
  const { id: cost } = await house.json('manager', `/api/incidents/${assigned}/costs`, { json })
  await house.ask('manager', `/api/incidents/${assigned}/costs/${cost}`, { method: 'DELETE' })
  const deleted = await house.json('manager', '/api/admin/templates', {
    json: { name: 'Old', wordsEn: 'Old.' },
  })
  await house.ask('manager', `/api/admin/templates/${deleted.id}`, { method: 'DELETE' })
  const incidents = [survivor, duplicate, reopened, fixed, confirmed, assigned]
  const addressesForStaff = [
    `/incidents/${confirmed}?notice=tap-confirm&of=${confirmed}`,
    `/admin?notice=tap-confirm&of=${confirmed}`,
    `/admin?notice=tap-merge&of=${duplicate}`,
    `/incidents/${assigned}?notice=costVoided&of=${cost}`,
    `/admin/templates?notice=deleted&of=${deleted.id}`,
    '/admin?did=merged&n=2&left=1',
    '/admin?tab=new&select=all',
  ]
  return [
    ...incidents.map((id) => ({ address: `/incidents/${id}`, readers })),
    ...addressesForStaff.map((address) => ({ address, readers: staff })),
  ]
}

/**
 * At least so many pages and kinds of buttons, so that a crawl that stops at the door is noticed.
 */
const least: Record<Reader, { pages: number; presses: number }> = {
  guest: { pages: 100, presses: 8 },
  resident: { pages: 100, presses: 12 },
  board: { pages: 300, presses: 50 },
  manager: { pages: 300, presses: 50 },
  admin: { pages: 400, presses: 50 },
}

/** How many of them the usual run sees. */
const share = perRun({ quick: 0.3, whole: 1 })
