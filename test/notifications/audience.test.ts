import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

vi.hoisted(() => Object.assign(process.env, { PUSH_ENABLED: 'true' }))

import { emptyOutbox, takeMessages } from '../support/email/messages.js'
import { accountOf, type Person } from '../support/house/acting.js'
import { choicesOf, forgetChoices } from '../support/house/choices.js'
import { followOnly } from '../support/house/followers.js'
import { useHouse } from '../support/house/house.js'
import { count } from '../support/rows.js'
import { perRun } from '../support/run/extent.js'

const house = useHouse()
const { office, board, admin } = house
const neighbour = 'george.adeyemi@example.com'
const staff: Person[] = ['admin', 'board', 'manager']
const everyone: Person[] = [...staff, 'mobile', neighbour, 'resident']
beforeAll(giveEachAPhone)
beforeEach(emptyOutbox)

describe('who is told', () => {
  it.each(Object.entries(acts()))('when someone %s', async (what, { by, act: carryOut, toStaff = false }) => {
    const cases = by.flatMap((who) => audiences.map((followers) => ({ who, followers })))
    for (const { who, followers } of perRun({ quick: { every: 6 }, whole: cases })) {
      const id = await house.report({ status: what.startsWith('says') ? 'resolved' : 'open' })
      await startFollowedBy(id, followers)
      await carryOut(who, id)
      const heard = [...new Set([...followers, ...(toStaff ? staff : [])])]
      const expected = { mail: withMailbox(heard, who), push: withPhone(heard, who) }
      expect(await notified(), `${who}, followed by ${followers}`).toEqual(expected)
    }
  })

  it.each(['resident', 'mobile', 'manager'] as const)(
    'of a report by %s: the staff by email, the reporter by a receipt, and the reporter’s phone',
    async (who) => {
      await act(who, '/api/incidents', { json: { assetId: 7, title: 'Broken', severity: 'medium' } })
      const email = [...new Set([...staff, who])].filter((each) => each !== 'mobile').sort()
      expect(await notified()).toEqual({ mail: email, push: [who] })
    },
  )

  it('of what is not fixed by nobody’s choice but their own: staff who want no new reports hear as followers only', async () => {
    await board.wants({ 'created.mail': false, 'created.push': false })
    await admin.wants({ 'status.mail': false })
    const id = await house.report({ status: 'resolved' })
    await startFollowedBy(id, ['admin'])
    await verify('resident', id, false)
    expect(await notified()).toEqual({ mail: ['admin', 'manager'], push: ['admin', 'manager'] })
    await forgetChoices()
  })

  it('of an email comment: not its author, and never by name when that hides', async () => {
    const id = await house.report({ isAnonymous: true })
    await startFollowedBy(id, ['resident', neighbour, 'board'])
    await writeEmail('resident', id, 'maya@else.example here: it is worse')
    const { emails } = await takeMessages()
    expect(emails.map(({ to }) => to.address).sort()).toEqual(['board@example.com', neighbour])
    for (const { text, html, subject } of emails) expect(subject + text + html).not.toMatch(/Maya|Okafor/)
  })
})

describe('staff who act follow', () => {
  it.each(Object.entries(followingActs()))(
    'when a manager %s, but not once they unfollowed',
    async (_what, carryOut) => {
      const fresh = await house.report()
      await carryOut('manager', fresh)
      expect(await follows('manager', fresh)).toBe(true)
      expect(await follows('board', fresh)).toBe(false)
      const id = await house.report()
      await office.answers(id)
      await unfollow('manager', id)
      await carryOut('manager', id)
      expect(await follows('manager', id)).toBe(false)
      await follow('manager', id)
      expect(await follows('manager', id)).toBe(true)
    },
  )

  it('and nobody sees it: not among the affected, not in what others read', async () => {
    const id = await house.report()
    const seen = () => house.json('guest', `/api/incidents/${id}`)
    const before = await seen()
    await act('manager', `/api/incidents/${id}`, {
      method: 'PATCH',
      json: { description: 'x', isDowntime: true },
    })
    await act('manager', `/api/incidents/${id}`, { method: 'PATCH', json: { isDowntime: false } })
    expect(await follows('manager', id)).toBe(true)
    expect(await seen()).toEqual(before)
    await follow('manager', id)
    expect((await seen()).affectedCount).toBe(before.affectedCount + 1)
  })

  it('and residents who comment do not', async () => {
    const id = await house.report()
    await comment(neighbour, id)
    await comment('mobile', id)
    expect([await follows(neighbour, id), await follows('mobile', id)]).toEqual([false, false])
  })

  it('an unfollow beside an act is remembered, whichever is first', async () => {
    const id = await house.report()
    await comment('manager', id, 'First')
    await Promise.all([
      comment('manager', id, 'Second'),
      unfollow('manager', id),
      comment('manager', id, 'Third'),
    ])
    expect(await follows('manager', id)).toBe(false)
  })

  it('and a merge brings nobody back who unfollowed the survivor; the duplicate’s reporter comes along (spec §3)', async () => {
    const [id, target] = [await house.report(), await house.report({ reporter: neighbour })]
    await follow('board', id)
    await unfollow('resident', id)
    await follow('board', target)
    await unfollow('board', target)
    await act('manager', `/api/incidents/${id}/merge`, { json: { targetId: target } })
    expect([await follows('resident', target), await follows('board', target)]).toEqual([true, false])
  })
})

