import { describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'

const house = useHouse()

describe('an asset', () => {
  it('adds description and incidents to the fields of the status view', async () => {
    const listed = async () => (await house.json('guest', '/api/status')).assets
    for (const [i, asset] of (await listed()).entries()) {
      const before = (await listed())[i]
      const {
        description,
        incidents,
        contact: _contact,
        ...rest
      } = await house.json('guest', `/api/assets/${asset.id}`)
      // What is down loses a hundredth of its uptime every few minutes, and may do
      // so just between the two.
      expect([before, (await listed())[i]]).toContainEqual(rest)
      expect(typeof description).toBe('string')
      expect(incidents.length).toBeLessThanOrEqual(50)
    }
  })

  it('has a page whose title starts with its state', async () => {
    const { assets } = await house.json('guest', '/api/status')
    const down = assets.find((asset: { status: string }) => asset.status === 'down')
    const page = await house.page('guest', `/assets/${down.id}`)
    expect(page('title').text()).toMatch(/^Out of service: /)
    expect(page('table tbody tr')).toHaveLength(90)
    expect(page('dl.figures').text()).not.toContain('£')
    expect((await house.page('manager', `/assets/${down.id}`))('dl.figures').text()).toContain('£')
  })
})
