import { type CheerioAPI, load } from 'cheerio'
import { beforeEach, describe, expect, it } from 'vitest'
import { rowsPerPage } from '../../../src/incidents/model/deskLists.js'
import { compileDigest } from '../../../src/notifications/digest/compileDigest.js'
import { userIdOf } from '../../support/accounts.js'
import { emptyOutbox, takeMessages } from '../../support/email/messages.js'
import { useHouse } from '../../support/house/house.js'
import type { GivenReport } from '../../support/house/report.js'
import { multipart, picture } from '../../support/pictures.js'
import { queryAfterFanOut } from '../../support/sending.js'

const house = useHouse()
const { maya, office } = house
const ours = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }
beforeEach(house.emptyDesk)

const inTenYears = new Date('2036-01-01T00:00:00Z')
const nothingChanged = 'Nothing changed. A colleague had already dealt with this.'
let n = 0

describe('what is in progress', () => {
  it('has passed promises first, then overdue work, then the longest without a word', async () => {
    const before = { createdAt: hoursAgo(5), changedAt: hoursAgo(4) }
    const [recent, old, due, promised, both] = [
      await reportInProgress(),
      await reportInProgress({ createdAt: hoursAgo(80), changedAt: hoursAgo(72) }),
      await reportInProgress({ dueOn: '2020-01-01' }),
      await reportInProgress({ ...before, expectedBackAt: hoursAgo(1) }),
      await reportInProgress({ ...before, expectedBackAt: hoursAgo(2), dueOn: '2020-01-02' }),
    ]
    expect(await inProgress()).toEqual([both, promised, due, old, recent])
    const page = await house.page('manager', '/admin?tab=inProgress')
    expect(page(`#row-${promised} .due.over`).text()).toContain('Overdue: was due back')
    expect(page(`#row-${due} .due.over`).text()).toContain('overdue since')
    const { passed } = await compileDigest()
    expect(passed!.promises).toMatchObject({ total: 2, first: [{ id: both }, { id: promised }] })
    expect(passed!.overdue).toMatchObject({ total: 2, first: [{ id: due, at: '2020-01-01' }, { id: both }] })
  })

  it('holds all the office has taken up and nothing that waits elsewhere', async () => {
    const going = await reportInProgress()
    const asked = await reportInProgress()
    await maya.comments(asked, 'And?')
    await newReport()
    expect(await inProgress()).toEqual([going])
    await answerAsOffice(going, { body: 'Back to the start.', newStatus: 'open' })
    await answerAsOffice(asked, { body: 'Tomorrow.' })
    expect(await inProgress()).toEqual([asked])
  })

  it('is shown in pages, each row once, by index', async () => {
    const minutesAgo = `date_trunc('milliseconds', now()) - n * interval '1 minute'`
    const columns = { status: `'in_progress'`, created_at: minutesAgo, acknowledged_at: minutesAgo }
    await house.manyReports(rowsPerPage + 20, columns)
    const first = await inProgress()
    const rest = await inProgress(`/api/admin?tab=inProgress&skip=${rowsPerPage}`)
    expect([first.length, rest.length, new Set([...first, ...rest]).size]).toEqual([50, 20, 70])
    const page = await house.page('manager', '/admin')
    expect(page(`a[href="/admin?tab=inProgress&skip=${rowsPerPage}"]`).text()).toBe('Show 20 more')
  })
})

it('a row has place, affected, photo, first line, last public word, promise and who', async () => {
  const title = 'Whole row'
  const id = await newReport({ title, severity: 'high', description: 'First line\nSecond line' })
  await office.starts(id, 'The part is ordered.', { expectedBackAt: inTenYears, contactId: 4 })
  await office.merges(await newReport(), id)
  const { rows } = await house.json('manager', '/api/admin?tab=inProgress')
  expect(rows).toMatchObject([
    {
      id,
      affectedCount: 2,
      contactName: 'Lift engineer',
      expectedBackAt: '2036-01-01T00:00:00.000Z',
      officeWord: { body: 'The part is ordered.' },
    },
  ])
  const row = (await house.page('manager', '/admin?tab=inProgress'))(`#row-${id}`)
  for (const words of ['The part is ordered.', 'Lift engineer', '2 people affected'])
    expect(row.text()).toContain(words)
  expect(row.text()).not.toContain('Second line')
})

