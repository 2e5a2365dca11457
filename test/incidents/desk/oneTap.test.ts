import { describe, expect, it } from 'vitest'
import { useHouse } from '../../support/house/house.js'
import { scalar } from '../../support/rows.js'

const house = useHouse()
const { office } = house
const ours = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }

describe('one tap', () => {
  it.each([
    ['acknowledge', 'open', 'acknowledged'],
    ['start', 'open', 'in_progress'],
    ['start', 'acknowledged', 'in_progress'],
    ['fixed', 'in_progress', 'resolved'],
    ['reopen', 'resolved', 'in_progress'],
    ['confirm', 'resolved', 'verified'],
  ] as const)('%s an incident that is %s, once', async (act, status, then) => {
    const id = await house.report({ status })
    expect(await (await tap(id, act)).json()).toMatchObject({ id, status: then })
    const before = (await house.json('manager', `/api/incidents/${id}`)).updates.length
    const second = await tap(id, act)
    expect([second.status, (await second.json()).updates.length]).toEqual([200, before])
    expect(await press(id, act)).toEqual([303, `/admin?tab=new&of=${id}&now=${then}&notice=tap-already`])
  })

  it('refuses what someone else has moved on, and a page says so where the button was', async () => {
    const id = await house.report({ status: 'verified' })
    expect((await tap(id, 'fixed')).status).toBe(409)
    expect(await press(id, 'fixed', '/admin?tab=inProgress&notice=tap-start&of=9#row-7')).toEqual([
      303,
      `/admin?tab=inProgress&of=${id}&now=verified&notice=tap-already#row-7`,
    ])
    const page = await house.page('manager', `/admin?of=${id}&now=verified&notice=tap-already`)
    expect(page('.notice').text().trim()).toBe(`Nothing changed. INC-${id} is already “Confirmed fixed”.`)
    const gone = await house.report()
    await office.merges(gone, id)
    expect((await press(gone, 'acknowledge'))[1]).toContain('notice=tap-merged')
  })

  it('goes nowhere else', async () => {
    for (const returnTo of ['//elsewhere.example', 'https://elsewhere.example/', ''])
      expect((await press(await house.report(), 'acknowledge', returnTo))[1]).toMatch(
        /^\/incidents\/\d+\?of=/,
      )
  })
})

describe('a confirmation by staff', () => {
  it('asks once, and can be undone for ten minutes', async () => {
    const id = await house.report({ status: 'resolved', closingReason: 'no_fault_found' })
    const back = '/admin?tab=toConfirm'
    const page = await house.page(
      'manager',
      `/admin/confirm/${id}?${new URLSearchParams({ returnTo: back })}`,
    )
    expect(page('main form').attr('action')).toBe(`/incidents/${id}/confirm`)
    expect(page('main form input[name=returnTo]').val()).toBe(back)
    const [, there] = await press(id, 'confirm', back)
    const notice = await house.page('manager', there!.toString())
    expect(notice('.notice form').attr('action')).toBe(`/incidents/${id}/undo`)
    expect(await press(id, 'undo', back)).toEqual([303, `${back}&of=${id}&notice=tap-undo`])
    expect(await house.json('manager', `/api/incidents/${id}`)).toMatchObject({
      status: 'resolved',
      closingReason: 'no_fault_found',
    })
    const action = await scalar<string>(
      'select action from audit_entries where entity_id = $1 order by id desc limit 1',
      [id],
    )
    expect(action).toBe('incident.confirmation_undone')
  })

  it('of an anonymous reporter is undone by that person alone, also when they are staff', async () => {
    const id = await house.report({ status: 'resolved', reporter: 'board', isAnonymous: true })
    await house.json('board', `/api/incidents/${id}/verify`, { json: { fixed: true } })
    expect(await (await tap(id, 'undo')).json()).toMatchObject({ code: 'undo_too_late' })
    await house.json('board', `/api/incidents/${id}/undo`, { json: {} })
    const { status, updates } = await house.json('guest', `/api/incidents/${id}`)
    expect(status).toBe('resolved')
    const authors = updates.map(({ authorName }: { authorName: string }) => authorName)
    expect(authors.slice(-2)).toEqual(['Anonymous resident', 'Anonymous resident'])
  })

  it('of a resident cannot be undone', async () => {
    const theirs = await house.report({ status: 'resolved' })
    await house.json('resident', `/api/incidents/${theirs}/verify`, { json: { fixed: true } })
    expect(await (await tap(theirs, 'undo')).json()).toMatchObject({ code: 'undo_too_late' })
    expect((await press(theirs, 'undo'))[1]).toContain('notice=tap-tooLate')
  })
})

it('a button pressed twice says why nothing happened on the page it was pressed on, unless something was typed', async () => {
  const id = await house.report({ status: 'resolved' })
  const answer = (form: Record<string, string>) =>
    house.ask('resident', `/incidents/${id}/verify`, {
      form: { fixed: 'true', ...form },
      headers: { ...ours, referer: `${house.origin()}/incidents/${id}?of=7&notice=tap-start` },
    })
  expect((await answer({})).headers.get('location')).toBe(`/incidents/${id}?notice=verified`)
  const there = (await answer({})).headers.get('location')!
  expect(there).toBe(`/incidents/${id}?notice=refused-incident_not_resolved`)
  const page = await house.page('resident', there)
  expect(page('.notice').text()).toContain('Someone answered before you')
  expect((await answer({ fixed: 'false', body: 'Typed with care' })).status).toBe(409)
})

/** The act by the API. */
function tap(id: number, act: string): Promise<Response> {
  return house.ask('manager', `/api/incidents/${id}/${act}`, { json: {} })
}

/** The act by its button; where the answer leads. */
async function press(id: number, act: string, returnTo = '/admin?tab=new') {
  const answer = await house.submit('manager', `/incidents/${id}/${act}`, { returnTo })
  return [answer.status, answer.headers.get('location')]
}
