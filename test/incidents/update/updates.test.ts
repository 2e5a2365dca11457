import { describe, expect, it } from 'vitest'
import { updateUser } from '../../../src/accounts/people/manageUsers.js'
import { setFlag } from '../../../src/app/setFlag.js'
import { addNote } from '../../../src/incidents/acts/addNote.js'
import { patchIncident } from '../../../src/incidents/acts/patchIncident.js'
import { type Actor, Forbidden } from '../../../src/vocabulary/people/actor.js'
import { staff } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import type { GivenReport } from '../../support/house/report.js'
import { multipart, picture } from '../../support/pictures.js'

const house = useHouse()
const { office } = house

const aCase = (given: GivenReport = {}) => house.report({ assetId: 1, title: 'Case', ...given })

const update = (who: Parameters<typeof house.ask>[0], id: number, json: unknown) =>
  house.ask(who, `/api/incidents/${id}/updates`, { json })

describe('a comment', () => {
  it.each(['resident', 'mobile', 'manager'] as const)(
    'by %s is on the timeline, with no new status',
    async (who) => {
      const id = await aCase()
      const answer = await update(who, id, { body: 'I saw it too' })
      expect(answer.status).toBe(201)
      const made = await answer.json()
      expect(made).toEqual({
        id: made.id,
        authorName: expect.any(String),
        body: 'I saw it too',
        newStatus: null,
        createdAt: expect.any(String),
        ...(staff.includes(who) ? { authorRole: who, onStatusPage: true } : {}),
      })
      const incident = await house.json('guest', `/api/incidents/${id}`)
      const { onStatusPage: _, ...shown } = made
      expect(incident.updates).toEqual([shown])
      expect(incident.status).toBe('open')
    },
  )

  it('needs words', async () => {
    const id = await aCase()
    for (const body of [undefined, '', '  ', 5, 'a\0b', 'x'.repeat(10_001)]) {
      expect((await update('resident', id, { body })).status).toBe(422)
    }
    expect((await update('manager', id, { body: 'x', newStatus: 'closed' })).status).toBe(422)
  })

  it('may bring photos', async () => {
    const id = await aCase()
    const answer = await house.ask('resident', `/api/incidents/${id}/updates`, {
      body: multipart({ body: 'Look' }, [{ bytes: await picture() }]),
    })
    expect(answer.status).toBe(201)
    expect((await house.json('guest', `/api/incidents/${id}`)).photos).toHaveLength(1)
  })

  it('is made once for one key', async () => {
    const id = await aCase()
    const send = () =>
      house.json('resident', `/api/incidents/${id}/updates`, {
        json: { body: 'Once' },
        headers: { 'idempotency-key': `u-${id}` },
      })
    expect(await send()).toEqual(await send())
    expect((await house.json('guest', `/api/incidents/${id}`)).updates).toHaveLength(1)
  })

  it('is not before the one it answers, also after the clock went back', async () => {
    const id = await aCase()
    const at = new Date(Date.now() + 3_600_000)
    await office.answers(id, 'Which floor?', { at })
    const second = await (await update('resident', id, { body: 'The fourth' })).json()
    expect(second.createdAt).toBe(at.toISOString())
  })
})

describe('a status update', () => {
  it.each(['resident', 'mobile'] as const)(
    'by %s is refused, and its comment is not stored either',
    async (who) => {
      const id = await aCase()
      expect((await update(who, id, { body: 'Fixed!', newStatus: 'resolved' })).status).toBe(403)
      expect((await house.json('guest', `/api/incidents/${id}`)).updates).toEqual([])
      expect((await update(who, 999_999, { newStatus: 'resolved' })).status).toBe(403)
    },
  )

  it.each(['resident', 'mobile'] as const)('by %s is refused in every spelling', async (who) => {
    const id = await aCase()
    const spellings = [
      'newStatus[]=resolved',
      'newStatus[0]=resolved',
      'newStatus=resolved&newStatus=resolved',
    ]
    for (const spelling of [...spellings, 'newStatus=resolved', 'newStatus=nothing-known']) {
      const answer = await house.ask(who, `/api/incidents/${id}/updates`, {
        body: new URLSearchParams(`body=done&${spelling}`),
      })
      expect([403, 422], spelling).toContain(answer.status)
    }
    expect(await house.json('guest', `/api/incidents/${id}`)).toMatchObject({ status: 'open', updates: [] })
  })

  it('is refused by the act itself, whatever route leads to it', async () => {
    const id = await aCase()
    const update = { body: 'Fixed', newStatus: 'resolved' as const }
    const somebody = { type: 'user', id: 1, name: 'Somebody', via: 'web' } as const
    const actors: Actor[] = [
      { ...somebody, role: 'resident' },
      { ...somebody, role: 'resident', via: 'mobile' },
      { ...somebody, role: 'admin', via: 'mobile' },
      { ...somebody, role: 'admin', via: 'email' },
      { ...somebody, role: null },
      { type: 'system', id: null, name: 'Guest', role: null, via: 'web' },
    ]
    for (const actor of actors) {
      await expect(patchIncident(actor, id, update), actor.via).rejects.toThrow(Forbidden)
      await expect(patchIncident(actor, id, { ...update, newStatus: 'open' })).rejects.toThrow(Forbidden)
      await expect(patchIncident(actor, id, { severity: 'low' })).rejects.toThrow(Forbidden)
      if (actor.id !== null) await expect(addNote(actor, id, 'x')).rejects.toThrow(Forbidden)
      await expect(setFlag(actor, 'ai_triage', true)).rejects.toThrow(Forbidden)
      await expect(updateUser(actor, 1, { role: 'admin' })).rejects.toThrow(Forbidden)
    }
    expect(await house.json('guest', `/api/incidents/${id}`)).toMatchObject({ status: 'open', updates: [] })
  })

  it('by many at once leaves a timeline that ends where the incident stands', async () => {
    const id = await aCase()
    const moves = ['acknowledged', 'in_progress', 'resolved', 'open', 'in_progress', 'resolved']
    await Promise.all(moves.map((newStatus) => update('manager', id, { body: newStatus, newStatus })))
    const incident = await house.json('guest', `/api/incidents/${id}`)
    const last = incident.updates.findLast((entry: { newStatus: string | null }) => entry.newStatus !== null)
    expect(incident.status).toBe(last.newStatus)
    expect(incident.resolvedAt !== null).toBe(incident.status === 'resolved')
  })

  it('that began before another, but had to wait for it, stands after it', async () => {
    const id = await aCase()
    await office.acknowledges(id, 'Began later', { at: new Date(Date.now() + 1_000) })
    await update('manager', id, { body: 'Waited', newStatus: 'in_progress' })
    const { updates } = await house.json('guest', `/api/incidents/${id}`)
    expect(updates.map(({ body }: { body: string }) => body)).toEqual(['Began later', 'Waited'])
  })
})

