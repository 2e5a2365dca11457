import { describe, expect, it } from 'vitest'
import { useHouse } from '../../support/house/house.js'

const house = useHouse()
let emails = 0

describe('the place of an incident', () => {
  it.each([[{ assetId: null }], [{ assetId: null, unitId: null }]])(
    'is not taken away by %j, of a report or an assigned email',
    async (given) => {
      const assigned = await reportByEmail()
      await house.json('manager', `/api/incidents/${assigned}`, { method: 'PATCH', json: { assetId: 2 } })
      for (const id of [await house.report({ assetId: 2 }), assigned]) {
        const refused = await correct(id, given)
        expect([refused.status, (await refused.json()).errors.assetId[0]]).toEqual([
          422,
          expect.stringMatching(/^Select an asset or a flat/),
        ])
        expect(await placeOf(id)).toEqual({ assetId: 2, unitId: null })
      }
    },
  )

  it('is changed by naming the other one, with the first as null or not at all', async () => {
    const id = await house.report({ assetId: 2 })
    for (const [given, expected] of [
      [{ unitId: 1 }, { assetId: null, unitId: 1 }],
      [
        { assetId: 3, unitId: null },
        { assetId: 3, unitId: null },
      ],
      [
        { unitId: 2, assetId: null },
        { assetId: null, unitId: 2 },
      ],
    ]) {
      expect((await correct(id, given!)).status).toBe(200)
      expect(await placeOf(id)).toEqual(expected)
    }
  })

  it('may still be missing where email never had one', async () => {
    const id = await reportByEmail()
    for (const given of [{ title: 'Smell in the hall' }, { assetId: null, unitId: null, severity: 'low' }])
      expect((await correct(id, given)).status).toBe(200)
    expect(await placeOf(id)).toEqual({ assetId: null, unitId: null })
  })
})

/** A report by email, which names no place; returns its id. */
async function reportByEmail(): Promise<number> {
  emails += 1
  const { incidentId } = await house.emails({ from: 'a@b.example', subject: `Smell ${emails}`, text: 'x' })
  return incidentId
}

function correct(id: number, json: object): Promise<Response> {
  return house.ask('manager', `/api/incidents/${id}`, { method: 'PATCH', json })
}

async function placeOf(id: number) {
  const { assetId, unitId } = await house.json('guest', `/api/incidents/${id}`)
  return { assetId, unitId }
}
