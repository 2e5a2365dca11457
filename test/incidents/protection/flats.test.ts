import { beforeAll, describe, expect, it } from 'vitest'
import { emptyOutbox, takeMessages } from '../../support/email/messages.js'
import type { Who } from '../../support/house/asking.js'
import { useHouse } from '../../support/house/house.js'
import { scalar } from '../../support/rows.js'
import { perRun } from '../../support/run/extent.js'
import { outsiders, surfaces } from './surfaces.js'

const house = useHouse()
const { office } = house
/** No other text holds it. */
const number = 'Q7X-4813'

let unitId: number
let tower: string
let incidents: number[]

beforeAll(reportFromFlat)

describe.each(['everybody', 'signed_in', 'staff'] as const)('flats shown to %s', (unitVisibility) => {
  beforeAll(() => set({ unitVisibility }))

  it('are read by those who may, and by nobody else', async () => {
    for (const who of readers) {
      const mayRead = sees[unitVisibility].includes(who)
      const one = await house.json(who, `/api/incidents/${incidents[0]}`)
      const expected = mayRead ? [unitId, `${tower} · ${number}`] : [null, tower]
      expect([who, one.unitId, one.unitName]).toEqual([who, ...expected])
      const listed = (await house.json(who, '/api/incidents')).find(({ id }: any) => id === incidents[0])
      expect([listed.unitId, listed.unitName]).toEqual(expected)
      expect((await house.ask(who, `/api/incidents?unitId=${unitId}`)).status).toBe(mayRead ? 200 : 400)
    }
  })

  it('are at no address of those who may not', async () => {
    for (const who of outsiders) {
      const mayRead = sees[unitVisibility].includes(who)
      const page = `/incidents/${incidents[0]}`
      // What flats there are, anybody may know who wants to report something.
      const others = surfaces(incidents, 3).filter(([path]) => !/^\/report|^\/api\/units/.test(path))
      const found: string[] = []
      for (const [path, accept] of mayRead ? [[page, 'text/html'] as const] : unread(who, others))
        if ((await (await house.ask(who, path, { headers: { accept } })).text()).includes(number))
          found.push(path)
      expect(found).toEqual(mayRead ? [page] : [])
      const form = await house.page(who, `/report?again=${incidents[0]}`)
      const chosen = form('#assetId option[selected]').attr('value') ?? ''
      expect(chosen).toBe(mayRead ? `unit-${unitId}` : '')
    }
  })

  it('are in emails only when everybody may read them, to staff too, because replies are public', async () => {
    await emptyOutbox()
    const json = { unitId, title: 'Cold radiator', severity: 'high' }
    const { id } = await house.json('resident', '/api/incidents', { json })
    await house.json('manager', `/api/incidents/${id}/updates`, {
      json: { body: 'On it', newStatus: 'in_progress' },
    })
    const { emails, pushes } = await takeMessages()
    const isStaff = ({ to }: { to: { address: string } }) => to.address !== 'resident@example.com'
    const created = emails.filter(({ text }) => text.includes('New report'))
    const moved = emails.filter((email) => !isStaff(email))
    expect(moved.length).toBeGreaterThan(0)
    for (const email of moved) expect(email.text.includes(number)).toBe(unitVisibility === 'everybody')
    const toStaff = emails
      .filter(isStaff)
      .filter((email) => created.includes(email) || email.text.includes('Cold'))
    expect(toStaff.length).toBeGreaterThan(0)
    expect(toStaff.some(({ text }) => text.includes(number))).toBe(unitVisibility === 'everybody')
    expect(JSON.stringify(pushes)).not.toContain(number)
  })

  it('are said to be so on the form, beside the flat and beside the hidden name', async () => {
    const page = await house.page('guest', '/report')
    const words = { everybody: 'Anyone can see', signed_in: 'Signed-in residents', staff: 'Only the office' }
    expect(page('#unitId .of-flat').text()).toContain(words[unitVisibility])
    const louder = page('#isAnonymous-hint .of-flat').text()
    expect(louder.includes('this may identify you')).toBe(unitVisibility !== 'staff')
  })
})