describe('the incident page', () => {
  it('has the timeline, and a form for those who may', async () => {
    const id = await aCase({ status: 'acknowledged' })
    const guest = await house.page('guest', `/incidents/${id}`)
    expect(guest('.timeline > li')).toHaveLength(1)
    expect(guest('form[action$="/updates"]')).toHaveLength(0)
    expect(guest('.steps li').index(guest('.steps [aria-current=step]'))).toBe(1)
    const resident = await house.page('resident', `/incidents/${id}`)
    expect(resident('form[action$="/updates"]')).toHaveLength(1)
    expect(resident('select[name=newStatus]')).toHaveLength(0)
    const manager = await house.page('manager', `/incidents/${id}`)
    expect(
      manager('select[name=newStatus] option')
        .map((_, option) => manager(option).attr('value'))
        .get(),
    ).toEqual(['', 'open', 'in_progress', 'resolved', 'verified'])
  })

  it.each([
    ['manager', 'updated'],
    ['resident', 'commented'],
  ] as const)('takes an update by form, with the status left as it is, from a %s', async (who, notice) => {
    const id = await aCase()
    const answer = await house.ask(who, `/incidents/${id}/updates`, {
      form: { body: 'By form', newStatus: '' },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/incidents/${id}?notice=${notice}`,
    ])
  })

  it('keeps what was typed when the form is refused', async () => {
    const id = await aCase({ status: 'acknowledged' })
    const answer = await house.submit('manager', `/incidents/${id}/updates`, {
      body: ' ',
      newStatus: 'resolved',
    })
    expect(answer.status).toBe(422)
    const html = await answer.text()
    expect(html).toContain('<option value="resolved" selected>')
    expect(html).toContain('href="#comment-body"')
  })

  it('prints what people write as text, never as markup', async () => {
    const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
    const id = await aCase({ title: evil, description: evil })
    await update('resident', id, { body: evil })
    for (const path of [`/incidents/${id}`, '/incidents', '/']) {
      const html = await (await house.ask('guest', path, { headers: { accept: 'text/html' } })).text()
      expect(html).not.toContain('<img src=x')
      expect(html).not.toContain('<script>alert')
    }
  })
})

describe('what changes an incident', () => {
  const past = '1970-01-01T00:00:00.000Z'
  const later = '2036-05-02T10:00:00.000Z'
  it.each([
    ['open', { expectedBackAt: past }, 'expectedBackAt'],
    ['open', { assigneeId: 999_999 }, 'assigneeId'],
    ['open', { contactId: 999_999 }, 'contactId'],
    ['open', { assigneeId: 1, contactId: 1 }, 'assigneeId'],
    ['resolved', { expectedBackAt: later }, 'expectedBackAt'],
    ['resolved', { statusReason: 'Waiting for a part' }, 'statusReason'],
  ] as const)(
    'is held to the same rules in an update and in a correction: %s, %j',
    async (status, fields, field) => {
      const id = await aCase({ status })
      const updated = await update('manager', id, { body: 'So', ...fields })
      const corrected = await house.ask('manager', `/api/incidents/${id}`, { method: 'PATCH', json: fields })
      expect([updated.status, corrected.status]).toEqual([422, 422])
      const [first, second] = [await updated.json(), await corrected.json()]
      expect(Object.keys(first.errors)).toEqual([field])
      expect(second.errors).toEqual(first.errors)
      expect(await house.json('guest', `/api/incidents/${id}`)).toMatchObject({
        status,
        expectedBackAt: null,
      })
    },
  )
})
