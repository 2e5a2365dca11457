import { beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()
const set = (name: string, json: unknown, who: Who = 'admin') =>
  house.ask(who, `/api/admin/flags/${name}`, { method: 'PATCH', json })
const entries = () =>
  query(
    `select actor_name as who, changes from audit_entries where action = 'feature_flag.updated' order by id`,
  )

beforeEach(() => query('delete from feature_flags'))

describe('switches', () => {
  it('that the database does not have yet are off', async () => {
    expect(await house.json('admin', '/api/admin/flags')).toEqual([
      { name: 'ai_triage', enabled: false, updatedAt: null },
    ])
  })

  it('are switched on and off, each time with an entry in the log', async () => {
    const on = await set('ai_triage', { enabled: true })
    expect(await on.json()).toEqual({
      name: 'ai_triage',
      enabled: true,
      updatedAt: expect.stringMatching(/Z$/),
    })
    await set('ai_triage', { enabled: true })
    await set('ai_triage', { enabled: false })
    expect(await entries()).toEqual([
      { who: 'Priya Raman', changes: { ai_triage: { before: false, after: true } } },
      { who: 'Priya Raman', changes: { ai_triage: { before: true, after: false } } },
    ])
  })

  it('take true and false and nothing else, and only those there are', async () => {
    for (const json of [{}, { enabled: 'perhaps' }, { enabled: 1 }]) {
      const answer = await set('ai_triage', json)
      expect([answer.status, (await answer.json()).errors]).toEqual([
        422,
        { enabled: ['Enabled must be true or false'] },
      ])
    }
    for (const name of ['time_travel', 'toString', 'AI_TRIAGE'])
      expect((await set(name, {})).status, name).toBe(404)
  })

  it('are forms on a page', async () => {
    const page = await house.page('admin', '/admin/flags')
    const button = page('main button')
    expect([button.text(), button.attr('name'), button.attr('value')]).toEqual(['Turn on', 'enabled', 'true'])
    const answer = await house.submit('admin', page('main form').attr('action')!, { enabled: 'true' })
    expect(answer.headers.get('location')).toBe('/admin/flags?notice=switched')
    const switched = await house.page('admin', '/admin/flags')
    expect([switched('.cards strong').text(), switched('main button').text()]).toEqual(['On', 'Turn off'])
  })

  it('decide what they are for', async () => {
    await set('ai_triage', { enabled: false })
    expect(await house.json('resident', '/api/triage', { json: {} })).toEqual({ enabled: false })
  })
})
