import { describe, expect, it } from 'vitest'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const { office } = house

describe('the code of an asset', () => {
  it('is saved by the office, which then finds the asset by it', async () => {
    const lift = await house.lift('Goods lift')
    await office.json(`/api/admin/assets/${lift}`, { method: 'PATCH', json: { code: 'N-L9' } })
    const form = await office.page(`/admin/assets/${lift}`)
    expect(form('[name=code]').val()).toBe('N-L9')
    expect(await office.json('/api/admin/assets?q=N-L9')).toMatchObject([{ id: lift }])
  })

  it('has at most 50 characters', async () => {
    const lift = await house.lift()
    const json = { code: 'x'.repeat(51) }
    const answer = await office.ask(`/api/admin/assets/${lift}`, { method: 'PATCH', json })
    expect(answer.status).toBe(422)
    expect((await answer.json()).errors).toHaveProperty('code')
  })
})
