import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { userIdOf } from '../support/accounts.js'
import type { Person } from '../support/house/acting.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import type { GivenReport } from '../support/house/report.js'
import { scalar } from '../support/rows.js'

const house = useHouse()
const { office } = house
const made: Record<string, number> = {}

/** Of somebody who has no history of the demo's. */
const who: Who = 'admin'

beforeAll(async () => {
  const userId = await userIdOf('admin@example.com')
  await query('delete from followers where user_id = $1', [userId])
  await query(`update incidents set reporter_id = null, reporter_label = 'X' where reporter_id = $1`, [
    userId,
  ])
  const { assets } = await house.json('guest', '/api/status')
  const report = async (reporter: Person, title: string, given: GivenReport = {}) => {
    made[title] = await house.report({ reporter, assetId: assets[0].id, title, severity: 'low', ...given })
  }
  await report(who, 'By name')
  await report(who, 'Without a name', { isAnonymous: true })
  await report('mobile', 'Another’s')
  await report('mobile', 'Followed')
  await house.json(who, `/api/incidents/${made.Followed}/follow`, { method: 'POST' })
  await report(who, 'Not followed')
  await house.ask(who, `/api/incidents/${made['Not followed']}/follow`, { method: 'DELETE' })
  await report(who, 'Merged away')
  await office.merges(made['Merged away']!, made['Another’s']!)
})

describe('my reports', () => {
  it('are what I reported and what I follow, newest first, with which is which', async () => {
    const own = await house.json<{ title: string }[]>(who, '/api/my-reports')
    expect(own.map(({ title }) => title)).toEqual([
      'Not followed',
      'Followed',
      'Another’s',
      'Without a name',
      'By name',
    ])
    expect(own).toMatchObject([
      { reportedByMe: true, following: false },
      { reportedByMe: false, following: true },
      { reportedByMe: false, following: true },
      { reportedByMe: true, nameHidden: true, following: true },
      { reportedByMe: true, nameHidden: false, following: true },
    ])
  })

  it('come in pages', async () => {
    const first = await house.ask(who, '/api/my-reports?limit=2')
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link')!)![1]!
    const titles = (await house.json<{ title: string }[]>(who, next)).map(({ title }) => title)
    expect(titles).toEqual(['Another’s', 'Without a name'])
    expect((await house.ask(who, '/api/my-reports?limit=x')).status).toBe(400)
  })

  it('have a page, linked from every page of somebody signed in, kept in no cache', async () => {
    const page = await house.page(who, '/my-reports')
    expect(page('main .incidents > li').length).toBe(5)
    expect(page('main').text()).toContain('Other residents can’t see your name')
    expect(page('nav a[href="/my-reports"]').attr('aria-current')).toBe('page')
    expect((await house.ask(who, '/my-reports')).headers.get('cache-control')).toBe('private, no-store')
    expect((await house.page('guest', '/'))('nav a[href="/my-reports"]').length).toBe(0)
    expect((await house.page('resident', '/my-reports'))('main').text()).not.toContain('Without a name')
  })

  it('ask for confirmation where the office says it is done', async () => {
    await office.resolves(made['By name']!)
    const page = await house.page(who, '/my-reports')
    expect(page(`a[href="/incidents/${made['By name']}#verify"]`).text()).toContain('Is it?')
    expect((await house.page(who, `/incidents/${made['By name']}`))('#verify').length).toBe(1)
  })

  it('say how to begin when there are none', async () => {
    const id = await scalar<number>(`select id from users where email = 'board@example.com'`)
    await query('delete from followers where user_id = $1', [id])
    await query(`update incidents set reporter_id = null, reporter_label = 'X' where reporter_id = $1`, [id])
    expect((await house.page('board', '/my-reports'))('main a[href="/report"]').length).toBe(1)
  })
})
