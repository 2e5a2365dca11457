import type { CheerioAPI } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { useHouse } from '../../support/house/house.js'

const house = useHouse()
const { maya, neighbour, office, admin, guest } = house

const readers = { maya, neighbour, guest, office }

describe('an open report', () => {
  it.each([false, true])(
    'is said to be received to its reporter alone, anonymous %s',
    async (isAnonymous) => {
      const report = await maya.reports(await house.lift(), { isAnonymous })
      const states = await statesOf(report)
      const aim = /It aims to reply by [^.]+\.$/
      expect(states.maya).toMatch(/^We’ve received your report\. The office hasn’t seen this yet\. It aims/)
      for (const who of ['maya', 'neighbour', 'guest'] as const) expect(states[who]).toMatch(aim)
      for (const who of ['neighbour', 'guest'] as const)
        expect(states[who]).toMatch(/^The office hasn’t seen this yet\. It aims/)
      expect(states.office).toMatch(/^The office aims to reply by [^.]+\.$/)
    },
  )

  it('that waits too long is not said to be answered late', async () => {
    const report = await house.at(daysAgo(30)).maya.reports(await house.lift())
    const states = await statesOf(report)
    expect(states.neighbour).toBe('The office hasn’t seen this yet. A reply is overdue.')
    expect(states.office).toBe('A reply is overdue.')
    await house.sweep()
    expect((await statesOf(report)).neighbour).toBe(states.neighbour)
    await office.acknowledges(report)
    expect((await statesOf(report)).neighbour).toBe(
      'The building office has seen this. The office replied late.',
    )
  })

  it('that the office has put back is not said to be unseen', async () => {
    const report = await maya.reports(await house.lift())
    await office.acknowledges(report)
    await office.sets(report, 'open', 'Back on the list.')
    const { neighbour: state } = await statesOf(report)
    expect(state).toBe('The office reopened this report.')
  })
})

describe('an own report', () => {
  it('says which name others see, when that is hidden', async () => {
    const report = await maya.reports(await house.lift(), { isAnonymous: true })
    const own = await maya.page(`/incidents/${report}`)
    expect(textOf(own, 'main')).toContain('You reported this ·')
    expect(textOf(own, 'main')).toContain('Other residents see “Anonymous resident”, also on your comments.')
    expect(textOf(own, 'main')).not.toContain('Reported by')
    for (const reader of [neighbour, guest]) {
      const page = await reader.page(`/incidents/${report}`)
      expect(textOf(page, 'main')).toContain('Reported by Anonymous resident')
      expect(page.html()).not.toMatch(/You reported|your report|instead of your name/)
    }
    expect(textOf(await office.page(`/incidents/${report}`), 'main')).toContain('Reported by Maya Okafor')
  })

  it('is followed again by a button that does not say “I have this too”', async () => {
    const lift = await house.lift()
    const report = await maya.reports(lift)
    await maya.unfollows(report)
    const own = await maya.page(`/incidents/${report}`)
    expect(textOf(own, `form[action="/incidents/${report}/follow"] button`)).toBe('Follow this report')
    const other = await neighbour.page(`/incidents/${report}`)
    expect(textOf(other, `form[action="/incidents/${report}/follow"] button`)).toBe('I have this too')
    expect(textOf(await maya.page(`/report?assetId=${lift}`), '.known button')).toBe('Follow this report')
    expect(textOf(await neighbour.page(`/report?assetId=${lift}`), '.known button')).toBe('I have this too')
  })

  it('is followed without “I have this too” also where it was merged into another one', async () => {
    const lift = await house.lift()
    const [duplicate, survivor] = [await maya.reports(lift), await neighbour.reports(lift)]
    await office.merges(duplicate, survivor)
    await maya.unfollows(survivor)
    const page = await maya.page(`/incidents/${survivor}`)
    expect(textOf(page, `form[action="/incidents/${survivor}/follow"] button`)).toBe('Follow this report')
    expect(stateOf(page)).not.toContain('your report')
  })

  it('that was just sent offers to stop following it last, and as no button of weight', async () => {
    const report = await maya.reports(await house.lift())
    const page = await maya.page(`/incidents/${report}?notice=reported`)
    const box = page('.sent')
    expect(box.find('button').attr('class')).toBe('quiet')
    expect(box.children().last().is('form')).toBe(true)
    expect(stateOf(page)).toBe('The office hasn’t seen this yet.')
  })
})

