import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
type Start = { dismissed: boolean; done: boolean; steps: { name: string; done: boolean }[] }
const start = (): Promise<Start> => house.json('admin', '/api/admin/start')
const left = async () => (await start()).steps.filter(({ done }) => !done).map(({ name }) => name)
const linked = async (who: Who) => (await house.page(who, '/admin'))('a[href="/admin/start"]').length

/** What takes each step back that rows of the demo building have done. */
const undone: Record<string, string> = {
  name: `update properties set name = 'Our building'`,
  zone: `update properties set timezone = 'UTC'`,
  assets: 'update assets set archived_at = now()',
  units: 'update units set archived_at = now()',
  contacts: 'update contacts set is_emergency = false',
  invitations: `update users set password_hash = null where role = 'resident'`,
}

describe('the first steps of a building', () => {
  it('are done in one that is at work, and nowhere on its desk', async () => {
    expect(await left()).toEqual([])
    expect(await linked('admin')).toBe(0)
  })

  it('are each found out from what is there, and lead to where they are done', async () => {
    for (const [i, [name, sql]] of Object.entries(undone).entries()) {
      await query(sql)
      expect(await left(), name).toContain(name)
      expect(await left()).toHaveLength(i + 1)
    }
    const page = await house.page('admin', '/admin/start')
    const links = page('ol a')
      .map((_, link) => page(link).attr('href'))
      .get()
    expect(links).toHaveLength(9)
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
    await query(`update properties set email_visibility = 'at_once'`)
  })

  it('stand on the desk of admins until they are put away, once', async () => {
    expect([await linked('admin'), await linked('manager')]).toEqual([1, 0])
    const dismiss = () => house.json<Start>('admin', '/api/admin/start/dismissal', { json: {} })
    expect((await dismiss()).dismissed).toBe(true)
    expect((await dismiss()).dismissed).toBe(true)
    const entries = await query(`select from audit_entries where action = 'property.start_dismissed'`)
    expect(entries).toHaveLength(1)
    expect(await linked('admin')).toBe(0)
    expect((await house.page('admin', '/admin/start'))('form[action$=dismissal]').length).toBe(0)
  })
})
