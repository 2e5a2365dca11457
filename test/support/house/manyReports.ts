import { manyRows } from '../rows.js'

/**
 * So many reports at once, for tests of volume; returns their ids. Each column is an SQL expression
 * over `n`, the number of the report from 1 to `count`. They are rows and nothing more: without
 * impacts, followers, audit entries and events.
 */
export function manyReports(count: number, columns: Record<string, string> = {}): Promise<number[]> {
  const row = { title: `'Many ' || n`, severity: `'low'`, source: `'web'`, asset_id: '3' }
  return manyRows('incidents', count, { ...row, ...columns })
}