describe('acts in bulk', () => {
  it('select all without a script, and go back to the tab with a sentence', async () => {
    const ids = [await newReport(), await newReport(), await newReport()]
    const page = await house.page('manager', '/admin?tab=new&select=all')
    expect(page('#queue input[name="ids"]:checked').length).toBe(3)
    const done = await submitAsOffice('/admin/acknowledge', [
      ['tab', 'new'],
      ['ids', ids[0]!],
      ['ids', ids[1]!],
    ])
    const location = done.headers.get('location')!
    expect(location).toBe('/admin?tab=new&did=acknowledged&n=2')
    const next = await house.page('manager', location)
    expect(next('.notice').text().trim()).toBe('2 reports acknowledged. We’ll email their followers.')
    expect(next('.desk li').length).toBe(1)
    const again = await submitAsOffice('/admin/acknowledge', [
      ['tab', 'new'],
      ['ids', ids[0]!],
    ])
    const said = await house.page('manager', again.headers.get('location')!)
    expect(said('.notice').text().trim()).toBe('1 skipped: someone else has already dealt with it.')
  })

  it('lead to the pages for assigning and for the place, and back; the day stays as it was', async () => {
    const [one, two] = [await reportInProgress({ dueOn: '2036-02-02' }), await reportInProgress()]
    const chosen = await submitAsOffice('/admin/selection', [
      ['tab', 'inProgress'],
      ['ids', one],
      ['ids', two],
      ['to', 'assign'],
    ])
    const asked = await house.page('manager', chosen.headers.get('location')!)
    expect(asked('main form').last().find('input[name=ids]')).toHaveLength(2)
    const sent = hiddenIn(asked('main form').last())
    expect((await submitAsOffice('/admin/assign', sent)).status).toBe(422)
    const done = await submitAsOffice('/admin/assign', [...sent, ['assignee', 'contact-4'], ['dueOn', '']])
    expect(done.headers.get('location')).toBe('/admin?tab=inProgress&did=assigned&n=2&left=0')
    for (const [id, dueOn] of [
      [one, '2036-02-02'],
      [two, null],
    ])
      expect(await house.json('manager', `/api/incidents/${id}`)).toMatchObject({ contactId: 4, dueOn })
    expect((await submitAsOffice('/admin/selection', [['to', 'place']])).status).toBe(422)
    const place = await house.page('manager', `/admin/place?ids=${one}&returnTo=/incidents/${one}`)
    expect(place('h1').text()).toBe(`What is INC-${one} about?`)
    expect((await house.ask('manager', '/admin/place?ids=999999', { headers: ours })).status).toBe(404)
  })

  it('clear the due date of one report whose field is emptied, and leave what is not', async () => {
    const id = await reportInProgress({ dueOn: '2036-02-02' })
    const dueOn = async () => (await house.json('manager', `/api/incidents/${id}`)).dueOn
    const sent = hiddenIn((await house.page('manager', `/admin/assign?ids=${id}`))('main form').last())
    const send = (day: string) => submitAsOffice('/admin/assign', [...sent, ['assignee', ''], ['dueOn', day]])
    expect((await send('2036-02-02')).status).toBe(303)
    expect(await dueOn()).toBe('2036-02-02')
    expect((await send('no day')).status).toBe(422)
    expect((await send('')).status).toBe(303)
    expect(await dueOn()).toBe(null)
  })

  it('name what they do: their address, the form on their page, and the notice afterwards', async () => {
    const id = await reportInProgress()
    for (const [act, field, said] of [
      ['place', ['assetId', '2'], `INC-${id}: place saved.`],
      ['assign', ['assignee', 'contact-4'], `INC-${id} assigned.`],
    ] as const) {
      const page = await house.page('manager', `/admin/${act}?ids=${id}&returnTo=/incidents/${id}`)
      const form = page('main form').last()
      expect(form.attr('action')).toBe(`/admin/${act}`)
      const fromReport = await submitAsOffice(`/admin/${act}`, [...hiddenIn(form), [...field]])
      expect(fromReport.status).toBe(303)
      const shown = await house.page('manager', fromReport.headers.get('location')!)
      expect(shown('[role=status]').first().text()).toContain(said)
      const fromDesk = await submitAsOffice(`/admin/${act}`, [['ids', id], ['tab', 'inProgress'], [...field]])
      const desk = await house.page('manager', fromDesk.headers.get('location')!)
      const notice = desk('[role=status]').first().text()
      expect(notice).toMatch(act === 'place' ? /^\s*Place saved for 1 report/ : /^\s*1 report assigned/)
    }
    expect(await house.json('manager', `/api/incidents/${id}`)).toMatchObject({ assetId: 2, contactId: 4 })
  })

  it.each([
    ['place', ['assetId', '2']],
    ['assign', ['assignee', 'contact-4']],
  ] as const)('say on the page of the report that %s changed nothing', async (act, field) => {
    const id = await reportInProgress()
    const page = await house.page('manager', `/admin/${act}?ids=${id}&returnTo=/incidents/${id}`)
    const hidden = hiddenIn(page('main form').last())
    await office.merges(id, await reportInProgress())
    const sent = await submitAsOffice(`/admin/${act}`, [...hidden, [...field]])
    expect(sent.headers.get('location')).toBe(`/incidents/${id}?notice=noneDone`)
    const back = await house.page('board', `/incidents/${await reportInProgress()}?notice=noneDone`)
    expect(back('[role=status]').first().text().trim()).toBe(nothingChanged)
  })

  it('are not found under the name that said the opposite', async () => {
    const id = await reportInProgress()
    for (const path of ['/admin/hand-over', '/api/admin/hand-over']) {
      const json = { ids: [id], contactId: 4 }
      expect((await house.ask('manager', path, { json })).status).toBe(404)
      expect((await house.ask('manager', `${path}?ids=${id}`)).status).toBe(404)
    }
    expect(
      (
        await submitAsOffice('/admin/selection', [
          ['to', 'hand-over'],
          ['ids', id],
        ])
      ).status,
    ).toBe(422)
  })

  it('give nobody what was closed meanwhile, and say why', async () => {
    const [open, closed] = [await reportInProgress(), await reportInProgress()]
    await office.resolves(closed)
    const assigneeId = await userIdOf('board@example.com')
    const given = await house.json('manager', '/api/admin/assign', {
      json: { ids: [open, closed], assigneeId },
    })
    expect(given).toEqual({ done: [open], skipped: [{ id: closed, code: 'incident_closed' }] })
    expect(await house.json('manager', `/api/incidents/${closed}`)).toMatchObject({ assigneeId: null })
  })

  it('stay on the page of the tab they were on, which is paged', async () => {
    await house.manyReports(102, { created_at: `now() - n * interval '1 minute'` })
    const page = await house.page('manager', '/admin?tab=new&skip=100')
    expect(page('#queue li').length).toBe(2)
    expect(page('#queue input[name=skip]').val()).toBe('100')
    const ids = page('#queue input[name=ids]')
      .toArray()
      .map(({ attribs }): [string, string] => ['ids', attribs.value!])
    const done = await submitAsOffice('/admin/acknowledge', [['tab', 'new'], ['skip', 100], ...ids])
    const location = done.headers.get('location')!
    expect(location).toBe('/admin?tab=new&skip=100&did=acknowledged&n=2')
    // All of the last page dealt with: the one before is the last now.
    const empty = await house.ask('manager', location, { headers: ours })
    expect(empty.headers.get('location')).toBe('/admin?tab=new&skip=50&did=acknowledged&n=2')
  })

  const mergePreview = (ids: number[]) =>
    house.page('manager', '/admin/merge/preview', {
      body: new URLSearchParams(ids.map((id): [string, string] => ['ids', String(id)])),
      headers: ours,
    })
  const stored = (id: number) => house.json('guest', `/api/incidents/${id}`)

  it('merge those selected into the most severe of them, then the oldest, and into no other', async () => {
    const bystander = await newReport()
    const [mild, severe, alike] = [
      await newReport(),
      await newReport({ severity: 'high' }),
      await newReport({ severity: 'high' }),
    ]
    const preview = await mergePreview([mild, severe, alike])
    const form = preview('main form').last()
    expect(form.attr('action')).toBe('/admin/merge')
    const radios = form.find('input[name=survivorId]').toArray()
    expect(radios.map(({ attribs }) => Number(attribs.value))).toEqual([severe, alike, mild])
    expect(form.find('input[name=survivorId][checked]').val()).toBe(String(severe))
    const done = await submitAsOffice('/admin/merge', [
      ...hiddenIn(form),
      ['survivorId', severe],
      ['otherId', ''],
      ['severity', 'high'],
    ])
    expect(done.headers.get('location')).toBe('/admin?did=merged&n=2')
    for (const id of [mild, alike]) expect((await stored(id)).mergedInto).toBe(severe)
    const { mergedInto, severity } = await stored(bystander)
    expect([mergedInto, severity]).toEqual([undefined, 'low'])
  })

  it('ask again before merging into another one than was shown, which gets the highest severity', async () => {
    const [old, severe] = [await newReport(), await newReport({ severity: 'critical' })]
    const first = (await mergePreview([old, severe]))('main form').last()
    const asked = await submitAsOffice('/admin/merge', [
      ...hiddenIn(first),
      ['survivorId', old],
      ['otherId', ''],
      ['severity', 'critical'],
    ])
    expect(asked.status).toBe(200)
    expect((await stored(severe)).mergedInto).toBeUndefined()
    const second = load(await asked.text())('main form').last()
    expect(second.find('input[name=survivorId][checked]').val()).toBe(String(old))
    expect(second.find('select[name=severity] option[selected]').val()).toBe('critical')
    await submitAsOffice('/admin/merge', [
      ...hiddenIn(second),
      ['survivorId', old],
      ['otherId', ''],
      ['severity', 'critical'],
    ])
    expect((await stored(severe)).mergedInto).toBe(old)
    expect((await stored(old)).severity).toBe('critical')
  })

  it('merge into a report whose number is typed, and say so when there is none', async () => {
    const [one, two, other] = [await newReport(), await newReport(), await newReport()]
    const form = (await mergePreview([one, two]))('main form').last()
    const choose = (otherId: number) => [
      ...hiddenIn(form),
      ['survivorId', one] as [string, number],
      ['otherId', otherId] as [string, number],
      ['severity', 'low'] as [string, string],
    ]
    const unknown = await submitAsOffice('/admin/merge', choose(999_999))
    expect(unknown.status).toBe(422)
    const refused = load(await unknown.text())
    expect(refused('main input[name=otherId]').val()).toBe('999999')
    expect(refused('.error, .errors').text()).toContain('no report with this number')
    const asked = load(await (await submitAsOffice('/admin/merge', choose(other))).text())('main form').last()
    await submitAsOffice('/admin/merge', [...hiddenIn(asked), ['otherId', other], ['severity', 'low']])
    for (const id of [one, two]) expect((await stored(id)).mergedInto).toBe(other)
  })

  it('merge those selected into the survivor of a report whose number is typed, which may be one of them', async () => {
    const [merged, stays, other] = [await newReport(), await newReport(), await newReport()]
    await office.merges(merged, stays)
    const form = (await mergePreview([stays, other]))('main form').last()
    const shown = await submitAsOffice('/admin/merge', [
      ...hiddenIn(form).map(([name, value]): [string, string] => [name, name === 'shown' ? '1' : value]),
      ['otherId', merged],
      ['severity', 'low'],
    ])
    expect(shown.status).toBe(200)
    const again = load(await shown.text())('main form').last()
    await submitAsOffice('/admin/merge', [...hiddenIn(again), ['otherId', merged], ['severity', 'low']])
    expect((await stored(other)).mergedInto).toBe(stays)
  })

  it('show the desk again for a merge of one report, however often it is named', async () => {
    const [one, elsewhere] = [await newReport(), await newReport({ assetId: 2 })]
    const twice: [string, number][] = [
      ['ids', one],
      ['ids', one],
    ]
    const severalPlaces: [string, number][] = [
      ['ids', one],
      ['ids', elsewhere],
    ]
    const selections = [twice, severalPlaces, [['ids', one]], [['ids[]', one]], []] as [string, number][][]
    for (const ids of selections) {
      const refused = await submitAsOffice('/admin/merge', [...ids, ['shown', one]])
      expect(refused.status).toBe(422)
      const page = load(await refused.text())
      expect(page('#queue li').length).toBeGreaterThan(0)
      expect(page('.errors, .error').length).toBeGreaterThan(0)
    }
  })

  it('merge nothing of several places, and no report alone', async () => {
    const here = await newReport()
    const there = await newReport({ assetId: 2 })
    for (const ids of [[here, there], [here], [999_999]])
      expect((await house.ask('manager', '/api/admin/merge/preview', { json: { ids } })).status).toBe(422)
  })
})

