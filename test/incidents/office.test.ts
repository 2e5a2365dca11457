import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import type { GivenReport } from '../support/house/report.js'
import { multipart, picture } from '../support/pictures.js'
import { count } from '../support/rows.js'

const house = useHouse()
const { office } = house

describe('an internal note', () => {
  it.each(['board', 'manager', 'admin'] as Who[])('is written and read by %s', async (who) => {
    const id = await reportDoor()
    const made = await house.ask(who, `/api/incidents/${id}/notes`, { json: { note: 'Insurer informed' } })
    expect(made.status).toBe(201)
    expect(await made.json()).toMatchObject({ body: 'Insurer informed' })
    expect(await house.json(who, `/api/incidents/${id}/notes`)).toMatchObject([{ body: 'Insurer informed' }])
    const page = await house.page(who, `/incidents/${id}`)
    expect(page('.timeline .note').text()).toContain('Insurer informed')
  })

  it.each(['guest', 'resident', 'mobile'] as Who[])('is in nothing %s can get', async (who) => {
    const id = await reportDoor()
    const before = await house.json(who, `/api/incidents/${id}`)
    await office.notes(id, 'Secret of the office')
    expect(await house.json(who, `/api/incidents/${id}`)).toEqual(before)
    for (const path of [`/incidents/${id}`, '/incidents', '/assets/4', '/api/assets/4'])
      expect(await (await house.ask(who, path)).text()).not.toContain('Secret of the office')
  })

  it('tells nobody: no email, no webhook, no timeline entry; and its words stay out of the audit log', async () => {
    const id = await reportDoor()
    const before = [await count('outbox'), await count('webhook_deliveries'), await count('incident_updates')]
    await office.notes(id, 'Only for us')
    expect([
      await count('outbox'),
      await count('webhook_deliveries'),
      await count('incident_updates'),
    ]).toEqual(before)
    const entries = await query<{ text: string }>(
      `select changes::text as text from audit_entries where action = 'incident.noted' and entity_id = $1`,
      [id],
    )
    expect(entries).toHaveLength(1)
    expect(entries[0]!.text).not.toContain('Only for us')
  })

  it('sent twice by the same form is one; an empty one comes back marked', async () => {
    const id = await reportDoor()
    const form = { body: 'Once', noteOnly: 'true', formKey: 'note-key-1' }
    for (const _ of [1, 2]) expect((await submitAsOffice(`/incidents/${id}/updates`, form)).status).toBe(303)
    expect(await house.json('manager', `/api/incidents/${id}/notes`)).toHaveLength(1)
    expect((await house.json('guest', `/api/incidents/${id}`)).updates).toEqual([])
    const page = await asPage(
      await submitAsOffice(`/incidents/${id}/updates`, { body: ' ', noteOnly: 'true' }),
    )
    expect(page('#comment-body').attr('aria-invalid')).toBe('true')
    expect(page('#comment-noteOnly').attr('checked')).toBeDefined()
  })

  it('is refused with what it would drop: a status or a promise', async () => {
    const id = await reportDoor()
    const more = { newStatus: 'in_progress', expectedBackAt: '2099-01-02T10:30' }
    const refused = await submitAsOffice(`/incidents/${id}/updates`, {
      body: 'For us',
      noteOnly: 'true',
      ...more,
    })
    expect(refused.status).toBe(422)
    expect((await asPage(refused))('#errors li')).toHaveLength(2)
    expect(await house.json('manager', `/api/incidents/${id}/notes`)).toEqual([])
  })

  const note = async (id: number, fields: Record<string, string>) =>
    submitAsOffice(`/incidents/${id}/updates`, { body: 'For us', noteOnly: 'true', ...fields })
  /** The fields of the form that show what is stored, and what it carries of them. */
  const fieldsOf = async (id: number): Promise<Record<string, string>> => {
    const page = await house.page('manager', `/incidents/${id}`)
    const value = (name: string) => String(page(`#comment-${name}`).val() ?? '')
    const names = ['expectedBackAt', 'statusReason', 'otherReason', 'assignee', 'dueOn']
    const shown = String(page('.answer input[name=shown]').val())
    return { shown, ...Object.fromEntries(names.map((name) => [name, value(name)])) }
  }

  it.each([
    ['assignee', 'contact-1'],
    ['dueOn', '2099-01-02'],
    ['statusReason', 'waiting_for_parts'],
    ['closingReason', 'not_ours'],
    ['onStatusPage', 'false'],
    ['expectedBackAt', ''],
  ])('is refused with %s, which it would drop as well', async (name, value) => {
    const id = await reportDoor({ expectedBackAt: new Date('2099-01-01T00:00:00Z') })
    const refused = await note(id, { ...(await fieldsOf(id)), [name]: value })
    expect(refused.status).toBe(422)
    const page = await asPage(refused)
    expect(page(`#errors a[href="#comment-${name}"]`)).toHaveLength(1)
    expect(page('#errors li')).toHaveLength(1)
    expect(await house.json('manager', `/api/incidents/${id}/notes`)).toEqual([])
  })

  it('is refused with a photo, also when the form that came back with it is sent again', async () => {
    const id = await reportDoor()
    const fields = { body: 'For us', noteOnly: 'true' }
    const refused = await house.ask('manager', `/incidents/${id}/updates`, {
      body: multipart(fields, [{ bytes: await picture() }]),
      headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' },
    })
    expect(refused.status).toBe(422)
    const stagedPhotos = String((await asPage(refused))('input[name=stagedPhotos]').val())
    const again = await note(id, { stagedPhotos })
    expect(again.status).toBe(422)
    expect((await asPage(again))('input[name=stagedPhotos]').val()).toBe(stagedPhotos)
    expect(await house.json('manager', `/api/incidents/${id}/notes`)).toEqual([])
    expect((await note(id, { stagedPhotos, removePhotos: stagedPhotos })).status).toBe(303)
  })

  it('is taken with what its form only shows, also when someone has changed that since', async () => {
    const id = await reportDoor({
      expectedBackAt: new Date('2099-01-01T00:00:00Z'),
      statusReason: 'The crane is late',
      dueOn: '2099-01-02',
      contactId: 1,
    })
    const fields = await fieldsOf(id)
    expect(fields).toMatchObject({ statusReason: 'other', assignee: 'contact-1', dueOn: '2099-01-02' })
    expect((await note(id, fields)).status).toBe(303)
    await house.json('manager', `/api/incidents/${id}`, { method: 'PATCH', json: { dueOn: '2099-02-03' } })
    expect((await note(id, { ...fields, body: 'Also for us' })).status).toBe(303)
    expect(await house.json('manager', `/api/incidents/${id}`)).toMatchObject({
      contactId: 1,
      dueOn: '2099-02-03',
    })
  })

  it('of no report is not found', async () => {
    const path = '/api/incidents/2000000/notes'
    expect((await house.ask('manager', path)).status).toBe(404)
    expect((await house.ask('manager', path, { json: { note: 'For us' } })).status).toBe(404)
  })
})

