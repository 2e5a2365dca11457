import { describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { userIdOf } from '../../support/accounts.js'
import type { Person } from '../../support/house/acting.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import type { GivenReport } from '../../support/house/report.js'
import { scalar } from '../../support/rows.js'
import { queryAfterFanOut } from '../../support/sending.js'

const house = useHouse()
const { office } = house

describe('who does a duplicate and what was promised of it', () => {
  const answer = {
    assigneeId: null as number | null,
    dueOn: '2036-05-05',
    expectedBackAt: '2036-05-06T12:00:00.000Z',
  }
  const said = (id: number, json: object) =>
    house.json('manager', `/api/incidents/${id}/updates`, { json: { body: 'Said.', ...json } })
  const holds = async (id: number) => {
    const { assigneeId, dueOn, expectedBackAt, statusReason } = await incident(id)
    return { assigneeId, dueOn, expectedBackAt, statusReason }
  }
  const nothing = { assigneeId: null, dueOn: null, expectedBackAt: null, statusReason: null }

  it('go on in a survivor that has none, in the audit log, and back by the undoing', async () => {
    const [duplicate, survivor] = [await aCase(), await aCase()]
    const json = { ...answer, assigneeId: await userIdOf('board'), statusReason: 'waiting_for_parts' }
    await said(duplicate, json)
    await merge(duplicate, survivor)
    expect(await holds(survivor)).toEqual(json)
    const changes = await scalar<object>(
      `select changes from audit_entries where action = 'incident.merged' and entity_id = $1`,
      [duplicate],
    )
    expect(changes).toMatchObject({
      survivorAssigneeId: { before: null, after: json.assigneeId },
      survivorExpectedBackAt: { before: null, after: json.expectedBackAt },
    })
    await undo(duplicate)
    expect([await holds(survivor), await holds(duplicate)]).toEqual([nothing, json])
  })

  it('leave a survivor its own, and what was said of it since', async () => {
    const [duplicate, own, open] = [await aCase(), await aCase(), await aCase()]
    const [board, admin] = [await userIdOf('board'), await userIdOf('admin')]
    await said(duplicate, { ...answer, assigneeId: board })
    await said(own, { assigneeId: admin, statusReason: 'waiting_for_parts' })
    const before = await holds(own)
    await merge(duplicate, own)
    expect(await holds(own)).toEqual({ ...before, dueOn: null })
    await undo(duplicate)
    await merge(duplicate, open)
    await said(open, { assigneeId: admin })
    await undo(duplicate)
    expect(await holds(open)).toMatchObject({ assigneeId: admin })
  })

  it('are nothing to a survivor that is closed', async () => {
    const [duplicate, survivor] = [await aCase(), await aCase()]
    await said(duplicate, { ...answer, assigneeId: await userIdOf('board') })
    await office.resolves(survivor)
    await merge(duplicate, survivor)
    expect(await holds(survivor)).toEqual(nothing)
  })
})

describe('undoing a merge', () => {
  it('makes the duplicate an incident again', async () => {
    const [duplicate, survivor] = [await aCase(), await aCase()]
    const before = await incident(duplicate)
    await merge(duplicate, survivor)
    const answer = await undo(duplicate, 'board')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual(before)
    expect((await incident(survivor)).updates.map(({ body }: { body: string }) => body)).toEqual([
      expect.stringContaining('was merged into'),
      expect.stringContaining('was separated from this report'),
    ])
  })

  it('is in the audit log with what it restored', async () => {
    const [duplicate, survivor] = [await aCase(), await aCase()]
    await merge(duplicate, survivor)
    await undo(duplicate)
    const [entry] = await house.json('admin', `/api/audit?limit=1&entity=incident&entityId=${duplicate}`)
    expect(entry.action).toBe('incident.unmerged')
    expect(entry.changes).toMatchObject({
      status: { before: 'verified', after: 'open' },
      mergedIntoId: { before: survivor, after: null },
    })
  })

  it('is refused for what is not merged', async () => {
    expect(await problem(await undo(await aCase()))).toEqual({ status: 409, code: 'unmerge_not_merged' })
  })

  it('is refused after ten minutes, and not a minute before', async () => {
    const [duplicate, survivor] = [await aCase(), await aCase()]
    await merge(duplicate, survivor)
    await mergedEarlier(duplicate, 11)
    expect(await problem(await undo(duplicate))).toEqual({
      status: 409,
      code: 'unmerge_too_late',
      mergedInto: survivor,
    })
    await mergedEarlier(duplicate, -2)
    expect((await undo(duplicate)).status).toBe(200)
  })

  it('is refused for a merge from before merges were stored', async () => {
    const [duplicate, survivor] = [await aCase(), await aCase()]
    await merge(duplicate, survivor)
    await query('delete from merges where duplicate_id = $1', [duplicate])
    expect((await problem(await undo(duplicate))).code).toBe('unmerge_too_late')
  })

  it('waits until a survivor that was merged itself is taken out', async () => {
    const [a, b, c] = [await aCase(), await aCase(), await aCase()]
    await merge(a, b)
    await merge(b, c)
    expect(await problem(await undo(a))).toEqual({
      status: 409,
      code: 'unmerge_survivor_merged',
      mergedInto: c,
    })
    expect((await undo(b)).status).toBe(200)
    expect(await incident(a)).toMatchObject({ mergedInto: b })
    expect((await undo(a)).status).toBe(200)
    expect((await incident(b)).duplicates).toEqual([])
  })

  it('several times at once has one winner', async () => {
    const [duplicate, survivor] = [await aCase(), await aCase()]
    await merge(duplicate, survivor)
    const answers = await Promise.all(Array.from({ length: 6 }, () => undo(duplicate)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  })

  it('beside comments, merges and moves of the survivor loses nothing and stops nothing', async () => {
    for (let round = 0; round < 5; round++) {
      const [duplicate, survivor, third] = [await aCase(), await aCase(), await aCase()]
      await merge(duplicate, survivor)
      const answers = await Promise.all([
        undo(duplicate),
        postAsJson('resident', `/api/incidents/${survivor}/updates`, { body: 'Meanwhile' }),
        postAsJson('manager', `/api/incidents/${third}/merge`, { targetId: duplicate }),
        postAsJson('admin', `/api/incidents/${survivor}/updates`, { body: 'Seen', newStatus: 'in_progress' }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 201])
      const bodies = (await incident(survivor)).updates.map(({ body }: { body: string }) => body)
      expect(bodies).toEqual(expect.arrayContaining(['Meanwhile', 'Seen']))
      expect([duplicate, survivor]).toContain((await incident(third)).mergedInto)
    }
  })

  it('tells webhooks that the duplicate has its old status again', async () => {
    await house.subscription({ events: ['incident.status_changed', 'incident.merged'] })
    const [duplicate, survivor] = [await aCase(), await aCase()]
    await merge(duplicate, survivor)
    await undo(duplicate)
    const sent = await queryAfterFanOut<{ event: string; status: string }>(
      `select event, body::json -> 'incident' ->> 'status' as status from webhook_deliveries
       where body::json -> 'incident' ->> 'id' = $1 order by id`,
      [String(duplicate)],
    )
    expect(sent).toEqual([
      { event: 'incident.merged', status: 'verified' },
      { event: 'incident.status_changed', status: 'open' },
    ])
  })
})

describe('the survivor’s page', () => {
  it('offers staff to undo beside the entry, with the minutes left, and leads back to the duplicate', async () => {
    const [duplicate, survivor] = [await aCase(), await aCase()]
    await merge(duplicate, survivor)
    await mergedEarlier(duplicate, 7)
    const page = await house.page('manager', `/incidents/${survivor}`)
    const form = page(`.timeline form[action="/incidents/${duplicate}/unmerge"]`)
    expect(form.parent().text()).toContain(`INC-${duplicate} was merged into this report`)
    expect(form.text()).toContain('3 more minutes')
    const answer = await sendForm(`/incidents/${duplicate}/unmerge`, {})
    const second = await sendForm(`/incidents/${duplicate}/unmerge`, {})
    expect(second.headers.get('location')).toBe(`/incidents/${duplicate}?of=${duplicate}&notice=tap-separate`)
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/incidents/${duplicate}?notice=unmerged`,
    ])
    expect(
      (await house.page('manager', `/incidents/${survivor}`))('.timeline form[action$="/unmerge"]').length,
    ).toBe(0)
  })

  it('offers it to nobody else, and no longer when it is too late', async () => {
    const [duplicate, survivor] = [await aCase(), await aCase()]
    await merge(duplicate, survivor)
    for (const who of ['guest', 'resident'] as const)
      expect(
        (await house.page(who, `/incidents/${survivor}`))('.timeline form[action$="/unmerge"]').length,
      ).toBe(0)
    await mergedEarlier(duplicate, 10)
    expect(
      (await house.page('manager', `/incidents/${survivor}`))('.timeline form[action$="/unmerge"]').length,
    ).toBe(0)
  })
})

describe('the preview of a merge', () => {
  const standing = async (assetId: number) => {
    const { status, uptime30, uptime90 } = await house.json('guest', `/api/assets/${assetId}`)
    return { status, uptime30, uptime90 }
  }

  it('shows what the merge then does, and stores nothing', async () => {
    const duplicate = await aCase({ assetId: 3, severity: 'critical' })
    const survivor = await aCase({ assetId: 4, title: 'Survivor' }, 'board')
    const stored = () =>
      query('select * from incidents where id = any ($1) order by id', [[duplicate, survivor]])
    const before = await stored()
    const shown = await house.json('manager', `/api/incidents/${duplicate}/merge/preview`, {
      json: { targetId: survivor },
    })
    expect(await stored()).toEqual(before)
    expect(shown).toMatchObject({
      survivor: { id: survivor, title: 'Survivor' },
      duplicates: [{ id: duplicate, brings: [] }],
      becomesDowntime: false,
      assets: [{ assetId: 3 }, { assetId: 4 }],
    })
    expect(shown.newFollowers).toBeGreaterThan(0)
    for (const { assetId, before } of shown.assets) expect(await standing(assetId)).toEqual(before)
    await merge(duplicate, survivor)
    for (const { assetId, after } of shown.assets) expect((await standing(assetId)).status).toBe(after.status)
    expect(shown.assets[0].before.status).toBe('down')
    expect(shown.assets[0].after.status).not.toBe('down')
  })

  it('says that the survivor becomes downtime, and what is brought along', async () => {
    const [inner, duplicate, survivor] = [await aCase(), await aCase({ severity: 'critical' }), await aCase()]
    await merge(inner, duplicate)
    const shown = await house.json('manager', `/api/incidents/${duplicate}/merge/preview`, {
      json: { targetId: survivor },
    })
    expect(shown).toMatchObject({
      becomesDowntime: true,
      duplicates: [{ id: duplicate, brings: [inner] }],
      assets: [{ before: { status: 'down' }, after: { status: 'down' } }],
    })
    await merge(duplicate, survivor)
    expect(await incident(survivor)).toMatchObject({ isDowntime: true })
    await undo(duplicate)
    expect(await incident(survivor)).toMatchObject({ isDowntime: false })
  })

  it('refuses what the merge refuses', async () => {
    const [a, b] = [await aCase(), await aCase()]
    const preview = (id: number, json: unknown) =>
      postAsJson('manager', `/api/incidents/${id}/merge/preview`, json)
    expect((await preview(a, { targetId: a })).status).toBe(409)
    expect((await preview(a, { targetId: 2_000_000 })).status).toBe(422)
    expect((await preview(a, {})).status).toBe(422)
    await merge(a, b)
    expect(await problem(await preview(a, { targetId: b }))).toMatchObject({ code: 'merge_already_merged' })
  })

  it('is a page that asks, and whose form merges', async () => {
    const [duplicate, survivor] = [await aCase({ severity: 'high' }), await aCase()]
    const page = await house.page('manager', `/incidents/${duplicate}/merge/preview`, {
      form: { targetId: String(survivor) },
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(page('main').text()).toContain(`INC-${survivor}`)
    expect(page('main').text()).toMatch(/Uptime over 30 days: [\d.]+%, unchanged/)
    const form = page(`form[action="/incidents/${duplicate}/merge"]`)
    const fields = Object.fromEntries(form.serializeArray().map(({ name, value }) => [name, value]))
    expect((await sendForm(form.attr('action')!, fields)).status).toBe(303)
    expect(await incident(duplicate)).toMatchObject({ mergedInto: survivor })
  })
})

describe('merging duplicates on the survivor’s page', () => {
  it('takes five in three clicks: open, look, merge', async () => {
    const title = `Door of the roof sticks ${'xyz'}`
    const duplicates: number[] = []
    for (let i = 0; i < 5; i++) duplicates.push(await aCase({ assetId: 7, title }))
    const survivor = await aCase({ assetId: 7, title })
    const page = await house.page('manager', `/incidents/${survivor}`)
    const form = page(`form[action="/incidents/${survivor}/duplicates/preview"]`)
    const chosen = form.serializeArray().filter(({ name }) => name === 'duplicateIds[]')
    expect(chosen.map(({ value }) => Number(value)).sort()).toEqual(duplicates.toSorted())
    const preview = await house.page('manager', form.attr('action')!, {
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(
        form.serializeArray().map(({ name, value }): [string, string] => [name, value]),
      ),
    })
    const confirm = preview(`form[action="/incidents/${survivor}/duplicates"]`)
    const answer = await house.submit(
      'manager',
      confirm.attr('action')!,
      confirm.serializeArray().map(({ name, value }): [string, string] => [name, value]),
    )
    expect(answer.headers.get('location')).toBe(`/incidents/${survivor}?notice=mergedNow`)
    expect((await incident(survivor)).duplicates).toHaveLength(5)
  })

  it('skips what cannot be merged and says why', async () => {
    const [survivor, one, gone] = [await aCase(), await aCase(), await aCase()]
    await merge(gone, one)
    expect(
      await house.json('manager', `/api/incidents/${survivor}/duplicates`, {
        json: { duplicateIds: [one, one, gone, survivor] },
      }),
    ).toEqual({
      done: [one],
      skipped: [
        { id: gone, code: 'merge_already_merged' },
        { id: survivor, code: 'merge_into_itself' },
      ],
    })
  })

  it('says on the page whether all, some or none were merged', async () => {
    const [survivor, one, two, three] = [await aCase(), await aCase(), await aCase(), await aCase()]
    const noticeAfter = async (...ids: number[]) => {
      const form = ids.map((id): [string, string] => ['duplicateIds[]', String(id)])
      const answer = await house.submit('manager', `/incidents/${survivor}/duplicates`, form)
      const page = await house.page('manager', answer.headers.get('location')!)
      return page('[role=status]').first().text().trim()
    }
    expect(await noticeAfter(one)).toBe('Duplicate merged into this report.')
    expect(await noticeAfter(one, two)).toBe('Done, except those a colleague had already dealt with.')
    await merge(three, await aCase())
    expect(await noticeAfter(three)).toBe('Nothing changed. A colleague had already dealt with this.')
  })

  it('lists unresolved ones first, says of each how it stands, and ticks no resolved one', async () => {
    const title = 'Pump hums in the cellar'
    const resolved = await aCase({ assetId: 8, title, status: 'resolved' })
    const open = await aCase({ assetId: 8, title: 'Pump is loud' })
    const page = await house.page('manager', `/incidents/${await aCase({ assetId: 8, title })}`)
    const rows = page('form[action$="/merge/preview"] .choice')
      .toArray()
      .map((row) => page(row).text())
    expect(rows[0]).toContain(`INC-${open}`)
    expect(rows.find((row) => row.includes(`INC-${resolved}`))).toContain('Marked as fixed')
    expect(page(`#duplicate-${resolved}`).attr('checked')).toBeUndefined()
  })

  it.each([[{}], [{ duplicateIds: [] }], [{ duplicateIds: 'x' }]])('refuses %j', async (json) => {
    expect((await postAsJson('manager', '/api/incidents/1/duplicates', json)).status).toBe(422)
    expect((await postAsJson('manager', '/api/incidents/1/duplicates/preview', json)).status).toBe(422)
  })
})

function aCase(given: GivenReport = {}, reporter: Person = 'resident'): Promise<number> {
  return house.report({ reporter, assetId: 1, title: 'Rattles', ...given })
}

function postAsJson(who: Who, path: string, json: unknown = {}): Promise<Response> {
  return house.ask(who, path, { json })
}

function sendForm(path: string, form: Record<string, string>): Promise<Response> {
  return office.submit(path, form)
}

function merge(id: number, targetId: number) {
  return office.json(`/api/incidents/${id}/merge`, { json: { targetId } })
}

function undo(id: number, who: Who = 'manager'): Promise<Response> {
  return postAsJson(who, `/api/incidents/${id}/unmerge`)
}

function incident(id: number) {
  return office.json(`/api/incidents/${id}`)
}

/** Moves a merge into the past; fewer than none move it back. */
async function mergedEarlier(id: number, minutes: number): Promise<void> {
  await query(
    `update merges set merged_at = merged_at - make_interval(mins => $2::integer) where duplicate_id = $1`,
    [id, minutes],
  )
}

async function problem(answer: Response) {
  const { status, code, mergedInto } = (await answer.json()) as Record<string, unknown>
  return { status, code, ...(mergedInto ? { mergedInto } : {}) }
}
