import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

vi.hoisted(() => {
  process.env.PUSH_ENABLED = 'true'
})

import { query } from '../../src/platform/db/database.js'
import { emptyOutbox, takeMessages } from '../support/email/messages.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import type { GivenReport } from '../support/house/report.js'
import { scalar } from '../support/rows.js'
import { perRun } from '../support/run/extent.js'

const house = useHouse()
const { office } = house
afterAll(() => {
  process.env.PUSH_ENABLED = ''
})
const everybody: Person[] = ['admin', 'board', 'manager', 'mobile', 'neighbour', 'resident']
const staff: Person[] = ['admin', 'board', 'manager']
let neighbourCookie = ''
const ids = new Map<Person, number>()

beforeAll(async () => {
  await house.user({ name: 'Ned Neighbour', email: neighbour })
  await query(`update users set active = false where not is_mobile_reporter and email <> all ($1)`, [
    [...staff, 'resident', 'neighbour'].map((name) => `${name}@example.com`),
  ])
  neighbourCookie = await house.signIn(neighbour)
  for (const who of everybody) {
    await act(who, '/api/devices', { json: { token: `phone of ${who}`, platform: 'ios' } })
    ids.set(
      who,
      await scalar<number>('select user_id as id from devices where token = $1', [`phone of ${who}`]),
    )
  }
})
beforeEach(emptyOutbox)

let n = 0

/**
 * Every act on an incident that tells somebody, and who may do it. `toStaff`: it reaches the
 * office, whoever follows.
 */
const acts: Record<
  string,
  { by: Person[]; do: (who: Person, id: number) => Promise<unknown>; toStaff?: true }
> = {
  comments: { by: everybody, do: (who, id) => comment(who, id) },
  'writes an email': { by: ['resident', 'neighbour'], do: (who, id) => byEmail(who, id) },
  'sets a status': { by: staff, do: (who, id) => comment(who, id, 'On it', 'in_progress') },
  'acknowledges on the desk': {
    by: staff,
    do: (who, id) => act(who, '/api/admin/acknowledge', { json: { ids: [id] } }),
  },
  'says it is fixed': { by: everybody, do: (who, id) => verify(who, id, true) },
  'says it is not fixed': { by: everybody, do: (who, id) => verify(who, id, false), toStaff: true },
  merges: {
    by: staff,
    do: async (who, id) => {
      const targetId = await report('neighbour')
      await emptyOutbox()
      return act(who, `/api/incidents/${id}/merge`, { json: { targetId } })
    },
  },
}

describe('who is told', () => {
  it.each(Object.entries(acts))('when someone %s', async (what, { by, do: act, toStaff = false }) => {
    const cases = by.flatMap((who) => audiences.map((followers) => ({ who, followers })))
    for (const { who, followers } of perRun({ quick: { every: 6 }, whole: cases })) {
      const id = await report('resident', what.startsWith('says') ? { status: 'resolved' } : {})
      await followedBy(id, followers)
      await act(who, id)
      const heard = [...new Set([...followers, ...(toStaff ? staff : [])])]
      const expected = { mail: mailboxes(heard, who).sort(), push: phones(heard, who).sort() }
      expect(await notified(), `${who}, followed by ${followers}`).toEqual(expected)
    }
  })

  it.each(['resident', 'mobile', 'manager'] as const)(
    'of a report by %s: the staff by email, the reporter by a receipt, and the reporter’s phone',
    async (who) => {
      await act(who, '/api/incidents', { json: { assetId: 7, title: `Broken ${++n}`, severity: 'medium' } })
      const email = [...new Set([...staff, who])].filter((each) => each !== 'mobile').sort()
      expect(await notified()).toEqual({ mail: email, push: [who] })
    },
  )

  it('of what is not fixed by nobody’s choice but their own: staff who want no new reports hear as followers only', async () => {
    await query(
      `update users set notifications = '{"created.mail": false, "created.push": false}'
       where email = 'board@example.com'`,
    )
    await query(`update users set notifications = '{"status.mail": false}' where email = 'admin@example.com'`)
    const id = await report('resident', { status: 'resolved' })
    await followedBy(id, ['admin'])
    await verify('resident', id, false)
    expect(await notified()).toEqual({ mail: ['admin', 'manager'], push: ['admin', 'manager'] })
    await query(`update users set notifications = '{}'`)
  })

  it('of an email comment: not its author, and never by name when that hides', async () => {
    const id = await report('resident', { isAnonymous: true })
    await followedBy(id, ['resident', 'neighbour', 'board'])
    await byEmail('resident', id, 'maya@else.example here: it is worse')
    const { emails } = await takeMessages()
    expect(emails.map(({ to }) => to.address).sort()).toEqual(['board@example.com', neighbour])
    for (const { text, html, subject } of emails) expect(subject + text + html).not.toMatch(/Maya|Okafor/)
  })
})

/** Decision 7.2: each of these makes staff follow, unless they unfollowed. */
const followingActs: Record<string, (who: Person, id: number) => Promise<unknown>> = {
  comments: (who, id) => comment(who, id, 'Hm'),
  'sets a status': (who, id) => comment(who, id, 'On it', 'in_progress'),
  'acknowledges on the desk': (who, id) => act(who, '/api/admin/acknowledge', { json: { ids: [id] } }),
  corrects: (who, id) =>
    act(who, `/api/incidents/${id}`, { method: 'PATCH', json: { title: `Right ${++n}` } }),
  places: (who, id) => act(who, '/api/admin/place', { json: { ids: [id], assetId: 5 } }),
  assigns: (who, id) => act(who, '/api/admin/assign', { json: { ids: [id], contactId: 4 } }),
  'takes in a duplicate': async (who, id) =>
    act(who, `/api/incidents/${await report('neighbour')}/merge`, { json: { targetId: id } }),
}

