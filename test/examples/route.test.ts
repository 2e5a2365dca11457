import { describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const { maya, neighbour, office } = house

describe('POST /api/incidents/:id/follow', () => {
  it('counts a person who follows a report as affected, once', async () => {
    const report = await maya.reports(await house.lift())
    const path = `/api/incidents/${report}`
    expect((await neighbour.ask(`${path}/follow`, { method: 'POST' })).status).toBe(200)
    expect((await neighbour.ask(`${path}/follow`, { method: 'POST' })).status).toBe(200)
    expect(await office.json(path)).toMatchObject({ affectedCount: 2 })
  })

  it('refuses a merged duplicate, and names the report that stays', async () => {
    const lift = await house.lift()
    const [duplicate, survivor] = [await maya.reports(lift), await neighbour.reports(lift)]
    await office.merges(duplicate, survivor)
    const answer = await neighbour.ask(`/api/incidents/${duplicate}/follow`, { method: 'POST' })
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({ mergedInto: survivor })
  })
})
