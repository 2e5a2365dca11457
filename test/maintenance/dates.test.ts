import { load } from 'cheerio'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { DAY, dateIn, HOUR, WEEK } from '../../src/vocabulary/time/calendar.js'
import { useHouse } from '../support/house/house.js'
import { insertRow } from '../support/rows.js'

const house = useHouse()

let asset = 0
beforeAll(() => house.json('admin', '/api/admin/property', { method: 'PATCH', json: { timezone: zone } }))
beforeEach(async () => {
  asset = await house.lift()
})

describe('the last day of repeating work', () => {
  it('ends it, on every reading, and is given back', async () => {
    // The fifth date is 31 days ahead, past the 30 shown at any hour.
    const first = noon(3)
    const id = await add(weekly(first, { until: day(first + WEEK) }))
    expect(await house.json('guest', `/api/assets/${asset}`)).toMatchObject({
      maintenanceUpcoming: [
        { startsAt: iso(first), endsAt: iso(first + HOUR), title: 'Weekly test' },
        { startsAt: iso(first + WEEK), endsAt: iso(first + WEEK + HOUR), title: 'Weekly test' },
      ],
    })
    expect((await house.json('manager', `${list}/${id}`)).until).toBe(day(first + WEEK))
    const open = await patch(id, { until: null })
    expect((await open.json()).until).toBeNull()
    expect((await seen()).upcoming.length).toBe(4)
    await remove(id)
  })

  it('is refused where it makes no sense', async () => {
    for (const [given, text] of [
      [{ until: '2030-03-24' }, '“Repeat until” can’t be before the first day'],
      [{ until: 'some day' }, 'Enter a date'],
      [{ until: '2999-01-01' }, 'Enter a year from 1970 to 2199'],
      [{ until: '2030-03-25', recurrence: 'none' }, 'Only repeating work can have a last day'],
    ] as const) {
      const answer = await house.ask('manager', list, {
        json: weekly(Date.parse('2030-03-25T12:00Z'), given),
      })
      expect(await problem(answer)).toEqual([422, 'invalid', { until: [text] }])
    }
  })

  it('that is over puts the series among what is over, unless a date of it was put off', async () => {
    const ids = async (state: string) =>
      (await house.json('manager', `${list}?q=ended&state=${state}`)).map(({ id }: { id: number }) => id)
    const first = noon(-21)
    const id = await add(weekly(first, { title: 'Ended', until: day(first + WEEK) }))
    const other = await add(weekly(noon(-14), { title: 'Put off and ended' }))
    await act(other, 'move', { date: day(noon(7)), startsAt: iso(noon(70)), endsAt: iso(noon(70) + HOUR) })
    await patch(other, { until: day(noon(7)) })
    expect(await ids('over')).toEqual([id])
    expect(await ids('coming')).toEqual([other])
    await Promise.all([remove(id), remove(other)])
  })
})

