import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { followIncident, unfollowIncident } from '../../../../src/incidents/acts/followIncident.js'
import { mergeIncidents } from '../../../../src/incidents/acts/merge/mergeIncidents.js'
import { unmergeIncident } from '../../../../src/incidents/acts/merge/unmergeIncident.js'
import { patchIncident } from '../../../../src/incidents/acts/patchIncident.js'
import { query } from '../../../../src/platform/db/database.js'
import { updateRunningImpacts } from '../../../../src/status/impacts/storeImpacts.js'
import { Conflict } from '../../../../src/vocabulary/conflict.js'
import { statuses } from '../../../../src/vocabulary/lifecycle.js'
import type { Actor } from '../../../../src/vocabulary/people/actor.js'
import type { Role } from '../../../../src/vocabulary/people/permissions.js'
import { useDatabase } from '../../../support/database.js'
import { manyReports } from '../../../support/house/manyReports.js'
import { count } from '../../../support/rows.js'

useDatabase()

const size = 6
const anyReport = fc.nat({ max: size - 1 })
let ids: number[]
let people: Actor[]

beforeEach(async () => {
  people = await demoPeople()
})

describe('undoing a merge', () => {
  it('at once is as if it had never been, whatever happened before', { timeout: 900_000 }, async () => {
    let undone = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep(), { maxLength: 14 }),
        fc.array(fc.tuple(anyReport, anyReport), { minLength: 6, maxLength: 6 }),
        async (steps, pairs) => {
          await storeReports({ followed: true })
          for (const each of steps) await tried(() => takeStep(each))
          for (const [of, into] of pairs) {
            const before = await storedNow()
            if (!(await tried(() => merge(of, into)))) continue
            await undo(of)
            undone++
            expect(await storedNow()).toEqual(before)
            await merge(of, into)
          }
          expect(await soundness()).toEqual({ chains: 0, forgotten: 0, untrue: 0 })
        },
      ),
      { numRuns: 200 },
    )
    expect(undone).toBeGreaterThan(10)
  })

  it('of several merges in any order is as if none had been', { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyReport, anyReport), { minLength: 1, maxLength: 8 }),
        fc.shuffledSubarray([...Array(size).keys()], { minLength: size }),
        async (pairs, order) => {
          await storeReports({ followed: true })
          const before = await storedNow()
          for (const [of, into] of pairs) await tried(() => merge(of, into))
          // A duplicate whose survivor was merged further waits until that is undone.
          for (let left = order, rounds = 0; left.length > 0 && rounds < size; rounds++) {
            const waiting: number[] = []
            for (const of of left) if (!(await tried(() => undo(of)))) waiting.push(of)
            left = waiting
          }
          expect(await storedNow()).toEqual(before)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('leaves followers who chose to follow or acted meanwhile, and brings back nobody who stopped', async () => {
    await storeReports({ followed: false })
    const [duplicate, survivor] = [ids[0]!, ids[1]!]
    const followersOf = async (id: number) => {
      const rows = await query<{ name: string }>(
        'select u.name from followers f join users u on u.id = f.user_id where incident_id = $1 order by 1',
        [id],
      )
      return rows.map(({ name }) => name)
    }
    const [chooser, writer, leaver, silent] = people
    for (const person of people) await followIncident(person, duplicate)
    await followIncident(leaver!, survivor)
    await mergeIncidents(manager(), duplicate, survivor, 'merged')
    await followIncident(chooser!, survivor)
    await patchIncident(writer!, survivor, { body: 'words', newStatus: null })
    await unfollowIncident(leaver!, survivor)
    await unmergeIncident(chooser!, duplicate, 'taken out')
    expect(await followersOf(survivor)).toEqual([chooser!.name, writer!.name].sort())
    expect(await followersOf(survivor)).not.toContain(silent!.name)
    expect((await followersOf(duplicate)).length).toBe(people.length)
  })

  it('leaves who follows for another duplicate, until that is taken out, too', async () => {
    await storeReports({ followed: false })
    const person = people.find(({ role }) => role === 'resident')!
    const [one, other, survivor] = [0, 1, 2]
    for (const of of [one, other]) await followIncident(person, ids[of]!)
    const follows = () =>
      count('followers where incident_id = $1 and user_id = $2', [ids[survivor], person.id])
    await merge(one, survivor)
    await merge(other, survivor)
    await undo(one)
    expect(await follows()).toBe(1)
    await undo(other)
    expect(await follows()).toBe(0)
  })
})

async function demoPeople(): Promise<Actor[]> {
  const users = await query<{ id: number; name: string; role: Role }>(
    `select id, name, role from users where email like '%@example.com' order by role`,
  )
  return users.map((user) => ({ ...user, type: 'user', via: 'web' }))
}

