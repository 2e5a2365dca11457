import { parse } from 'csv/sync'
import { describe, expect, it } from 'vitest'
import { userIdOf } from '../support/accounts.js'
import { useHouse } from '../support/house/house.js'

const house = useHouse()

describe('the audit log', () => {
  it('says who did what to what, how, and what changed', async () => {
    const { id } = await house.json('manager', '/api/admin/contacts', {
      json: { name: 'Roofer', phone: '1' },
    })
    await house.json('board', `/api/admin/contacts/${id}`, { method: 'PATCH', json: { phone: '2' } })
    const [updated, created] = await audit(`entity=contact&entityId=${id}`)
    expect(updated).toEqual({
      id: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      actorType: 'user',
      actorId: expect.any(Number),
      actorName: 'Eleanor Whitcombe',
      action: 'contact.updated',
      entity: 'contact',
      entityId: id,
      changes: { phone: { before: '1', after: '2' } },
      via: 'web',
      requestId: expect.any(String),
    })
    expect(created).toMatchObject({
      action: 'contact.created',
      changes: { name: { before: null, after: 'Roofer' } },
    })
    expect(await house.json('admin', `/api/audit/${updated!.id}`)).toEqual(updated)
    const page = await house.page('admin', `/admin/audit?entity=contact&entityId=${id}`)
    expect(page('.entry').first().text()).toMatch(
      /Contact changed[\s\S]*Eleanor Whitcombe[\s\S]*Phone:\s*1\s*→\s*2/,
    )
    const entry = await house.page('admin', `/admin/audit/${updated!.id}`)
    expect(entry('tbody tr').text()).toMatch(/Phone\s*1\s*2/)
    expect(entry(`a[href="/admin/contacts/${id}"]`).length).toBe(1)
  })

  it('cuts a long value between two characters', async () => {
    const notes = `${'x'.repeat(198)}😀 and more`
    const { id } = await house.json('manager', '/api/admin/contacts', {
      json: { name: 'Glazier', phone: '1', notes },
    })
    const page = await house.page('admin', `/admin/audit?entity=contact&entityId=${id}`)
    expect(page('.entry').text()).toContain(`${'x'.repeat(198)}😀…`)
  })

  it('filters by person, kind of actor, act, thing and time, and by all at once', async () => {
    const { id } = await house.json('inbound', '/api/inbound-email', {
      json: { from: 'mailer-daemon@x.example', subject: 'x', text: 'y' },
    })
    expect(id).toBeUndefined()
    for (const entry of await audit('actorType=system')) expect(entry).toMatchObject({ actorType: 'system' })
    expect((await audit('action=mail.ignored')).map(({ action }) => action)).toEqual(['mail.ignored'])
    const actorId = await userIdOf('manager@example.com')
    const theirs = await audit(`actorId=${actorId}&entity=incident`)
    expect(theirs.length).toBeGreaterThan(0)
    for (const entry of theirs) expect(entry).toMatchObject({ actorId, entity: 'incident' })
    const today = new Date().toISOString().slice(0, 10)
    expect((await audit(`from=${today}&to=${today}`)).length).toBeGreaterThan(0)
    expect(await audit('from=2999-01-01')).toEqual([])
    expect(await audit('to=1999-12-31')).toEqual([])
    const instant = (await audit('limit=1'))[0]!.at
    expect((await audit(`from=${encodeURIComponent(instant)}`)).length).toBeGreaterThan(0)
  })

  it('refuses filters it does not know', async () => {
    for (const asked of [
      'action=x%27',
      'from=2026-02-30',
      'to=2026-02-30',
      'to=2026-02-30T00:00:00Z',
      'actorId=me',
      'actorType=robot',
      'before=x',
    ])
      expect((await house.ask('admin', `/api/audit?${asked}`)).status, asked).toBe(400)
  })

  it('of what is no number is not there', async () => {
    expect((await house.ask('admin', '/admin/audit/x')).status).toBe(404)
  })

  it('can be taken away as a file, with the same filters and every entry', async () => {
    const answer = await house.ask('admin', '/api/export/audit.csv?entity=contact')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const rows = parse(await answer.text(), { bom: true, columns: true }) as Record<string, string>[]
    const entries = await audit('entity=contact&limit=500')
    expect(rows.map(({ id }) => Number(id))).toEqual(entries.map(({ id }) => id))
    expect(JSON.parse(rows[0]!.changes!)).toEqual(entries[0]!.changes)
    expect((await house.ask('admin', '/api/export/audit.csv?from=never')).status).toBe(400)
  })
})

type Entry = {
  id: number
  at: string
  action: string
  entity: string
  entityId: number
  actorName: string
  changes: object
}

const audit = (asked = '') => house.json<Entry[]>('admin', `/api/audit?${asked}`)
