import { columnAsOwner } from '../database.js'
import { manyRows, manyRowsSql } from '../rows.js'

/**
 * So many reports at once, for tests of volume; returns their ids. Each column is an SQL expression
 * over `n`, the number of the report from 1 to `count`. They are rows and nothing more: without
 * impacts, followers, audit entries and events. `url`: of the database, where a busy machine takes
 * longer than a statement of the application may.
 */
export function manyReports(
  count: number,
  columns: Record<string, string> = {},
  url?: string,
): Promise<number[]> {
  const defaults = { title: `'Many ' || n`, severity: `'low'`, source: `'web'`, asset_id: '3' }
  const row = { ...defaults, ...columns }
  if (url === undefined) return manyRows('incidents', count, row)
  return columnAsOwner<number>(manyRowsSql('incidents', count, row), url)
}
