import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { useHouse } from '../../support/house/house.js'

const house = useHouse()

describe('the answer whether it is fixed', () => {
  it('is refused when a complaint would confirm a repair, and keeps the words', async () => {
    const id = await house.report({ assetId: 1, status: 'resolved' })
    const body = 'The doors still scrape.'
    const json = { fixed: true, body }
    expect((await house.ask('resident', `/api/incidents/${id}/verify`, { json })).status).toBe(422)
    const answer = await house.submit('resident', `/incidents/${id}/verify`, { fixed: 'true', body })
    expect(answer.status).toBe(422)
    expect(
      load(await answer.text())('textarea[name=body]')
        .text()
        .trim(),
    ).toBe(body)
    expect((await house.json('guest', `/api/incidents/${id}`)).status).toBe('resolved')
  })

  it('can be taken back by whoever gave it, for ten minutes, and by no other resident', async () => {
    const id = await house.report({ assetId: 1, status: 'resolved' })
    await house.json('resident', `/api/incidents/${id}/verify`, { json: { fixed: true } })
    const path = `/api/incidents/${id}/undo`
    expect((await house.ask('manager', path, { json: {} })).status).toBe(409)
    const page = await house.page('resident', `/incidents/${id}`)
    expect(page(`form[action="/incidents/${id}/undo"]`)).toHaveLength(1)
    expect((await house.json('resident', path, { json: {} })).status).toBe('resolved')
    const rows = await query(
      `select action, actor_name as who from audit_entries where entity = 'incident' and entity_id = $1
       order by id desc limit 1`,
      [id],
    )
    expect(rows).toEqual([{ action: 'incident.confirmation_undone', who: 'Maya Okafor' }])
  })

  it('that comes second keeps its words, which become a comment at one press', async () => {
    const id = await house.report({ assetId: 1, status: 'resolved' })
    await house.json('board', `/api/incidents/${id}/verify`, { json: { fixed: true } })
    const body = 'The doors still scrape.'
    const answer = await house.submit('resident', `/incidents/${id}/verify`, { fixed: 'false', body })
    expect(answer.status).toBe(409)
    const page = load(await answer.text())
    expect(page('blockquote').text()).toBe(body)
    expect(page(`main a[href="/incidents/${id}"]`)).toHaveLength(1)
    const form = page('main form')
    const fields = Object.fromEntries(form.serializeArray().map(({ name, value }) => [name, value]))
    expect((await house.submit('resident', form.attr('action')!, fields)).status).toBe(303)
    const { status, updates } = await house.json('guest', `/api/incidents/${id}`)
    expect([status, updates.at(-1).body]).toEqual(['verified', body])
  })
})
