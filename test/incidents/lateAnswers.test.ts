import { describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const { maya, neighbour, office } = house

describe('an answer that a phone sends late', () => {
  it('is refused when it is about an earlier repair', async () => {
    const report = await maya.reports(await house.lift())
    await office.resolves(report, 'Oiled.')
    const form = await maya.page(`/incidents/${report}`)
    const repairedAt = form('[name=repairedAt]').attr('value')
    await maya.saysNotFixed(report)
    await office.resolves(report, 'Oiled again.')
    const path = `/api/incidents/${report}/verify`
    const answer = await maya.ask(path, { method: 'POST', json: { fixed: true, repairedAt } })
    expect(answer.status).toBe(409)
    expect(await maya.json(`/api/incidents/${report}`)).toMatchObject({ status: 'resolved' })
  })

  it('is taken once under its key, and may be given again to a later repair', async () => {
    const report = await maya.reports(await house.lift())
    await office.resolves(report, 'Oiled.')
    const form = { fixed: 'false', formKey: 'answer-of-a-phone' }
    const first = await maya.submit(`/incidents/${report}/verify`, form)
    const second = await maya.submit(`/incidents/${report}/verify`, form)
    expect([first.status, second.status]).toEqual([303, 303])
    await office.resolves(report, 'Oiled again.')
    const later = await maya.submit(`/incidents/${report}/verify`, { fixed: 'false', formKey: 'another' })
    expect(later.status).toBe(303)
    const { updates } = await maya.json(`/api/incidents/${report}`)
    expect(
      updates.filter(({ newStatus }: { newStatus: string }) => newStatus === 'in_progress'),
    ).toHaveLength(2)
  })
})

describe('"I have this too" that a phone sends a second time', () => {
  it('follows no one who has stopped following since', async () => {
    const report = await maya.reports(await house.lift())
    const form = { formKey: 'follow-of-a-phone' }
    expect((await neighbour.submit(`/incidents/${report}/follow`, form)).status).toBe(303)
    await neighbour.unfollows(report)
    expect((await neighbour.submit(`/incidents/${report}/follow`, form)).status).toBe(303)
    expect(await neighbour.json(`/api/incidents/${report}`)).toMatchObject({ affectedCount: 1 })
  })
})
