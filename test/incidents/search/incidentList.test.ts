import { describe, expect, it } from 'vitest'
import { listIncidentPage } from '../../../src/incidents/model/listedIncidents.js'
import {
  hasIndex,
  type IncidentFilters,
  indexedFilters,
} from '../../../src/incidents/model/search/filters.js'
import { query } from '../../../src/platform/db/database.js'
import { columnOf } from '../../../src/platform/db/fieldNames.js'
import { limits } from '../../../src/vocabulary/limits.js'
import { useDatabase } from '../../support/database.js'

useDatabase()

describe('a list whose plan is kept whatever its filters’ values', () => {
  it.each(indexedFilters.map((names) => [names.join(' and ') || 'nothing', names]))(
    'filtered by %s has an index of just these, newest first',
    async (_names, names) => {
      const indexes = await query<{ columns: string[] }>(
        `select array(select pg_get_indexdef(indexrelid, n, false) from generate_series(1, indnkeyatts) n) as columns
         from pg_index where indrelid = 'incidents'::regclass and indpred is null and indisvalid`,
      )
      const wanted = names.map(columnOf).sort()
      const found = indexes.filter(
        ({ columns }) => columns.at(-1) === 'id' && columns.slice(0, -1).sort().join() === wanted.join(),
      )
      expect(found).toHaveLength(1)
    },
  )

  it('is asked for with its length written out, which PostgreSQL must know to keep it', async () => {
    const lengthAsked = async (filters: IncidentFilters) => {
      await listIncidentPage({ ...filters, limit: limits.pageDefault }, limits.pageBytes)
      const [last] = await query<{ length: string }>(
        `select substring(statement from 'limit ([$0-9]+)[)] l window sorted') as length from pg_prepared_statements
         where statement like '%l window sorted%' and statement not like '%pg_prepared%'
         order by prepare_time desc limit 1`,
      )
      return last?.length
    }
    expect(await lengthAsked({ assetId: 1 })).toBe(String(limits.pageDefault + 1))
    expect(await lengthAsked({ assetId: 1, status: 'open' })).toMatch(/^\$\d$/)
  })

  it('is one of these alone, in the usual order', () => {
    const said: [IncidentFilters, boolean][] = [
      [{}, true],
      [{ status: 'open', severity: 'high', assetId: undefined, before: 7, includeDismissed: true }, true],
      [{ assetId: 1, sort: 'newest' }, true],
      [{ assetId: 1, sort: 'oldest' }, false],
      [{ assetId: 1, status: 'open' }, false],
      [{ assetId: 1, from: new Date() }, false],
      [{ assigneeId: null }, false],
      [{ ids: [] }, false],
      [{ open: true }, false],
    ]
    expect(said.map(([filters]) => hasIndex(filters))).toEqual(said.map(([, indexed]) => indexed))
  })
})
