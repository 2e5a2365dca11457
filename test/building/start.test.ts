import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()

describe('the first steps of a building', () => {
  it('are done in one that is at work, and nowhere on its desk', async () => {
    expect(await stepsLeft()).toEqual([])
    expect(await linksToStart('admin')).toBe(0)
  })

  it('are each found out from what is there, and lead to where they are done', async () => {
    for (const [i, [name, undo]] of Object.entries(undoStep).entries()) {
      await undo()
      expect(await stepsLeft(), name).toContain(name)
      expect(await stepsLeft()).toHaveLength(i + 1)
    }
    const page = await house.page('admin', '/admin/start')
    const links = page('ol a')
      .map((_, link) => page(link).attr('href'))
      .get()
    expect(links).toHaveLength(10)
    expect(page('main a.button').attr('href')).toBe('/admin/property')
    const saved = await house.page('admin', '/admin/contacts?notice=saved')
    expect(saved('.notice a').text()).toBe('Next: Name and address')
    expect((await house.page('manager', '/admin/contacts?notice=saved'))('.notice a').length).toBe(0)
    for (const link of new Set(links)) expect((await house.ask('admin', link)).status, link).toBe(200)
  })

  it('ask when emails become public, say what follows, and take the answer', async () => {
    const page = await house.page('admin', '/admin/start')
    const form = page('form[action="/admin/property"]')
    expect(form.find('input:checked').val()).toBe('at_once')
    expect(form.text()).toContain('only staff can read an emailed report')
    const answer = await house.submit('admin', '/admin/property', { emailVisibility: 'when_sorted' })
    expect(answer.status).toBe(303)
    const after = await house.page('admin', '/admin/start')
    expect(after('form[action="/admin/property"] input:checked').val()).toBe('when_sorted')
    await patchProperty({ emailVisibility: 'at_once' })
  })

  it('stand on the desk of admins until they are put away, once', async () => {
    expect([await linksToStart('admin'), await linksToStart('manager')]).toEqual([1, 0])
    const dismiss = () => house.json<Start>('admin', '/api/admin/start/dismissal', { json: {} })
    expect((await dismiss()).dismissed).toBe(true)
    expect((await dismiss()).dismissed).toBe(true)
    const entries = await query(`select from audit_entries where action = 'property.start_dismissed'`)
    expect(entries).toHaveLength(1)
    expect(await linksToStart('admin')).toBe(0)
    expect((await house.page('admin', '/admin/start'))('form[action$=dismissal]').length).toBe(0)
  })
})

type Start = { dismissed: boolean; done: boolean; steps: { name: string; done: boolean }[] }

function start(): Promise<Start> {
  return house.json('admin', '/api/admin/start')
}

/** The names of the steps that are not done. */
async function stepsLeft() {
  return (await start()).steps.filter(({ done }) => !done).map(({ name }) => name)
}

/** How many links to the first steps are on someone’s desk. */
async function linksToStart(who: Who) {
  return (await house.page(who, '/admin'))('a[href="/admin/start"]').length
}

/** What takes each step back that the demo building has done. */
const undoStep: Record<string, () => Promise<unknown>> = {
  name: () => patchProperty({ name: 'Our building' }),
  zone: () => patchProperty({ timezone: 'UTC' }),
  // Each of them by a request would take a minute.
  assets: () => query('update assets set archived_at = now()'),
  units: () => query('update units set archived_at = now()'),
  contacts: async () => {
    for (const { id } of await house.json('manager', '/api/admin/contacts?limit=500'))
      await house.json('manager', `/api/admin/contacts/${id}`, {
        method: 'PATCH',
        json: { isEmergency: false },
      })
  },
  officePhone: () => patchProperty({ officePhone: '' }),
  invitations: () => query(`update users set password_hash = null where role = 'resident'`),
}

/** The office changes the property. */
function patchProperty(json: object) {
  return house.json('manager', '/api/admin/property', { method: 'PATCH', json })
}