describe('staff who act follow', () => {
  it.each(Object.keys(followingActs))('when a manager %s, but not once they unfollowed', async (what) => {
    const fresh = await report('resident')
    await followingActs[what]!('manager', fresh)
    expect(await follows('manager', fresh)).toBe(true)
    expect(await follows('board', fresh)).toBe(false)
    const id = await report('resident')
    await office.answers(id)
    await act('manager', `/api/incidents/${id}/follow`, { method: 'DELETE' })
    await followingActs[what]!('manager', id)
    expect(await follows('manager', id)).toBe(false)
    await act('manager', `/api/incidents/${id}/follow`, { method: 'POST' })
    expect(await follows('manager', id)).toBe(true)
  })

  it('and nobody sees it: not among the affected, not in what others read', async () => {
    const id = await report('resident')
    const seen = () => house.json('guest', `/api/incidents/${id}`)
    const before = await seen()
    await act('manager', `/api/incidents/${id}`, {
      method: 'PATCH',
      json: { description: 'x', isDowntime: true },
    })
    await act('manager', `/api/incidents/${id}`, { method: 'PATCH', json: { isDowntime: false } })
    expect(await follows('manager', id)).toBe(true)
    expect(await seen()).toEqual(before)
    await act('manager', `/api/incidents/${id}/follow`, { method: 'POST' })
    expect((await seen()).affectedCount).toBe(before.affectedCount + 1)
  })

  it('and residents who comment do not', async () => {
    const id = await report('resident')
    await comment('neighbour', id)
    await comment('mobile', id)
    expect([await follows('neighbour', id), await follows('mobile', id)]).toEqual([false, false])
  })

  it('an unfollow beside an act is remembered, whichever is first', async () => {
    const id = await report('resident')
    await comment('manager', id, 'First')
    await Promise.all([
      comment('manager', id, 'Second'),
      act('manager', `/api/incidents/${id}/follow`, { method: 'DELETE' }),
      comment('manager', id, 'Third'),
    ])
    expect(await follows('manager', id)).toBe(false)
  })

  it('and a merge brings nobody back who unfollowed the survivor; the duplicate’s reporter comes along (spec §3)', async () => {
    const [id, target] = [await report('resident'), await report('neighbour')]
    await act('board', `/api/incidents/${id}/follow`, { method: 'POST' })
    await act('resident', `/api/incidents/${id}/follow`, { method: 'DELETE' })
    await act('board', `/api/incidents/${target}/follow`, { method: 'POST' })
    await act('board', `/api/incidents/${target}/follow`, { method: 'DELETE' })
    await act('manager', `/api/incidents/${id}/merge`, { json: { targetId: target } })
    expect([await follows('resident', target), await follows('board', target)]).toEqual([true, false])
  })
})

type Person = 'resident' | 'neighbour' | 'mobile' | 'board' | 'manager' | 'admin'

const neighbour = 'neighbour@example.com' as const

/** Asks as one of them; fails loudly. */
async function act(who: Person, path: string, asked: { method?: string; json?: unknown } = {}) {
  if (who !== 'neighbour') return house.ask(who as Who, path, asked).then(succeeded)
  return house.ask({ cookie: neighbourCookie }, path, { ...asked }).then(succeeded)
}

async function succeeded(answer: Response) {
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return answer.status === 204 ? null : answer.json()
}

const accountOf = (who: Person) => (who === 'neighbour' ? neighbour : who)

const report = (who: Person = 'resident', given: GivenReport = {}) =>
  house.report({ reporter: accountOf(who), title: `Broken ${++n}`, ...given })

const comment = (who: Person, id: number, body = 'And?', newStatus?: string) =>
  act(who, `/api/incidents/${id}/updates`, { json: { body, newStatus } })

const byEmail = (who: Person, id: number, text = 'By mail') =>
  act('inbound' as Person, '/api/inbound-email', {
    json: { from: `<${who}@example.com>`, subject: `Re: [INC-${id}]`, text },
  })

const verify = (who: Person, id: number, fixed: boolean) =>
  act(who, `/api/incidents/${id}/verify`, { json: { fixed } })

const follows = async (who: Person, id: number) =>
  (await query('select from followers where incident_id = $1 and user_id = $2', [id, ids.get(who)])).length >
  0

/** Follows with exactly these, and nothing else that happened before is told. */
async function followedBy(id: number, followers: readonly Person[]): Promise<void> {
  await query('delete from followers where incident_id = $1', [id])
  for (const who of followers)
    await query('insert into followers (incident_id, user_id) values ($1, $2)', [id, ids.get(who)])
  await emptyOutbox()
}

/** Who is told of what waits, by email and by phone, sorted; twice is there twice. */
async function notified() {
  const { emails, pushes } = await takeMessages()
  return {
    mail: emails.map(({ to }) => to.address.split('@')[0]!).sort(),
    push: pushes.map(({ token }) => token.replace('phone of ', '')).sort(),
  }
}

const without = (people: readonly Person[], ...gone: Person[]) => people.filter((who) => !gone.includes(who))

/**
 * Decision 4.10: all phones of the mobile key are one user, so that one is
 * told of its own acts, too.
 */
const phones = (people: readonly Person[], actor: Person) =>
  people.filter((who) => who !== actor || who === 'mobile')

/** The shared account of the app has no mailbox. */
const mailboxes = (people: readonly Person[], actor: Person) => without(people, actor, 'mobile')

const audiences: Person[][] = [[], ['resident'], ['mobile'], ['board'], everybody]