async function giveEachAPhone(): Promise<void> {
  for (const who of everyone) await choicesOf(who).hasPhone(`phone of ${nameOf(who)}`)
}

type Act = (who: Person, id: number) => Promise<unknown>

/**
 * Every act on a report that notifies someone, and who may carry it out. `toStaff`: it reaches the
 * office, whoever follows.
 */
function acts(): Record<string, { by: Person[]; act: Act; toStaff?: true }> {
  return {
    comments: { by: everyone, act: (who, id) => comment(who, id) },
    'writes an email': { by: ['resident', neighbour], act: (who, id) => writeEmail(who, id) },
    'sets a status': { by: staff, act: (who, id) => comment(who, id, 'On it', 'in_progress') },
    'acknowledges on the desk': {
      by: staff,
      act: (who, id) => act(who, '/api/admin/acknowledge', { json: { ids: [id] } }),
    },
    'says it is fixed': { by: everyone, act: (who, id) => verify(who, id, true) },
    'says it is not fixed': { by: everyone, act: (who, id) => verify(who, id, false), toStaff: true },
    merges: {
      by: staff,
      act: async (who, id) => {
        const targetId = await house.report({ reporter: neighbour })
        await emptyOutbox()
        return act(who, `/api/incidents/${id}/merge`, { json: { targetId } })
      },
    },
  }
}

/** Decision 7.2: each of these makes staff follow, unless they unfollowed. */
function followingActs(): Record<string, Act> {
  return {
    comments: (who, id) => comment(who, id, 'Hm'),
    'sets a status': (who, id) => comment(who, id, 'On it', 'in_progress'),
    'acknowledges on the desk': (who, id) => act(who, '/api/admin/acknowledge', { json: { ids: [id] } }),
    corrects: (who, id) => act(who, `/api/incidents/${id}`, { method: 'PATCH', json: { title: 'Right' } }),
    places: (who, id) => act(who, '/api/admin/place', { json: { ids: [id], assetId: 5 } }),
    assigns: (who, id) => act(who, '/api/admin/assign', { json: { ids: [id], contactId: 4 } }),
    'takes in a duplicate': async (who, id) =>
      act(who, `/api/incidents/${await house.report({ reporter: neighbour })}/merge`, {
        json: { targetId: id },
      }),
  }
}

/** Asks as one of them; fails loudly. */
const act = (who: Person, path: string, asked: { json?: unknown; method?: string } = {}) =>
  house.json(who, path, asked)

const follow = (who: Person, id: number) => act(who, `/api/incidents/${id}/follow`, { method: 'POST' })

const unfollow = (who: Person, id: number) =>
  house.ask(who, `/api/incidents/${id}/follow`, { method: 'DELETE' })

const comment = (who: Person, id: number, body = 'And?', newStatus?: string) =>
  act(who, `/api/incidents/${id}/updates`, { json: { body, newStatus } })

const writeEmail = (who: Person, id: number, text = 'By mail') =>
  house.emails({ from: `<${addressOf(who)}>`, subject: `Re: [INC-${id}]`, text })

const verify = (who: Person, id: number, fixed: boolean) =>
  act(who, `/api/incidents/${id}/verify`, { json: { fixed } })

async function follows(who: Person, id: number): Promise<boolean> {
  const { id: userId } = await accountOf(who)
  return (await count('followers where incident_id = $1 and user_id = $2', [id, userId])) > 0
}

/** Followed by exactly these, and what happened before is not sent. */
async function startFollowedBy(id: number, followers: readonly Person[]): Promise<void> {
  await followOnly(id, followers)
  await emptyOutbox()
}

/** Who is notified of what waits, by email and by phone, sorted; twice is there twice. */
async function notified(): Promise<{ mail: string[]; push: string[] }> {
  const { emails, pushes } = await takeMessages()
  return {
    mail: emails.map(({ to }) => nameOf(to.address)).sort(),
    push: pushes.map(({ token }) => token.replace('phone of ', '')).sort(),
  }
}

const addressOf = (who: string) => (who.includes('@') ? who : `${who}@example.com`)

/** A person by the first part of their address. */
const nameOf = (who: string) => who.split('@')[0]!

/**
 * Decision 4.10: all phones of the mobile key are one user, so that one is notified of its own
 * acts, too.
 */
const withPhone = (people: readonly Person[], actor: Person) =>
  people
    .filter((who) => who !== actor || who === 'mobile')
    .map(nameOf)
    .sort()

/** The shared account of the app has no mailbox. */
const withMailbox = (people: readonly Person[], actor: Person) =>
  people
    .filter((who) => who !== actor && who !== 'mobile')
    .map(nameOf)
    .sort()

const audiences: Person[][] = [[], ['resident'], ['mobile'], ['board'], everyone]