function manager(): Actor {
  return people.find(({ role }) => role === 'manager')!
}

/**
 * Reports on two assets: every severity, downtime or not, with and without an assignee, a due date
 * and what is expected. `followed`: by different people, who reported them.
 */
async function storeReports({ followed }: { followed: boolean }): Promise<void> {
  const reporters = `(array[${people.map(({ id }) => id)}])`
  ids = await manyReports(size, {
    title: `'Fault ' || n`,
    severity: `(array['low', 'medium', 'critical'])[1 + (n - 1) % 3]`,
    asset_id: '1 + (n - 1) % 4 / 3',
    reporter_id: followed ? `${reporters}[1 + n % cardinality(${reporters})]` : 'null::integer',
    is_downtime: 'n % 3 = 0 or n = 1',
    created_at: `now() - n * interval '1 hour'`,
    assignee_id: `case when n % 2 = 0 then ${manager().id} end`,
    due_on: `case when n % 3 <> 0 then date '2036-05-05' end`,
    expected_back_at: `case when n % 3 = 0 then timestamptz '2036-05-06 12:00Z' end`,
    status_reason: `case when n % 4 = 0 then 'waiting_for_parts' end`,
  })
  await updateRunningImpacts(query, ids, new Date())
  await query(
    `insert into followers (incident_id, user_id)
     select id, reporter_id from incidents where id = any ($1) and reporter_id is not null`,
    [ids],
  )
}

/** All that a merge and its undoing may change, as it stands; what is only added to is left out. */
async function storedNow() {
  const incidents = await query('select * from incidents where id = any ($1) order by id', [ids])
  const followers = await query(
    'select incident_id, user_id, by_choice, by_merge from followers where incident_id = any ($1) order by 1, 2',
    [ids],
  )
  const merges = await query('select * from merges where survivor_id = any ($1) order by duplicate_id', [ids])
  const impacts = await query(
    `select incident_id, asset_id, impact from asset_impacts
     where incident_id = any ($1) and ended_at is null order by 1`,
    [ids],
  )
  return { incidents, followers, merges, impacts }
}

type Step =
  | { act: 'merge'; of: number; into: number }
  | { act: 'undo' | 'comment' | 'follow' | 'unfollow'; of: number; by: number }
  | { act: 'status'; of: number; to: (typeof statuses)[number] }

function anyStep(): fc.Arbitrary<Step> {
  const merge = fc.record({ act: fc.constant('merge' as const), of: anyReport, into: anyReport })
  const byPerson = fc.record({
    act: fc.constantFrom('undo' as const, 'comment' as const, 'follow' as const, 'unfollow' as const),
    of: anyReport,
    by: fc.nat({ max: 3 }),
  })
  const status = fc.record({
    act: fc.constant('status' as const),
    of: anyReport,
    to: fc.constantFrom(...statuses),
  })
  return fc.oneof(
    { weight: 4, arbitrary: merge },
    { weight: 4, arbitrary: byPerson },
    { weight: 1, arbitrary: status },
  )
}

async function takeStep(step: Step): Promise<unknown> {
  const id = ids[step.of]!
  if (step.act === 'merge') return merge(step.of, step.into)
  if (step.act === 'undo') return undo(step.of)
  if (step.act === 'status') return patchIncident(manager(), id, { body: 'so', newStatus: step.to })
  const by = people[step.by % people.length]!
  if (step.act === 'comment') return patchIncident(by, id, { body: 'words', newStatus: null })
  return step.act === 'follow' ? followIncident(by, id) : unfollowIncident(by, id)
}

function merge(of: number, into: number): Promise<number> {
  return mergeIncidents(manager(), ids[of]!, ids[into]!, 'merged')
}

function undo(of: number): Promise<number> {
  return unmergeIncident(manager(), ids[of]!, 'taken out')
}

/** Whether a rule allowed it. Throws on anything but a refusal. */
async function tried(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (error instanceof Conflict) return false
    throw error
  }
}

/** No duplicate of a duplicate, each merge stored, and each running impact as the fields say. */
async function soundness() {
  const [row] = await query(
    `select
       (select count(*)::integer from incidents i join incidents s on s.id = i.merged_into_id
        where s.merged_into_id is not null) as chains,
       (select count(*)::integer from incidents i left join merges m on m.duplicate_id = i.id
        where i.id = any ($1) and (i.merged_into_id is null) <> (m.duplicate_id is null)) as forgotten,
       (select count(*)::integer from incidents i
        left join asset_impacts r on r.incident_id = i.id and r.ended_at is null
        where i.id = any ($1) and r.impact is distinct from case
          when i.resolved_at is not null then null when i.is_downtime then 'down'
          when i.severity <> 'low' then 'degraded' end) as untrue`,
    [ids],
  )
  return row
}