describe('a single date', () => {
  it('is skipped, moved and taken back, in JSON as on the status page, each with its entry', async () => {
    const first = noon(1)
    const id = await add(weekly(first))
    const skipped = await (await act(id, 'skip', { date: day(first) })).json()
    expect(skipped).toMatchObject({
      exceptions: [{ date: day(first), startsAt: null, endsAt: null }],
      nextOccurrence: { startsAt: iso(first + WEEK) },
    })
    expect((await seen()).upcoming[0]).toBe(iso(first + WEEK))
    const moved = {
      date: day(first + WEEK),
      startsAt: iso(first + 3 * DAY),
      endsAt: iso(first + 3 * DAY + 5 * HOUR),
    }
    expect((await (await act(id, 'move', moved)).json()).exceptions).toEqual([
      { date: day(first), startsAt: null, endsAt: null },
      moved,
    ])
    expect((await seen()).upcoming.slice(0, 2)).toEqual([iso(first + 3 * DAY), iso(first + 2 * WEEK)])
    expect((await act(id, 'skip', { date: day(first) })).status).toBe(200)
    for (const date of [day(first), day(first + WEEK)]) await act(id, 'restore', { date })
    expect((await seen()).upcoming.slice(0, 2)).toEqual([iso(first), iso(first + WEEK)])
    const entries = await query<{ action: string; changes: object }>(
      `select action, changes from audit_entries where entity = 'maintenance_window' and entity_id = $1 order by id`,
      [id],
    )
    expect(entries.map(({ action }) => action.split('.')[1])).toEqual([
      'created',
      'date_skipped',
      'date_moved',
      'date_restored',
      'date_restored',
    ])
    expect(entries[1]!.changes).toEqual({
      date: { before: day(first), after: day(first) },
      startsAt: { before: iso(first), after: null },
      endsAt: { before: iso(first + HOUR), after: null },
    })
    await remove(id)
  })

  it('that has begun stays: it is neither skipped nor moved, and only its end can change, to a time to come', async () => {
    const began = Date.now() - HOUR / 2
    const id = await add(weekly(began - WEEK))
    const today = day(began)
    const before = await seen()
    expect(await problem(await act(id, 'skip', { date: today }))).toEqual([
      409,
      'occurrence_begun',
      undefined,
    ])
    const to = (startsAt: number, endsAt: number, date = today) =>
      act(id, 'move', { date, startsAt: iso(startsAt), endsAt: iso(endsAt) })
    for (const [start, end] of [
      [began + DAY, began + 2 * DAY],
      [began + 60_000, began + HOUR],
      [began, Date.now() - 60_000],
    ] as const)
      expect((await problem(await to(start, end))).slice(0, 2)).toEqual([409, 'occurrence_begun'])
    const last = day(began - WEEK)
    expect((await problem(await act(id, 'skip', { date: last }))).slice(0, 2)).toEqual([
      409,
      'occurrence_begun',
    ])
    expect((await problem(await to(began + WEEK, began - HOUR, day(began + WEEK))))[0]).toBe(422)
    expect(await problem(await to(began - DAY, began - DAY + HOUR, day(began + WEEK)))).toEqual([
      422,
      'invalid',
      { startsAt: ['Choose a time in the future'] },
    ])
    expect(await seen()).toEqual(before)
    const { startsAt } = (await house.json('manager', `${list}/${id}`)).nextOccurrence
    const longer = await to(Date.parse(startsAt), began + 3 * HOUR)
    expect([longer.status, (await longer.json()).nextOccurrence.endsAt]).toEqual([200, iso(began + 3 * HOUR)])
    expect((await seen()).days).toEqual(before.days)
    await remove(id)
  })

  it('must be one of the series, of work that repeats, and no longer than its repetition allows', async () => {
    const first = noon(1)
    const [id, once] = [await add(weekly(first)), await add(weekly(first, { recurrence: 'none' }))]
    const [unknown, wrong] = [day(first + DAY), 'soon']
    expect(await problem(await act(id, 'skip', { date: unknown }))).toEqual([
      422,
      'invalid',
      { date: ['This work has no such date'] },
    ])
    expect((await act(id, 'skip', { date: wrong })).status).toBe(422)
    expect((await problem(await act(once, 'skip', { date: day(first) })))[1]).toBe('window_does_not_repeat')
    const long = { date: day(first), startsAt: iso(first), endsAt: iso(first + 8 * DAY) }
    expect((await problem(await act(id, 'move', long)))[2]).toEqual({
      endsAt: ['Weekly work can last up to 7 days'],
    })
    await Promise.all([remove(id), remove(once)])
  })

  it('skipped by five at once is skipped once', async () => {
    const first = noon(1)
    const id = await add(weekly(first))
    const answers = await Promise.all(Array.from({ length: 5 }, () => act(id, 'skip', { date: day(first) })))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const entries = await query(
      `select 1 from audit_entries where action = 'maintenance_window.date_skipped' and entity_id = $1`,
      [id],
    )
    expect(entries.length).toBe(1)
    await remove(id)
  })
})

