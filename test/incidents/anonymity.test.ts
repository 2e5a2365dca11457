import { describe, expect, it } from 'vitest'
import { timelineEntries } from '../../src/incidents/model/timeline/timelineEntries.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { scalar } from '../support/rows.js'

const house = useHouse()
const outsiders: Who[] = ['guest', 'resident', 'mobile']
const insiders: Who[] = ['board', 'manager', 'admin']

const assetId = 1

describe('an anonymous reporter', () => {
  it.each(outsiders)(
    'is nobody to %s, in the list, the detail, their own comments and the asset',
    async (who) => {
      const id = await anonymousReport()
      const name = await realName()
      const detail = await house.json(who, `/api/incidents/${id}`)
      expect(detail.reporterName).toBe('Anonymous resident')
      expect(detail.updates[0].authorName).toBe('Anonymous resident')
      const listed = (await house.json(who, '/api/incidents')).find(
        (incident: { id: number }) => incident.id === id,
      )
      expect(listed.reporterName).toBe('Anonymous resident')
      const asset = await house.json(who, `/api/assets/${assetId}`)
      expect(asset.incidents.find((incident: { id: number }) => incident.id === id).reporterName).toBe(
        'Anonymous resident',
      )
      const page = await house.page(who, `/incidents/${id}`)
      expect(page('main').text()).not.toContain(name)
    },
  )

  it.each(insiders)('has a name to %s', async (who) => {
    const id = await anonymousReport()
    const detail = await house.json(who, `/api/incidents/${id}`)
    const name = await realName()
    expect([detail.reporterName, detail.updates[0].authorName]).toEqual([name, name])
  })

  it('is anonymous in an entry whether or not the office has hidden its words', async () => {
    const anonymous = await anonymousReport()
    const named = await house.report({ assetId, title: 'Noise', severity: 'low' })
    await house.maya.comments(named, 'It goes on')
    for (const [id, isAnonymous, name] of [
      [anonymous, true, 'Anonymous resident'],
      [named, false, await realName()],
    ] as const) {
      const { updates } = await house.json('guest', `/api/incidents/${id}`)
      const updateId: number = updates[0].id
      const entry = async () => (await timelineEntries(id, [updateId]))[0]
      expect(await entry()).toMatchObject({ isAnonymous, hiddenBody: null })
      await house.office.hides(id, { updateId })
      expect(await entry()).toMatchObject({ isAnonymous, hiddenBody: 'It goes on' })
      const [hidden] = (await house.json('guest', `/api/incidents/${id}`)).updates
      expect(hidden).toMatchObject({ authorName: name, body: '', hidden: true })
    }
  })

  it('who comments on somebody else’s incident does so by name', async () => {
    const id = await house.report({ reporter: 'manager', assetId, title: 'Other', severity: 'low' })
    const made = await house.json('resident', `/api/incidents/${id}/updates`, { json: { body: 'Me too' } })
    expect(made.authorName).toBe(await realName())
  })

  it('says so in the answer to the report itself', async () => {
    const made = await house.json('resident', '/api/incidents', {
      json: { assetId, title: 'x', severity: 'low', isAnonymous: true },
    })
    expect(made.reporterName).toBe('Anonymous resident')
  })
})

async function anonymousReport(): Promise<number> {
  const id = await house.report({ assetId, title: 'Noise', severity: 'low', isAnonymous: true })
  await house.maya.comments(id, 'It goes on')
  return id
}

function realName(): Promise<string> {
  return scalar<string>(`select name from users where email = 'resident@example.com'`)
}
