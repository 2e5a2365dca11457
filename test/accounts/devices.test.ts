import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const register = (who: Who, json: unknown) => house.ask(who, '/api/devices', { json })
const owners = (token: string) =>
  query(`select u.email, d.platform from devices d join users u on u.id = d.user_id where token = $1`, [
    token,
  ])
const entries = () =>
  query<{ actorName: string; changes: Record<string, unknown> }>(
    `select actor_name, changes from audit_entries where action = 'device.registered' order by id`,
  )

describe('POST /api/devices', () => {
  it('registers a phone of whoever asks, and says what it was told', async () => {
    const answer = await register('resident', { token: 'abc:123', platform: 'ios', userId: 1, extra: true })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      token: 'abc:123',
      platform: 'ios',
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(await owners('abc:123')).toEqual([{ email: 'resident@example.com', platform: 'ios' }])
  })

  it('takes the same again as the same, without another entry', async () => {
    const first = await (await register('manager', { token: 'same', platform: 'android' })).json()
    const before = (await entries()).length
    const again = await register('manager', { token: 'same', platform: 'android' })
    expect([again.status, await again.json()]).toEqual([200, first])
    expect((await entries()).length).toBe(before)
  })

  it('moves a phone to whoever registers it last, and tells them nothing of the other', async () => {
    await register('resident', { token: 'shared', platform: 'ios' })
    const answer = await register('mobile', { token: 'shared', platform: 'android' })
    expect(await answer.text()).not.toMatch(/resident|Maya|userId/)
    expect(await owners('shared')).toMatchObject([
      { platform: 'android', email: expect.stringContaining('mobile') },
    ])
  })

  it('is in the audit log without the token', async () => {
    await register('board', { token: 'secret-token', platform: 'ios' })
    const entry = (await entries()).at(-1)!
    expect(entry.actorName).toBe('Eleanor Whitcombe')
    expect(entry.changes).toMatchObject({ token: { before: null, after: '••••' } })
    expect(JSON.stringify(await entries())).not.toContain('secret-token')
  })

  it('of one token by many at once leaves one phone', async () => {
    const who: Who[] = ['resident', 'board', 'manager', 'admin', 'mobile']
    const answers = await Promise.all(who.map((each) => register(each, { token: 'race', platform: 'ios' })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await owners('race')).length).toBe(1)
  })

  it('is refused without a token or a platform we know', async () => {
    for (const [json, fields] of [
      [{}, ['token', 'platform']],
      [{ token: '   ', platform: 'ios' }, ['token']],
      [{ token: 'x'.repeat(4_097), platform: 'ios' }, ['token']],
      [{ token: 'a', platform: 'windows' }, ['platform']],
    ]) {
      const answer = await register('resident', json)
      expect([answer.status, Object.keys((await answer.json()).errors)]).toEqual([422, fields])
    }
  })
})