describe('a change of work that repeats', () => {
  const others = async () =>
    (await house.json('manager', `${list}?assetId=${asset}`)).map((window: { id: number }) => window)

  it('is true of the dates that have not begun, and leaves the others in a window of their own', async () => {
    const first = noon(-22)
    const id = await add(weekly(first))
    const days = [first, first + WEEK, first + 2 * WEEK, first + 3 * WEEK].map(day)
    await act(id, 'skip', { date: day(first + 5 * WEEK) })
    expect((await seen()).days).toEqual(days)
    const changed = await (
      await patch(id, { startsAt: iso(first + 2 * HOUR), endsAt: iso(first + 5 * HOUR) })
    ).json()
    const next = first + 4 * WEEK + 2 * HOUR
    expect(changed).toMatchObject({
      id,
      startsAt: iso(next),
      endsAt: iso(next + 3 * HOUR),
      exceptions: [{ date: day(first + 5 * WEEK), startsAt: null, endsAt: null }],
    })
    expect(await seen()).toEqual({
      upcoming: [next, next + 2 * WEEK, next + 3 * WEEK].slice(0, (await seen()).upcoming.length).map(iso),
      days,
    })
    const [, past] = (await others()).sort((a: { id: number }, b: { id: number }) => a.id - b.id)
    expect(past).toMatchObject({ startsAt: iso(first), until: days[3], exceptions: [], nextOccurrence: null })
    await remove(id)
    expect((await seen()).days).toEqual(days)
    await remove(past.id)
    expect((await seen()).days).toEqual([])
  })

  it('of title, notes, length of what is to come or last day keeps it in one', async () => {
    const id = await add(weekly(noon(-8)))
    for (const json of [
      { title: 'Another name', notes: 'x' },
      { until: day(noon(20)) },
      { until: null },
      { until: day(noon(-1)) },
    ])
      expect((await patch(id, json)).status).toBe(200)
    expect((await others()).length).toBe(1)
    const ahead = await add(weekly(noon(3)))
    expect((await patch(ahead, { startsAt: iso(noon(4)), endsAt: iso(noon(4) + HOUR) })).status).toBe(200)
    expect((await others()).length).toBe(2)
    await Promise.all([remove(id), remove(ahead)])
  })

  it('that begins again after its end does not fill the time between', async () => {
    const first = noon(-36)
    const id = await add(weekly(first, { until: day(first + WEEK) }))
    const { days } = await seen()
    expect(days).toEqual([day(first), day(first + WEEK)])
    const again = await (await patch(id, { until: null })).json()
    expect(Date.parse(again.startsAt)).toBeGreaterThan(Date.now())
    expect((await seen()).days).toEqual(days)
    for (const window of await others()) await remove(window.id)
  })

  it('that would leave nothing to come, or cut off what has begun, is refused with what to do', async () => {
    const first = noon(-15)
    const id = await add(weekly(first))
    const text = 'This work has already finished. Use “End series” instead'
    expect(await problem(await patch(id, { until: day(first) }))).toEqual([422, 'invalid', { until: [text] }])
    expect(await problem(await patch(id, { recurrence: 'none' }))).toEqual([
      422,
      'invalid',
      { recurrence: [text] },
    ])
    expect((await others()).length).toBe(1)
    await remove(id)
  })

  it('keeps the past with the asset it was on', async () => {
    const first = noon(-8)
    const id = await add(weekly(first))
    const before = await seen()
    const other = await house.lift()
    expect((await patch(id, { assetId: other })).status).toBe(200)
    expect((await seen()).days).toEqual(before.days)
    expect((await seen()).upcoming).toEqual([])
    expect((await seen(other)).upcoming.length).toBeGreaterThan(2)
    for (const window of [...(await others()), { id }]) await remove(window.id)
  })

  it('keeps with the past what was moved to before, and does not hold it twice', async () => {
    const first = noon(-8)
    const id = await add(weekly(first))
    const planned = first + 2 * WEEK
    await act(id, 'move', { date: day(planned), startsAt: iso(noon(2)), endsAt: iso(noon(2) + HOUR) })
    // What it was moved to has come and gone.
    const moved = await query(
      `update maintenance_exceptions set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour'
       where window_id = $1 returning date`,
      [id],
    )
    expect(moved).toEqual([{ date: day(planned) }])
    const before = await seen()
    const changed = await (
      await patch(id, { startsAt: iso(first + HOUR), endsAt: iso(first + 3 * HOUR) })
    ).json()
    expect((await seen()).days).toEqual(before.days)
    expect(changed.exceptions).toEqual([{ date: day(planned), startsAt: null, endsAt: null }])
    expect((await seen()).upcoming).not.toContain(iso(planned + HOUR))
    for (const window of await others()) await remove(window.id)
  })
})