describe('the consequence of a correction', () => {
  it('is shown before anything is stored, and is what saving makes of it', async () => {
    const id = await reportDoor()
    const start = new Date(Date.now() - 10 * 86_400_000).toISOString()
    const json = { isDowntime: true, downtimeStartedAt: start }
    const stored = async () =>
      (await query(`select is_downtime, downtime_started_at from incidents where id = $1`, [id]))[0]
    const before = await stored()
    const [shown] = await house.json('manager', `/api/incidents/${id}/edit/preview`, { json })
    expect(await stored()).toEqual(before)
    expect(shown).toMatchObject({ assetId: 4, before: { status: 'down' }, after: { status: 'down' } })
    expect(Number(shown.after.uptime90)).toBeLessThan(Number(shown.before.uptime90))
    await house.json('manager', `/api/incidents/${id}`, { method: 'PATCH', json })
    const asset = (await house.json('guest', '/api/status')).assets.find(
      (one: { id: number }) => one.id === 4,
    )
    // It is down and may have lost one more hundredth, which the difference of two
    // fractions is not exactly.
    expect([shown.after.uptime90, (Number(shown.after.uptime90) - 0.01).toFixed(2)]).toContain(asset.uptime90)
  })

  it('names both assets when the incident moves from one to the other', async () => {
    const id = await reportDoor()
    const shown = await house.json('manager', `/api/incidents/${id}/edit/preview`, { json: { assetId: 5 } })
    expect(shown.map(({ assetId }: { assetId: number }) => assetId)).toEqual([4, 5])
  })

  it('stands on the form with what was typed still in it', async () => {
    const id = await reportDoor()
    const page = await asPage(
      await submitAsOffice(`/incidents/${id}/edit/preview`, {
        title: 'Typed anew',
        severity: 'low',
        assetId: '4',
        unitId: '',
        isDowntime: 'false',
        downtimeStartedAt: '',
      }),
    )
    expect(page('.office .stored').text()).toContain('If you save this:')
    expect(page('.office input[name=title]').attr('value')).toBe('Typed anew')
    expect((await house.json('guest', `/api/incidents/${id}`)).title).toBe('Door does not close')
  })
})