describe('a hidden name', () => {
  const names = () => scalar<string>(`select name from users where email = 'resident@example.com'`)
  const say = (json: object, who: Who = 'manager') =>
    house.ask(who, `/api/incidents/${incidents[0]}/updates`, { json })

  it('is marked for staff wherever they read it', async () => {
    for (const path of [`/incidents/${incidents[0]}`, '/incidents'])
      expect((await house.page('manager', path))('main').text()).toContain('(hidden from residents)')
    expect(await house.json('manager', `/api/incidents/${incidents[0]}`)).toMatchObject({ nameHidden: true })
    const shown = await house.json('resident', `/api/incidents/${incidents[0]}`)
    expect([shown.nameHidden, shown.reporterName]).toEqual([undefined, 'Anonymous resident'])
  })

  it('is refused in a public text of staff however it is written', async () => {
    const name = await names()
    for (const named of [name.split(' ')[0], name.toUpperCase()])
      expect((await say({ body: `Thank you, ${named}.` })).status).toBe(422)
    expect((await say({ body: 'Thank you, neighbour.' })).status).toBe(201)
    expect((await say({ body: '', statusReason: `${name} is not in` })).status).toBe(422)
  })

  it('is asked about by the form, which then sends it', async () => {
    const body = `Thank you,\r\n${await names()}`
    const headers = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }
    const path = `/incidents/${incidents[0]}/updates`
    const page = await house.page('manager', path, { headers, form: { body } })
    const namedAnyway = page('input[name=namedAnyway]').attr('value')!
    expect(page('main').text()).toContain('send again to post it anyway')
    expect((await house.submit('manager', path, { body, namedAnyway })).status).toBe(303)
  })

  /** A resident's anonymous report, which the office has resolved, and their name. */
  async function hiddenAndResolved(): Promise<{ id: number; name: string }> {
    const given = { unitId, title: 'Nobody said who', isAnonymous: true }
    const id = await house.report({ ...given, severity: 'low', status: 'resolved' })
    return { id, name: await names() }
  }
  const textsOfStaff: [string, 'PATCH' | 'POST', string, (text: string) => Record<string, unknown>][] = [
    ['body', 'POST', '/updates', (body) => ({ body })],
    ['title', 'PATCH', '', (title) => ({ title })],
    ['statusReason', 'POST', '/updates', (statusReason) => ({ newStatus: 'in_progress', statusReason })],
    ['body', 'POST', '/verify', (body) => ({ fixed: false, body })],
  ]

  it.each(textsOfStaff)(
    'is refused once in the %s of %s /api/incidents/:id%s',
    async (field, method, path, json) => {
      const { id, name } = await hiddenAndResolved()
      const send = (given: object) =>
        house.ask('manager', `/api/incidents/${id}${path}`, { method, json: given })
      const text = `As ${name} says`
      const refused = await send(json(text))
      expect([refused.status, (await refused.json()).errors]).toEqual([
        422,
        { [field]: [expect.stringContaining('This names the reporter')] },
      ])
      expect((await send({ ...json(text), namedAnyway: 'Another text' })).status).toBe(422)
      expect(JSON.stringify(await house.json('guest', `/api/incidents/${id}`))).not.toContain(name)
      expect((await send({ ...json(text), namedAnyway: text })).status).toBeLessThan(300)
    },
  )

  it.each([
    ['edit', 'title', {}],
    ['verify', 'body', { fixed: 'false' }],
  ])('is asked about by the form of %s, too', async (path, field, more) => {
    const { id, name } = await hiddenAndResolved()
    const headers = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }
    const form = { [field]: `As ${name} says`, ...more }
    const page = await house.page('manager', `/incidents/${id}/${path}`, { headers, form })
    const again = page(`form[action$="/${path}"] input[name=namedAnyway]`).attr('value')!
    expect(page('main').text()).toContain('send again to post it anyway')
    const sent = { headers, form: { ...form, namedAnyway: again } }
    expect((await house.ask('manager', `/incidents/${id}/${path}`, sent)).status).toBe(303)
  })

  it('stands in a title of the reporter’s own without keeping staff from correcting something else', async () => {
    const title = `It is ${await names()}`
    const id = await house.report({ unitId, title, severity: 'low', isAnonymous: true })
    const answer = await house.ask('manager', `/api/incidents/${id}`, {
      method: 'PATCH',
      json: { title, severity: 'high' },
    })
    expect(answer.status).toBe(200)
  })

  it('may stand in what residents write, and on an incident whose name is not hidden', async () => {
    const body = `I am ${await names()}.`
    expect((await say({ body }, 'resident')).status).toBe(201)
    const id = await house.report({ unitId, title: 'Open name', severity: 'low' })
    expect((await house.ask('manager', `/api/incidents/${id}/updates`, { json: { body } })).status).toBe(201)
  })
})

