import { beforeAll, describe, expect, it } from 'vitest'
import { filteredSql, type IncidentFilters } from '../../../src/incidents/model/search/filters.js'
import { matchesByIdSql, mostIds, replaceByIds } from '../../../src/incidents/model/search/searchByIds.js'
import { matchesSql } from '../../../src/incidents/model/search/searchSql.js'
import { parseSearch } from '../../../src/incidents/model/search/searchWords.js'
import { query, queryUnprepared } from '../../../src/platform/db/database.js'
import { asOwner, useDatabase } from '../../support/database.js'
import { manyReports } from '../../support/house/manyReports.js'
import { manyRows } from '../../support/rows.js'

const url = useDatabase()
const count = 20_000

beforeAll(storeReports)

describe('the first page', () => {
  it.each(['guest', 'staff'])(
    'of a rare word is read by its index, and few by their ids: for %s',
    async (who) => {
      const filters = { search: await parseSearch('rare', who === 'staff') }
      expect((await planOfHits(filters)).text).toContain('incident_search_words')
      const { ids, search } = await replaceByIds(filters)
      expect([ids!.length, search]).toEqual([10, undefined])
      expect((await planOfPage({ ids })).text).toContain('incidents_pkey')
    },
  )

  it('of a rare word that staff alone read is read by its index, and found for no one else', async () => {
    const search = await parseSearch('egret', true)
    expect((await planOfHits({ search })).text).toContain('incident_search_office_words')
    expect((await replaceByIds({ search })).ids).toHaveLength(10)
    expect((await replaceByIds({ search: await parseSearch('egret', false) })).ids).toEqual([])
  })

  it.each([
    ['guest', 'half'],
    ['staff', 'half'],
    ['guest', 'w1'],
    ['staff', 'w1'],
    ['staff', 'half w1'],
  ])(
    'of a frequent word, or the beginning of many, sorts nothing and stops when it is full: for %s, %s',
    async (who, words) => {
      const asked = { search: await parseSearch(words, who === 'staff') }
      const filters = await replaceByIds(asked)
      expect(filters).toEqual({ ...asked, rowByRow: true })
      for (const sort of ['newest', 'activity', 'severity', 'oldest'] as const) {
        const { text } = await planOfPage({ ...filters, sort })
        expect(text, sort).not.toMatch(/Sort|Seq Scan on incident/)
        expect(text, sort).not.toContain('incident_search_words')
      }
    },
  )

  it('of words of which one is rare is read by that one, and few rows are tested for the other', async () => {
    const { ids, search } = await replaceByIds({ search: await parseSearch('rare half', true) })
    expect([ids!.length, search!.terms.length]).toEqual([10, 1])
    const { text } = await planOfPage({ ids, search, rowByRow: true })
    expect(text).not.toContain('incident_search_words')
  })

  it('of a word that the newest do not say is left to the planner', async () => {
    const asked = { search: await parseSearch('gone', false) }
    expect(count / 2).toBeGreaterThan(mostIds)
    expect(await replaceByIds(asked)).toEqual(asked)
  })

  it('of the name of a place is read by the indexes of words and of places', async () => {
    await asOwner(
      `insert into assets (tower_id, name, category) select min(id), 'Dumbwaiter', 'Lift' from towers;
       update incidents set asset_id = (select id from assets where name = 'Dumbwaiter')
       where id in (select id from incidents order by id desc limit 5);
       analyze incidents`,
      url(),
    )
    for (const byStaff of [false, true]) {
      const filters = { search: await parseSearch('dumbwaiter', byStaff) }
      const { text } = await planOfHits(filters)
      expect(text).toContain('incident_search_words')
      expect(text).not.toMatch(/Seq Scan on incidents/)
      expect((await replaceByIds(filters)).ids).toHaveLength(5)
      const both = await replaceByIds({ search: await parseSearch('dumbwaiter half', byStaff) })
      expect([both.ids!.length, both.search!.terms.length]).toEqual([5, 1])
    }
  })

  it.each([
    [{ sort: 'oldest' }, 'incidents_by_time'],
    [{ sort: 'activity' }, 'incident_search_activity'],
    [{ sort: 'severity' }, 'incidents_by_rank'],
    [{ sort: 'due' }, 'incidents_by_due_day'],
    [{ open: true }, 'incidents_not_resolved'],
    [
      { from: new Date(Date.now() - 90 * 86_400_000), to: new Date(Date.now() - 60 * 86_400_000) },
      'incidents_by_time',
    ],
    [{ assigneeId: 1 }, 'incidents_of_assignee'],
    [{ contactId: 1 }, 'incidents_of_contact'],
  ] as [IncidentFilters, string][])('of %o is read by an index in its order', async (filters, index) => {
    const { text, cost } = await planOfPage(filters)
    expect(text).toContain(index)
    expect(text).not.toMatch(/Seq Scan on incident/)
    expect(cost).toBeLessThan(200)
  })

  it('goes on from where a page ended, by the same index', async () => {
    const after = { value: '2026-01-01 00:00:00+00', id: 7 }
    const { text } = await planOfPage({ sort: 'activity', after })
    expect(text).toMatch(/incident_search_activity/)
    expect(text).toMatch(/Index Cond: \(ROW\(active_at, incident_id\)/)
  })
})

it('names of users are looked up by an index', async () => {
  const email = `'many' || n || '@example.com'`
  await manyRows('users', 2_000, { name: `'Resident ' || n`, email, role: `'resident'` })
  await asOwner('analyze users', url())
  const { text } = await planOf(`select u.id from users u where search_lexemes(u.name) @@ $1::tsquery`, [
    `'nobody':*`,
  ])
  expect(text).toContain('users_by_name')
  expect(
    await query('select id from users where search_lexemes(name) @@ $1::tsquery', [`'1999':*`]),
  ).toHaveLength(1)
})

/**
 * Reports with an index of words: `half` is in every second, `rare` in ten, `gone` in the older
 * half; of 3,000 words every third begins with `w1`. `egret` is for staff alone.
 */
async function storeReports(): Promise<void> {
  await asOwner('alter table incidents disable trigger user', url())
  const at = `now() - (${count + 1} - n) * interval '1 hour'`
  const closed = { status: `'verified'`, acknowledged_at: at, resolved_at: at, verified_at: at }
  const severity = `(array['low', 'medium', 'high', 'critical'])[1 + n % 4]`
  await manyReports(count, { ...closed, severity, asset_id: '1 + n % 5', created_at: at }, url())
  await asOwner(
    `insert into incident_search (incident_id, active_at, words, office_words)
     select id, created_at,
       array_to_tsvector(array_remove(array['w' || id % 3000, case when id % 2 = 0 then 'half' end,
         case when id % ${count / 10} = 0 then 'rare' end,
         case when id < ${count / 2} then 'gone' end], null)),
       array_to_tsvector(array_remove(array['u:' || id % 300,
         case when id % ${count / 10} = 0 then 'egret' end], null))
     from incidents where title like 'Many %';
     alter table incidents enable trigger user;
     analyze incidents; analyze incident_search`,
    url(),
  )
}

type Plan = { text: string; cost: number }

async function planOf(sql: string, values: unknown[]): Promise<Plan> {
  const rows = await queryUnprepared<{ 'QUERY PLAN': string }>(`explain ${sql}`, values)
  const text = rows.map((row) => row['QUERY PLAN']).join('\n')
  return { text, cost: Number(/cost=[\d.]+\.\.([\d.]+)/.exec(text)![1]) }
}

function planOfPage(filters: IncidentFilters): Promise<Plan> {
  const values: unknown[] = []
  const rows = filteredSql(filters, (value) => `$${values.push(value)}`)
  return planOf(`select i.* from incidents i ${rows} limit 101`, values)
}

function planOfHits(filters: IncidentFilters): Promise<Plan> {
  const values: unknown[] = []
  return planOf(matchesByIdSql(matchesSql(filters, (value) => `$${values.push(value)}`)), values)
}