describe('a change of the time zone', () => {
  const moveTo = (timezone: string) =>
    house.json('admin', '/api/admin/property', { method: 'PATCH', json: { timezone } })
  /** The next Sunday's or Monday's midnight that is a day ahead, in UTC. */
  const midnight = (weekday: number) => {
    const ahead = Math.ceil(Date.now() / DAY) * DAY + DAY
    return ahead + ((weekday - new Date(ahead).getUTCDay() + 7) % 7) * DAY
  }
  const shown = async (id: number) => {
    const { until } = await house.json('manager', `${list}/${id}`)
    return { until, dates: (await seen()).upcoming.length }
  }

  it('to the east keeps the last date of a series, on the day it has there', async () => {
    const first = midnight(0) + 18 * HOUR
    const id = await add(weekly(first, { until: day(first + WEEK) }))
    const roomy = await add(weekly(first, { until: day(first + WEEK + 2 * DAY) }))
    await moveTo('Pacific/Auckland')
    expect(await shown(id)).toEqual({ until: day(first + WEEK + DAY), dates: 4 })
    expect((await shown(roomy)).until).toBe(day(first + WEEK + 2 * DAY))
    const [entry] = await query(
      `select action, changes from audit_entries where entity = 'maintenance_window' and entity_id = $1
       order by id desc limit 1`,
      [id],
    )
    expect(entry).toEqual({
      action: 'maintenance_window.updated',
      changes: { until: { before: day(first + WEEK), after: day(first + WEEK + DAY) } },
    })
    await moveTo(zone)
    expect((await shown(id)).dates).toBe(4)
    await Promise.all([remove(id), remove(roomy)])
  })

  it('to the west does not give a series a date that it did not have', async () => {
    const first = midnight(1) + HOUR / 2
    const id = await add(weekly(first, { until: day(first + 2 * WEEK - DAY) }))
    await moveTo('America/New_York')
    expect(await shown(id)).toEqual({ until: day(first + WEEK - DAY), dates: 2 })
    await moveTo(zone)
    expect((await shown(id)).dates).toBe(2)
    await remove(id)
  })

  it('leaves a series alone whose last day is before its first date', async () => {
    const first = midnight(0) + 18 * HOUR
    const { id } = await insertRow('maintenance_windows', {
      asset_id: asset,
      title: 'Without dates',
      starts_at: iso(first),
      ends_at: iso(first + HOUR),
      recurrence: 'weekly',
      until: day(first - DAY),
    })
    await moveTo('America/New_York')
    await moveTo('Pacific/Auckland')
    expect(await shown(id)).toEqual({ until: day(first - DAY), dates: 0 })
    await moveTo(zone)
    await remove(id)
  })
})

