import { describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const { maya, office, guest } = house

describe('the page of a report', () => {
  it('shows everyone what the office answered, and only staff its notes', async () => {
    const report = await maya.reports(await house.lift(), { title: 'The door sticks' })
    await office.acknowledges(report, 'The engineer comes at ten.')
    await office.notes(report, 'The key is in the safe.')
    const page = await guest.page(`/incidents/${report}`)
    expect(page('h1').text()).toContain('The door sticks')
    expect(page('main').text()).toContain('The engineer comes at ten.')
    expect(page('main').text()).not.toContain('The key is in the safe.')
    expect((await office.page(`/incidents/${report}`))('main').text()).toContain('The key is in the safe.')
  })

  it('lets the office mark what is open as seen', async () => {
    const report = await house.at('Mon 08:12').maya.reports(await house.lift())
    const answer = await office.submit(`/incidents/${report}/updates`, {
      newStatus: 'acknowledged',
      body: 'Seen',
    })
    expect(answer.status).toBe(303)
    expect(await guest.json(`/api/incidents/${report}`)).toMatchObject({ status: 'acknowledged' })
  })
})