describe('emails that are public when the office has sorted them', () => {
  beforeAll(() => set({ emailVisibility: 'when_sorted' }))

  it.each(['stranger@example.net', 'resident@example.com'])('wait for it, from %s', async (from) => {
    const before = await house.json('guest', '/api/incidents')
    const text = `Words of a person at ${from.split('@')[1]}`
    expect(await house.emails({ from, subject: 'Bin room', text })).toEqual({
      action: 'ignored',
      reason: 'held',
    })
    expect(await house.json('guest', '/api/incidents')).toEqual(before)
    const [held] = await house.json('manager', '/api/admin/held-emails')
    const { incidentIds } = await house.json('manager', '/api/admin/held-emails/accept', {
      json: { ids: [held.id] },
    })
    expect(await house.json('guest', `/api/incidents/${incidentIds[0]}`)).toMatchObject({ description: text })
  })

  it('wait also when they are added to an incident, which they then are', async () => {
    const id = incidents[0]!
    const { updates } = await house.json('guest', `/api/incidents/${id}`)
    const given = {
      from: 'resident@example.com',
      subject: `Re: [INC-${id}] tap`,
      text: 'Still dripping by mail',
    }
    expect(await house.emails(given)).toEqual({ action: 'ignored', reason: 'held' })
    expect((await house.json('guest', `/api/incidents/${id}`)).updates).toEqual(updates)
    const [held] = await house.json('manager', '/api/admin/held-emails')
    await house.json('manager', '/api/admin/held-emails/accept', { json: { ids: [held.id] } })
    expect((await house.json('guest', `/api/incidents/${id}`)).updates.at(-1).body).toBe(
      'Still dripping by mail',
    )
  })

  it('are public at once again, when that is set', async () => {
    await set({ emailVisibility: 'at_once' })
    const answer = await house.emails({ from: 'stranger@example.net', subject: 'Lamp', text: 'Dark' })
    expect(answer).toMatchObject({ action: 'created' })
  })
})

const readers: Who[] = [...outsiders, 'board', 'manager', 'admin']

/** Who reads which flat it is, by the setting of the building. */
const sees: Record<'everybody' | 'signed_in' | 'staff', Who[]> = {
  everybody: readers,
  signed_in: readers.filter((who) => who !== 'guest' && who !== 'mobile'),
  staff: ['board', 'manager', 'admin'],
}

function set(json: object) {
  return house.json('manager', '/api/admin/property', { method: 'PATCH', json })
}

/** A report of the flat without a name, and a duplicate of it with one. */
async function reportFromFlat(): Promise<void> {
  const [first] = await house.json('manager', '/api/admin/towers')
  tower = first.name
  unitId = await house.unit({ towerId: first.id, number, floor: 3 })
  const flat = { unitId, severity: 'high' } as const
  const survivor = await house.report({ ...flat, title: 'Dripping tap', isAnonymous: true })
  const duplicate = await house.report({ ...flat, title: 'Tap drips' })
  await office.merges(duplicate, survivor)
  incidents = [survivor, duplicate]
}

/** In the usual run every sixth address for each of them, of each another. */
function unread(who: Who, all: [string, string][]): readonly [string, string][] {
  return perRun({ quick: { every: 6, from: readers.indexOf(who) }, whole: all })
}