describe('beside a comment', () => {
  it('stands the name that others will read with it', async () => {
    const lift = await house.lift()
    const [open, hidden] = [await maya.reports(lift), await maya.reports(lift, { isAnonymous: true })]
    const byName = 'Your comment shows your name: Maya Okafor.'
    const nameless = 'Other residents see “Anonymous resident” instead of your name.'
    expect(textOf(await maya.page(`/incidents/${open}`), '#add ~ form')).toContain(byName)
    expect(textOf(await maya.page(`/incidents/${hidden}`), '#add ~ form')).toContain(nameless)
    expect(textOf(await neighbour.page(`/incidents/${hidden}`), '#add ~ form')).toContain('George Adeyemi')
    await office.merges(hidden, open)
    expect(textOf(await maya.page(`/incidents/${open}`), '#add ~ form')).toContain(nameless)
    await maya.comments(open, 'Still stuck.')
    const { updates } = await guest.json(`/api/incidents/${open}`)
    expect(updates.at(-1)).toMatchObject({ body: 'Still stuck.', authorName: 'Anonymous resident' })
  })
})

describe('a confirmed repair', () => {
  it('names who confirmed it, and says “you” to them alone', async () => {
    const report = await maya.reports(await house.lift())
    await office.resolves(report, 'Oiled.')
    await maya.confirms(report)
    const states = await statesOf(report)
    expect(states.maya).toMatch(/^You confirmed the fix, \d\d:\d\d\.$/)
    expect(states.neighbour).toMatch(/^Maya Okafor confirmed the fix, \d\d:\d\d\.$/)
    expect(states.guest).toBe(states.neighbour)
  })

  it('names no anonymous reporter, and no one of the office on their report', async () => {
    const lift = await house.lift()
    const [byResident, byOffice] = [
      await maya.reports(lift, { isAnonymous: true }),
      await maya.reports(lift, { isAnonymous: true }),
    ]
    for (const report of [byResident, byOffice]) await office.resolves(report, 'Oiled.')
    await maya.confirms(byResident)
    await office.sets(byOffice, 'verified', 'It runs.')
    const resident = await statesOf(byResident)
    expect(resident.maya).toMatch(/^You confirmed the fix/)
    for (const who of ['neighbour', 'guest'] as const) {
      expect(resident[who]).toMatch(/^A resident confirmed the fix, \d\d:\d\d\.$/)
      expect((await statesOf(byOffice))[who]).toMatch(/^The office confirmed the fix, \d\d:\d\d\.$/)
    }
  })

  it('by someone whose account is deleted names no side', async () => {
    const report = await maya.reports(await house.lift())
    await office.resolves(report, 'Oiled.')
    const { id, email } = await house.newcomer()
    await house.person(email).confirms(report)
    await admin.ask(`/api/admin/users/${id}/erase`, { json: {} })
    const { guest: state } = await statesOf(report)
    expect(state).toBe('A resident or the office has confirmed the fix.')
  })
})

describe('what was marked as fixed', () => {
  it('is said once to whoever is asked, and to a guest', async () => {
    const report = await maya.reports(await house.lift())
    await office.resolves(report, 'Oiled.')
    for (const reader of [maya, neighbour, guest]) {
      const text = textOf(await reader.page(`/incidents/${report}`), 'main')
      expect(text.match(/The office has marked this as fixed/g)).toHaveLength(1)
    }
  })

  it('is not called fixed in the question, when it was closed without a repair', async () => {
    const report = await maya.reports(await house.lift())
    await office.resolves(report, 'We looked.', { closingReason: 'no_fault_found' })
    const page = await maya.page(`/incidents/${report}`)
    expect(textOf(page, '.ask')).toContain('Closed: the office found no fault.')
    expect(textOf(page, 'main')).not.toContain('marked this as fixed')
  })

  it('is said to be reported as not fixed by you, to who said so', async () => {
    const report = await maya.reports(await house.lift(), { isAnonymous: true })
    await office.resolves(report, 'Oiled.')
    await maya.saysNotFixed(report)
    const states = await statesOf(report)
    expect(states.maya).toBe('You said it isn’t fixed. We’ve told the office.')
    for (const who of ['neighbour', 'guest'] as const)
      expect(states[who]).toBe('A resident says it isn’t fixed. We’ve told the office.')
  })
})

/** What the page of a report says of its state, to each reader. */
async function statesOf(report: number): Promise<Record<keyof typeof readers, string>> {
  const states = Object.entries(readers).map(async ([who, reader]) => {
    return [who, stateOf(await reader.page(`/incidents/${report}`))] as const
  })
  return Object.fromEntries(await Promise.all(states)) as Record<keyof typeof readers, string>
}

/** The sentences below the steps. */
const stateOf = (page: CheerioAPI) => clean(page('.steps').next('p').text())

const textOf = (page: CheerioAPI, selector: string) => clean(page(selector).text())

const clean = (text: string) => text.replace(/\s+/g, ' ').trim()

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
