import { beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../support/house/acting.js'
import { useHouse } from '../support/house/house.js'
import type { GivenReport } from '../support/house/report.js'

const house = useHouse()
const { office } = house
const made: Record<string, number> = {}

/** A person without any report yet. */
const who = 'new.neighbour@outside.test'

beforeAll(reportAndFollow)

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
    const other = 'other.neighbour@outside.test'
    await house.user({ email: other })
    expect((await house.page(other, '/my-reports'))('main a[href="/report"]').length).toBe(1)
  })
})

async function reportTitled(reporter: Person, title: string, given: GivenReport = {}): Promise<void> {
  made[title] = await house.report({ reporter, assetId: 2, title, severity: 'low', ...given })
}

/** Reports of this person, with and without a name, and of others, one of which they follow. */
async function reportAndFollow(): Promise<void> {
  await house.user({ email: who })
  await reportTitled(who, 'By name')
  await reportTitled(who, 'Without a name', { isAnonymous: true })
  await reportTitled('mobile', 'Another’s')
  await reportTitled('mobile', 'Followed')
  await house.person(who).follows(made.Followed!)
  await reportTitled(who, 'Not followed')
  await house.person(who).unfollows(made['Not followed']!)
  await reportTitled(who, 'Merged away')
  await office.merges(made['Merged away']!, made['Another’s']!)
}