describe('likely duplicates', () => {
  it('are the alike of the same place, most alike first', async () => {
    const first = await reportDoor({ assetId: 6, title: 'Pump makes a loud noise' })
    await reportDoor({ assetId: 6, title: 'Smell of oil in the cellar' })
    await reportDoor({ assetId: 7, title: 'Pump makes a loud noise' })
    const late = await reportDoor({ assetId: 6, title: 'Loud noise from the pump' })
    const page = await house.page('manager', `/incidents/${late}`)
    const offered = page('input[name=targetId]')
      .map((_, one) => Number(page(one).attr('value')))
      .get()
    expect(offered[0]).toBe(first)
    const others = await query<{ id: number }>(
      'select id from incidents where id = any ($1) and asset_id <> 6',
      [offered],
    )
    expect(others).toEqual([])
  })

  it('are found by words and by number, and the chosen one stays', async () => {
    const target = await reportDoor({ assetId: 8, title: 'Gate Zanzibar hangs' })
    const duplicate = await reportDoor({ assetId: 9, title: 'Something else' })
    for (const find of ['zanzibar gate', `INC-${target}`, String(target)]) {
      const page = await house.page('manager', `/incidents/${duplicate}?find=${encodeURIComponent(find)}`)
      expect(page(`#target-${target}`).length, find).toBe(1)
    }
    const merged = await submitAsOffice(`/incidents/${duplicate}/merge`, {
      targetId: String(target),
      otherId: '',
    })
    expect(merged.headers.get('location')).toBe(`/incidents/${target}?notice=mergedNow`)
  })

  it('may be named by number alone; naming none is refused at the list', async () => {
    const [target, duplicate] = [await reportDoor(), await reportDoor()]
    const page = await asPage(await submitAsOffice(`/incidents/${duplicate}/merge`, { otherId: '' }))
    expect(page('#merge-targetId-error').text()).toContain('Select the report to keep')
    expect((await submitAsOffice(`/incidents/${duplicate}/merge`, { otherId: String(target) })).status).toBe(
      303,
    )
  })
})

describe('a correction with an error', () => {
  it('says at the list which one is wrong, also to a screen reader', async () => {
    const id = await reportDoor()
    for (const [name, value] of [
      ['severity', 'dreadful'],
      ['assetId', '999999'],
    ] as const) {
      const refused = await submitAsOffice(`/incidents/${id}/edit`, { [name]: value })
      expect(refused.status).toBe(422)
      const page = await asPage(refused)
      const selects = page(`form[action="/incidents/${id}/edit"] select`)
      const wrong = selects.filter('[aria-invalid=true]')
      expect(wrong.map((_, select) => page(select).attr('name')).get()).toEqual([name])
      const describedBy = wrong.attr('aria-describedby')!.split(' ').at(-1)
      expect(page(`#${describedBy} .error`).text()).toMatch(/^Error:/)
    }
  })
})

describe('a page of the account', () => {
  it('has the office’s search key for staff, and no script of the office for residents', async () => {
    const scriptsOf = async (who: Who) => {
      const page = await house.page(who, '/account?tab=notifications')
      return page('script[src]')
        .map((_, script) => page(script).attr('src'))
        .get()
        .join()
    }
    expect(await scriptsOf('manager')).toContain('app.')
    expect(await scriptsOf('resident')).not.toContain('app.')
  })
})

function reportDoor(given: GivenReport = {}): Promise<number> {
  return house.report({ assetId: 4, title: 'Door does not close', severity: 'critical', ...given })
}

function submitAsOffice(path: string, form: Record<string, string>): Promise<Response> {
  return office.submit(path, form)
}

async function asPage(answer: Response) {
  return load(await answer.text())
}
