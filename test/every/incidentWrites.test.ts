import { describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'
import { impactFaults } from '../support/impacts.js'
import { behindProxy } from '../support/routes/assertions/foreignHost.js'
import { incidentExamples } from '../support/routes/examples/incidents.js'
import { setupsOf } from '../support/routes/examples/setups.js'
import { walkWrites } from '../support/routes/writeWalk.js'

behindProxy()
const house = useHouse()
const setups = setupsOf(house)

describe('writes to incidents', () => {
  walkWrites(house, incidentExamples(setups))

  it('leave each asset as its incidents say, one after the other', async () => {
    const fixed = [{ newStatus: 'in_progress' }, { newStatus: 'resolved' }] as const
    for (const [severity, ...steps] of [
      ['critical', ...fixed, { fixed: false }, { severity: 'low' }, { isDowntime: false }],
      ['critical', { unitId: 1 }, { assetId: 3 }, { isDowntime: true }, { newStatus: 'verified' }],
      ['low', { severity: 'high' }, ...fixed, { severity: 'low', retroactive: true }],
      ['medium', { isDowntime: true }, ...fixed, { newStatus: 'open' }, { assetId: 5 }],
    ] as const) {
      const path = `/api/incidents/${await setups.incident(severity)}`
      for (const json of steps) {
        if ('fixed' in json) await house.json('resident', `${path}/verify`, { json })
        else if ('newStatus' in json)
          await house.json('manager', `${path}/updates`, { json: { ...json, body: 'Done' } })
        else await house.json('manager', path, { method: 'PATCH', json })
        expect(await impactFaults(), JSON.stringify(json)).toEqual([])
      }
    }
    const [down, other] = [await setups.incident('critical'), await setups.incident('low')]
    await house.json('manager', `/api/incidents/${down}/merge`, { json: { targetId: other } })
    expect(await impactFaults()).toEqual([])
  })
})
