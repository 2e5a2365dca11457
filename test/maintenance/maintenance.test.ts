import { load } from 'cheerio'
import { describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { idle, startOutbox, stopOutbox } from '../../src/platform/outbox/outbox.js'
import { announceStatus } from '../../src/status/announceStatus.js'
import { useHouse } from '../support/house/house.js'
import { column, scalar } from '../support/rows.js'

const house = useHouse()
const { office } = house

describe('a maintenance window', () => {
  it('needs no more than asset, title and times', async () => {
    const { assetId, title, startsAt, endsAt } = yearly
    const made = await house.json('manager', list, { json: { assetId, title, startsAt, endsAt } })
    expect(made).toMatchObject({ recurrence: 'none', notes: '' })
  })

  it('is refused at the field that is wrong', async () => {
    for (const [wrong, field, text] of [
      [{ endsAt: yearly.startsAt }, 'endsAt', 'The end must be after the start'],
      [
        { recurrence: 'weekly', endsAt: '2030-04-03T09:00:00Z' },
        'endsAt',
        'Weekly work can last up to 7 days',
      ],
      [
        { recurrence: 'monthly', endsAt: '2030-04-22T09:00:01Z' },
        'endsAt',
        'Monthly work can last up to 28 days',
      ],
      [{ recurrence: 'daily' }, 'recurrence', 'Select once (none), weekly or monthly'],
      [{ startsAt: '2030-02-30T09:00:00' }, 'startsAt', 'Enter a start date and time'],
      [{ startsAt: '2030-02-30T09:00:00Z' }, 'startsAt', 'Enter a start date and time'],
      [{ startsAt: '2030-13-25T09:00' }, 'startsAt', 'Enter a start date and time'],
      [{ startsAt: '2030-03-25T09:00:60' }, 'startsAt', 'Enter a start date and time'],
      [{ endsAt: '9030-03-25T09:00:00Z' }, 'endsAt', 'Enter a year from 1970 to 2199'],
      [{ endsAt: undefined }, 'endsAt', 'Enter an end date and time'],
      [{ assetId: 999_999 }, 'assetId', 'Select one of the assets in the building'],
      [{ title: ' ' }, 'title', 'Enter a short title'],
    ] as const)
      expect(await refusal({ ...yearly, ...wrong })).toEqual([422, { [field]: [text] }])
  })

  it('keeps the rule when only one of its times is changed', async () => {
    const { id } = await add()
    const answer = await house.ask('manager', `${list}/${id}`, {
      method: 'PATCH',
      json: { startsAt: '2030-03-25T11:00:00Z' },
    })
    expect([answer.status, (await answer.json()).errors]).toEqual([
      422,
      { endsAt: ['The end must be after the start'] },
    ])
  })

  it('cannot be planned for an archived asset; one it has already can be changed and is marked', async () => {
    const { id } = await add({ assetId: 9, title: 'Of something old' })
    await office.ask('/api/admin/assets/9/archive', { method: 'POST' })
    const refused = await refusal({ ...yearly, assetId: 9 })
    await house.json('manager', `${list}/${id}`, { method: 'PATCH', json: { notes: 'kept' } })
    const form = await house.page('manager', `/admin/maintenance/${id}`)
    const rows = await house.page('manager', '/admin/maintenance?q=old')
    await office.ask('/api/admin/assets/9/unarchive', { method: 'POST' })
    expect(refused).toEqual([422, { assetId: ['This is no longer in use. Choose something else'] }])
    expect(form('#assetId option[selected]').attr('value')).toBe('9')
    expect(rows('tbody tr').text()).toContain('(archived)')
  })

  it('in progress makes a working asset say so, and its deletion takes that back, with the announcement', async () => {
    const statusOf = async () => (await house.json('guest', '/api/assets/2')).status
    for (const id of await column<number>(
      'select id from incidents where asset_id = 2 and resolved_at is null',
    ))
      await office.resolves(id)
    expect(await statusOf()).toBe('operational')
    startOutbox([], async (ids) => void (await announceStatus(ids)), { watch: false })
    const now = Date.now()
    const { id } = await add({
      assetId: 2,
      startsAt: new Date(now - 3_600_000).toISOString(),
      endsAt: new Date(now + 3_600_000).toISOString(),
    })
    expect(await statusOf()).toBe('maintenance')
    const announced = () => scalar<string>('select announced_status as s from assets where id = 2')
    await idle()
    expect(await announced()).toBe('maintenance')
    await house.ask('manager', `${list}/${id}`, { method: 'DELETE' })
    expect(await statusOf()).toBe('operational')
    await idle()
    expect(await announced()).toBe('operational')
    await stopOutbox()
  })
})

it('the list of planned work is newest first as JSON, sorted and narrowed by address', async () => {
  const a = await add({ title: 'Listed B', assetId: 8 })
  const b = await add({
    title: 'Listed A',
    startsAt: '2020-01-01T00:00:00Z',
    endsAt: '2020-01-02T00:00:00Z',
  })
  const ids = async (asked: string) =>
    (await house.json('manager', `${list}?q=listed&${asked}`)).map(({ id }: { id: number }) => id)
  expect(await ids('')).toEqual([b.id, a.id])
  expect(await ids('sort=start')).toEqual([b.id, a.id])
  expect(await ids('sort=-start')).toEqual([a.id, b.id])
  expect(await ids('sort=title')).toEqual([b.id, a.id])
  expect(await ids('assetId=8')).toEqual([a.id])
  expect(await ids('state=over')).toEqual([b.id])
  expect(await ids('state=coming')).toEqual([a.id])
  expect((await house.ask('manager', `${list}?state=perhaps`)).status).toBe(400)
  const first = await house.ask('manager', `${list}?q=listed&sort=-start&limit=1`)
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link')!)![1]!
  expect((await house.json('manager', next)).map(({ id }: { id: number }) => id)).toEqual([b.id])
})

describe('the form of planned work', () => {
  it('reads local times in the zone of the building, and shows them again', async () => {
    const made = await office.submit('/admin/maintenance', {
      ...weeklyForm,
      startsAt: '2030-07-01T09:00',
      endsAt: '2030-07-01T10:30',
    })
    expect(made.status).toBe(303)
    const path = made.headers.get('location')!.split('?')[0]!
    expect(await house.json('manager', `/api${path}`)).toMatchObject({
      startsAt: '2030-07-01T08:00:00.000Z',
      endsAt: '2030-07-01T09:30:00.000Z',
    })
    const page = await house.page('manager', path)
    expect(page('#startsAt').attr('value')).toBe('2030-07-01T09:00')
    expect(page('#endsAt').attr('value')).toBe('2030-07-01T10:30')
  })

  it('shows the next five dates without saving, new or stored', async () => {
    const count = async () => (await query('select 1 from maintenance_windows')).length
    const before = await count()
    const answer = await office.submit('/admin/maintenance/preview', weeklyForm)
    expect(answer.status).toBe(200)
    const page = load(await answer.text())
    expect(
      page('.preview time')
        .map((_, each) => page(each).attr('datetime'))
        .get(),
    ).toEqual([
      '2030-03-25T09:00:00.000Z',
      '2030-04-01T08:00:00.000Z',
      '2030-04-08T08:00:00.000Z',
      '2030-04-15T08:00:00.000Z',
      '2030-04-22T08:00:00.000Z',
    ])
    expect(page('.preview li').first().text()).toMatch(/^Mon,? 25 Mar 2030, 09:00\s*–\s*11:00$/)
    expect(page('#title').attr('value')).toBe('Weekly check')
    expect(page('form[action="/admin/maintenance"] button').last().attr('formaction')).toBe(
      '/admin/maintenance/preview',
    )
    expect(await count()).toBe(before)
    const { id } = await add()
    const stored = load(
      await (
        await office.submit(`/admin/maintenance/${id}/preview`, { ...weeklyForm, version: 'mine' })
      ).text(),
    )
    expect(stored('.preview li').length).toBe(5)
    expect(stored(`form[action="/admin/maintenance/${id}"] input[name=version]`).attr('value')).toBe('mine')
    expect((await house.json('manager', `${list}/${id}`)).title).toBe(yearly.title)
  })

  it('that is over says what a change of it makes of the uptime, stores nothing, and asks once before it saves', async () => {
    const { id: assetId } = await house.json('manager', '/api/admin/assets', {
      json: { towerId: 1, name: 'Corrected lamp', category: 'Light' },
    })
    const incident = await house.report({ assetId, title: 'Dark', severity: 'critical' })
    const at = (hours: number) => `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16)}Z`
    // Over, as uptime that still falls may be another one at the next reading.
    await office.resolves(incident, 'Lit')
    await house.json('manager', `/api/incidents/${incident}`, {
      method: 'PATCH',
      json: { downtimeStartedAt: at(-100), downtimeEndedAt: at(-1) },
    })
    const work = { assetId, title: 'Rewiring', startsAt: at(-100), endsAt: at(-90), recurrence: 'none' }
    const { id } = await house.json('manager', list, { json: work })
    const uptime = async () => (await house.json('guest', `/api/assets/${assetId}`)).uptime30
    const before = await uptime()

    const longer = { ...work, endsAt: at(-40) }
    const path = `${list}/${id}`
    const shown = await house.json('manager', `${path}/preview`, { method: 'POST', json: longer })
    expect(shown).toMatchObject({ next: [], consequences: [{ assetId, before: { uptime30: before } }] })
    const [{ after }] = shown.consequences
    expect(Number(after.uptime30)).toBeGreaterThan(Number(before))
    expect(
      await house.json('manager', `${path}/preview`, { method: 'POST', json: { ...work, title: 'Wires' } }),
    ).toEqual({
      next: [],
      consequences: [],
    })

    const form = { ...longer, assetId: String(assetId), notes: '' }
    const asked = await office.submit(`/admin/maintenance/${id}`, form)
    expect([asked.status, await uptime()]).toEqual([200, before])
    const page = load(await asked.text())
    expect(page('.preview').text()).toMatch(
      new RegExp(`uptime over 30 days: ${before}.* → ${after.uptime30}`),
    )
    expect(page('#endsAt').attr('value')).toBe(longer.endsAt)
    const confirmed = page('[name="previewSnapshot"]').attr('value')!
    const other = await office.submit(`/admin/maintenance/${id}`, {
      ...form,
      endsAt: at(-30),
      previewSnapshot: confirmed,
    })
    expect([other.status, await uptime()]).toEqual([200, before])
    const saved = await office.submit(`/admin/maintenance/${id}`, { ...form, previewSnapshot: confirmed })
    expect([saved.status, saved.headers.get('location')]).toEqual([
      303,
      `/admin/maintenance/${id}?notice=saved`,
    ])
    expect(await uptime()).toBe(after.uptime30)
  })

  it('changed in part by a form sent to its API address is saved, and not asked about', async () => {
    const { id } = await add()
    const asked = { method: 'PATCH', headers: browser, form: { title: 'In part' } }
    const answer = await house.ask('board', `${list}/${id}`, asked)
    expect([answer.status, (await house.json('manager', `${list}/${id}`)).title]).toEqual([303, 'In part'])
  })

  it('changed in part, by JSON sent to the address of its form, needs no more', async () => {
    const { id } = await add()
    const headers = { ...browser, 'content-type': 'application/json' }
    for (const [at, json, status] of [
      [id, { notes: 'In part' }, 303],
      [id, {}, 303],
      [999_999, { notes: 'In part' }, 409],
    ] as const) {
      const asked = { method: 'POST', headers, body: JSON.stringify(json) }
      expect((await house.ask('board', `/admin/maintenance/${at}`, asked)).status).toBe(status)
    }
  })

  it('says in the preview when it is over, and what is wrong as a save would', async () => {
    const over = {
      ...weeklyForm,
      recurrence: 'none',
      startsAt: '2020-01-01T09:00',
      endsAt: '2020-01-01T10:00',
    }
    const page = load(await (await office.submit('/admin/maintenance/preview', over)).text())
    expect(page('.preview').text()).toContain('No future dates')
    const refused = await office.submit('/admin/maintenance/preview', {
      ...weeklyForm,
      endsAt: '2030-04-03T09:00',
    })
    expect(refused.status).toBe(422)
    const again = load(await refused.text())
    expect(again('#endsAt-error').text()).toContain('up to 7 days')
    expect(again('#endsAt').attr('value')).toBe('2030-04-03T09:00')
    expect(again('.preview').length).toBe(0)
  })

  it('asks before it deletes, with the number of dates whose uptime changes', async () => {
    const weeks = 3 * 7 * 86_400_000
    const startsAt = new Date(Date.now() - weeks - 3_600_000)
    const { id } = await add({
      recurrence: 'weekly',
      startsAt: startsAt.toISOString(),
      endsAt: new Date(startsAt.getTime() + 1_800_000).toISOString(),
    })
    const page = await house.page('manager', `/admin/maintenance/${id}/delete`)
    expect(page('main').text()).toMatch(
      /This changes past uptime: [34] dates will no longer count as planned work\./,
    )
    expect(page('main form button')).toHaveLength(1)
    expect((await office.submit(`/admin/maintenance/${id}/delete`, {})).status).toBe(303)
    const ahead = await add()
    const harmless = await house.page('manager', `/admin/maintenance/${ahead.id}/delete`)
    expect(harmless('main').text()).not.toContain('past uptime')
  })
})

const list = '/api/admin/maintenance'

const yearly = {
  assetId: 7,
  title: 'Yearly inspection',
  startsAt: '2030-03-25T09:00:00.000Z',
  endsAt: '2030-03-25T11:00:00.000Z',
  recurrence: 'none',
  notes: 'Two people, all day',
}

const add = (json: object = {}) => house.json('manager', list, { json: { ...yearly, ...json } })

const browser = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }

/** What someone types into the form. */
const weeklyForm = {
  assetId: '7',
  title: 'Weekly check',
  startsAt: '2030-03-25T09:00',
  endsAt: '2030-03-25T11:00',
  recurrence: 'weekly',
  notes: '',
}

async function refusal(json: object) {
  const answer = await house.ask('manager', list, { json })
  return [answer.status, ((await answer.json()) as { errors: unknown }).errors]
}
