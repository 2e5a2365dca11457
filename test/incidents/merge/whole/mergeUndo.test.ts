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

useDatabase()

const size = 6
let ids: number[]
let people: Actor[]

beforeEach(async () => {
  const users = await query<{ id: number; name: string; role: Role }>(
    `select id, name, role from users where email like '%@example.com' order by role`,
  )
  people = users.map((user) => ({ ...user, type: 'user', via: 'web' }))
})

const manager = () => people.find(({ role }) => role === 'manager')!

/** Reports on two assets: every severity, downtime or not, by different people. */
async function reports(): Promise<void> {
  const rows = await query<{ id: number }>(
    `insert into incidents (title, severity, source, asset_id, reporter_id, is_downtime, created_at)
     select 'Fault ' || n, (array['low', 'medium', 'critical'])[1 + n % 3], 'web', 1 + n % 4 / 3,
       ($1::integer[])[1 + n % cardinality($1)], n % 3 = 2 or n = 0, now() - n * interval '1 hour'
     from generate_series(0, $2::integer - 1) n returning id`,
    [people.map(({ id }) => id), size],
  )
  ids = rows.map(({ id }) => id)
  await query(
    `update incidents set assignee_id = case when id % 2 = 0 then $2::integer end,
       due_on = case when id % 3 <> 0 then date '2036-05-05' end,
       expected_back_at = case when id % 3 = 0 then timestamptz '2036-05-06 12:00Z' end,
       status_reason = case when id % 4 = 0 then 'waiting_for_parts' end
     where id = any ($1)`,
    [ids, manager().id],
  )
  await updateRunningImpacts(query, ids, new Date())
  await query(
    `insert into followers (incident_id, user_id) select id, reporter_id from incidents where id = any ($1)`,
    [ids],
  )
}

/** All that a merge and its undoing may change, as it stands; what is only added to is left out. */
async function standing() {
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

const place = fc.nat({ max: size - 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('merge' as const), of: place, into: place }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constantFrom('undo' as const, 'comment' as const, 'follow' as const, 'unfollow' as const),
      of: place,
      by: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('status' as const),
      of: place,
      to: fc.constantFrom(...statuses),
    }),
  },
)

const merge = (of: number, into: number) => mergeIncidents(manager(), ids[of]!, ids[into]!, 'merged')
const undo = (of: number) => unmergeIncident(manager(), ids[of]!, 'taken out')

async function take(step: Step): Promise<unknown> {
  const id = ids[step.of]!
  if (step.act === 'merge') return merge(step.of, step.into)
  if (step.act === 'undo') return undo(step.of)
  if (step.act === 'status') return patchIncident(manager(), id, { body: 'so', newStatus: step.to })
  const by = people[step.by % people.length]!
  if (step.act === 'comment') return patchIncident(by, id, { body: 'words', newStatus: null })
  return step.act === 'follow' ? followIncident(by, id) : unfollowIncident(by, id)
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

const runs = { numRuns: 200 }

describe('undoing a merge', () => {
  it('at once is as if it had never been, whatever happened before', { timeout: 900_000 }, async () => {
    let undone = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.array(fc.tuple(place, place), { minLength: 6, maxLength: 6 }),
        async (steps, pairs) => {
          await reports()
          for (const each of steps) await tried(() => take(each))
          for (const [of, into] of pairs) {
            const before = await standing()
            if (!(await tried(() => merge(of, into)))) continue
            await undo(of)
            undone++
            expect(await standing()).toEqual(before)
            await merge(of, into)
          }
          expect(await soundness()).toEqual({ chains: 0, forgotten: 0, untrue: 0 })
        },
      ),
      runs,
    )
    expect(undone).toBeGreaterThan(10)
  })

  it('of several merges in any order is as if none had been', { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 8 }),
        fc.shuffledSubarray([...Array(size).keys()], { minLength: size }),
        async (pairs, order) => {
          await reports()
          const before = await standing()
          for (const [of, into] of pairs) await tried(() => merge(of, into))
          // A duplicate whose survivor was merged further waits until that is undone.
          for (let left = order, rounds = 0; left.length > 0 && rounds < size; rounds++) {
            const waiting: number[] = []
            for (const of of left) if (!(await tried(() => undo(of)))) waiting.push(of)
            left = waiting
          }
          expect(await standing()).toEqual(before)
        },
      ),
      runs,
    )
  })

  it('leaves followers who chose to follow or acted meanwhile, and brings back nobody who stopped', async () => {
    await reports()
    const [duplicate, survivor] = [ids[0]!, ids[1]!]
    const followersOf = async (id: number) => {
      const rows = await query<{ name: string }>(
        'select u.name from followers f join users u on u.id = f.user_id where incident_id = $1 order by 1',
        [id],
      )
      return rows.map(({ name }) => name)
    }
    await query('delete from followers where incident_id = any ($1)', [[duplicate, survivor]])
    await query('update incidents set reporter_id = null where id = any ($1)', [[duplicate, survivor]])
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
    await reports()
    const person = people.find(({ role }) => role === 'resident')!
    const [one, other, survivor] = [0, 1, 2]
    await query('delete from followers where incident_id = any ($1)', [ids])
    await query('update incidents set reporter_id = null where id = any ($1)', [ids])
    for (const of of [one, other]) await followIncident(person, ids[of]!)
    const follows = async () =>
      (
        await query('select from followers where incident_id = $1 and user_id = $2', [
          ids[survivor],
          person.id,
        ])
      ).length
    await merge(one, survivor)
    await merge(other, survivor)
    await undo(one)
    expect(await follows()).toBe(1)
    await undo(other)
    expect(await follows()).toBe(0)
  })
})