describe('the page of repeating work', () => {
  const send = (path: string, form: Record<string, string>) => house.submit('manager', path, form)

  it('lists its next dates, which are skipped, moved and taken back without script', async () => {
    const first = noon(1)
    const path = `/admin/maintenance/${await add(weekly(first))}`
    const page = await house.page('manager', path)
    expect(page('.dates li').length).toBe(8)
    expect(page(`form[action="${path}/skip"] button`).first().attr('aria-label')).toMatch(/^Skip \w+/)
    expect((await send(`${path}/skip`, { date: day(first) })).headers.get('location')).toBe(
      `${path}?notice=skipped`,
    )
    const form = await house.page('manager', `${path}/move?date=${day(first + WEEK)}`)
    expect(form('#startsAt').attr('value')).toMatch(/T\d\d:00$/)
    const refused = await send(`${path}/move`, {
      date: day(first + WEEK),
      startsAt: '',
      endsAt: '2030-01-01T10:00',
    })
    expect(refused.status).toBe(422)
    const again = load(await refused.text())
    expect(again('#startsAt-error').text()).toContain('Enter a start date and time')
    expect(again('#endsAt').attr('value')).toBe('2030-01-01T10:00')
    const moved = await send(`${path}/move`, {
      date: day(first + WEEK),
      startsAt: `${day(first + 3 * DAY)}T09:00`,
      endsAt: `${day(first + 3 * DAY)}T10:00`,
    })
    expect(moved.headers.get('location')).toBe(`${path}?notice=dateMoved`)
    const changed = await house.page('manager', path)
    expect(changed('.dates li').first().text()).toContain('Skipped')
    expect(changed('.dates li').eq(1).text()).toContain('Moved from')
    expect(changed(`form[action="${path}/restore"]`).length).toBe(2)
    await send(`${path}/restore`, { date: day(first) })
    expect((await house.page('manager', path))(`form[action="${path}/restore"]`).length).toBe(1)
    await remove(Number(path.split('/').at(-1)))
  })

  it('ends a series that has begun, and its past stays', async () => {
    const first = noon(-8)
    const id = await add(weekly(first))
    const before = await seen()
    const path = `/admin/maintenance/${id}`
    expect((await house.page('manager', `${path}/delete`))('main').text()).toContain('end the series instead')
    expect((await house.page('manager', path))(`form[action="${path}/end"]`).length).toBe(1)
    await send(`${path}/end`, {})
    expect(await seen()).toEqual({ upcoming: [], days: before.days })
    const ahead = await add(weekly(noon(3)))
    expect((await act(ahead, 'end')).status).toBe(409)
    await remove(ahead)
  })

  it('does not end a series whose only date so far was put off', async () => {
    const planned = noon(-1)
    const id = await add(weekly(planned))
    const putOff = { starts_at: iso(noon(2)), ends_at: iso(noon(2) + HOUR) }
    await insertRow('maintenance_exceptions', { window_id: id, date: day(planned), ...putOff })
    expect((await act(id, 'end')).status).toBe(409)
    expect((await seen()).upcoming[0]).toBe(iso(noon(2)))
    await remove(id)
  })

  it('ends a series with a date that was put off, also when its last day is over already', async () => {
    const first = noon(-8)
    const planned = first + WEEK
    for (const until of [null, day(planned)]) {
      const id = await add(weekly(first, { until }))
      // It was put off before its day came.
      const putOff = { starts_at: iso(noon(2)), ends_at: iso(noon(2) + HOUR) }
      await insertRow('maintenance_exceptions', { window_id: id, date: day(planned), ...putOff })
      expect((await seen()).upcoming[0]).toBe(iso(noon(2)))
      expect((await act(id, 'end')).status).toBe(200)
      expect((await seen()).upcoming).toEqual([])
      const ended = await house.json('manager', `${list}/${id}`)
      expect(ended).toMatchObject({
        until: day(planned),
        exceptions: [{ date: day(planned), startsAt: null, endsAt: null }],
      })
      await remove(id)
    }
  })
})

const list = '/api/admin/maintenance'

/**
 * Without clock changes, so that a week later is so many milliseconds later whenever the test runs.
 */
const zone = 'UTC'

const iso = (instant: number) => new Date(instant).toISOString()

const day = (instant: number) => dateIn(zone, instant)

/** A weekly hour at noon. */
const noon = (days: number) => Math.floor(Date.now() / DAY) * DAY + days * DAY + 12 * HOUR

const weekly = (startsAt: number, more: object = {}) => ({
  assetId: asset,
  title: 'Weekly test',
  startsAt: iso(startsAt),
  endsAt: iso(startsAt + HOUR),
  recurrence: 'weekly',
  ...more,
})

const add = async (json: object) => (await house.json('manager', list, { json })).id as number

const act = (id: number, verb: string, json: object = {}) =>
  house.ask('manager', `${list}/${id}/${verb}`, { method: 'POST', json })

const patch = (id: number, json: object) => house.ask('manager', `${list}/${id}`, { method: 'PATCH', json })

const remove = (id: number) => house.ask('manager', `${list}/${id}`, { method: 'DELETE' })

async function problem(answer: Response) {
  const { code, errors } = await answer.json()
  return [answer.status, code, errors]
}

/** What everybody reads: the work of the next 30 days, and the days in maintenance. */
async function seen(assetId = asset) {
  const { assets } = await house.json('guest', '/api/status')
  const asset = assets.find(({ id }: { id: number }) => id === assetId)
  const days = asset.days.filter(({ status }: { status: string }) => status === 'maintenance')
  return {
    upcoming: asset.maintenanceUpcoming.map(({ startsAt }: { startsAt: string }) => startsAt),
    days: days.map(({ date }: { date: string }) => date),
  }
}