describe('a contractor', () => {
  it('gets an email with what, where, until when and photos, never with the reporter; the answer becomes a staff note', async () => {
    const made = await house.ask('resident', '/api/incidents', {
      body: multipart(
        {
          assetId: '3',
          title: 'Hinge is loose',
          severity: 'high',
          isAnonymous: 'true',
          description: 'It squeaks',
        },
        [{ bytes: await picture() }],
      ),
    })
    const { id } = await made.json()
    await emptyOutbox()
    await answerAsOffice(id, { body: 'Somebody comes.', contactId: 4, dueOn: '2036-03-04' })
    const email = (await takeMessages()).emails.find(({ to }) => to.address === 'callout@ascent.example.com')!
    for (const words of ['Hinge is loose', 'It squeaks', '4 Mar 2036', `INC-${id}`])
      expect(email.text + email.subject).toContain(words)
    expect(email.text + email.html + email.subject).not.toContain('Maya')
    expect(email.photos).toHaveLength(1)
    const came = await house.emails({
      from: 'callout@ascent.example.com',
      subject: 'Re: your mail',
      text: 'We come on Tuesday.',
      headers: { 'In-Reply-To': email.messageId },
    })
    expect(came).toEqual({ action: 'appended', incidentId: id })
    const note = (await house.json('manager', `/api/incidents/${id}/notes`)).at(-1)
    expect(note).toMatchObject({ body: 'We come on Tuesday.', authorName: 'By email', via: 'email' })
    expect(JSON.stringify(await house.json('guest', `/api/incidents/${id}`))).not.toMatch(/Tuesday|ascent/)
  })

  it('is told once, and not of what was given to somebody else before the email went', async () => {
    const id = await reportInProgress()
    await emptyOutbox()
    await answerAsOffice(id, { body: 'You?', contactId: 4 })
    await answerAsOffice(id, { body: 'Still you.', dueOn: '2036-01-01' })
    await house.json('manager', `/api/incidents/${id}`, { method: 'PATCH', json: { contactId: null } })
    const { emails } = await takeMessages()
    expect(emails.filter(({ to }) => to.address === 'callout@ascent.example.com')).toEqual([])
    const rows = await queryAfterFanOut(`select from outbox where event = 'incident.handed_over'`)
    expect(rows).toHaveLength(1)
  })
})

function newReport(given: GivenReport = {}): Promise<number> {
  n += 1
  return house.report({ assetId: 3, title: `Row ${n}`, severity: 'low', ...given })
}

function reportInProgress(given: GivenReport = {}): Promise<number> {
  return newReport({ body: 'We are on it.', status: 'in_progress', ...given })
}

function hoursAgo(hours: number): Date {
  return new Date(Date.now() - hours * 3_600_000)
}

function answerAsOffice(id: number, json: object) {
  return office.json(`/api/incidents/${id}/updates`, { json })
}

/** The ids of a tab of the desk, by default of what is in progress. */
async function inProgress(address = '/api/admin?tab=inProgress'): Promise<number[]> {
  const { rows } = await office.json<{ rows: { id: number }[] }>(address)
  return rows.map(({ id }) => id)
}

function submitAsOffice(path: string, fields: [string, string | number][]): Promise<Response> {
  const form = fields.map(([name, value]): [string, string] => [name, String(value)])
  return office.submit(path, form)
}

function hiddenIn(form: ReturnType<CheerioAPI>): [string, string][] {
  const fields = form.find('input[type="hidden"]').toArray()
  return fields.map(({ attribs }) => [attribs.name!, attribs.value ?? ''])
}
