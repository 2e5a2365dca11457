import type { RowProblem, RowProblemCode, SheetRow } from '../../platform/http/request/importSheet.js'
import { type Changes, changesBetween } from '../../vocabulary/audit.js'

/** Values by column name. */
export type ImportFields = Record<string, unknown>

/**
 * What an import does with a row: adds it if it has no `id`, changes it if fields differ, else
 * keeps it.
 */
export type PlannedRow = {
  row: number
  line: number
  id: number | null
  /** The name people know the row by. */
  name: string
  /** All fields after the import. */
  fields: ImportFields
  changes: Changes
  /** The changes for display: places by their names. */
  shown: Changes
}

/** What an import would do, or why it cannot: a single problem stops the whole import. */
export type Plan = { rows: PlannedRow[]; problems: RowProblem[] }

/** The stored row: its fields, and those displayed under another name. */
export type Existing = { id: number; fields: ImportFields; shown?: ImportFields }

/** A valid row, compared with the stored one. */
export function planned(
  { row, line }: SheetRow,
  name: string,
  after: { fields: ImportFields; shown?: ImportFields },
  there: Existing | null,
): PlannedRow {
  const changes = changesBetween(there?.fields ?? null, after.fields)
  const before = there && { ...there.fields, ...there.shown }
  const shown = changesBetween(before, { ...after.fields, ...after.shown })
  return { row, line, name, id: there?.id ?? null, fields: after.fields, changes, shown }
}

/** The current row's problem; thrown and caught while planning. */
export class RowRefused extends Error {
  constructor(
    readonly code: RowProblemCode,
    readonly column: string | null,
    readonly value?: string | number,
  ) {
    super(code)
  }
}

/** Plans every row; one row's problem does not hide later ones. `key`: must differ between rows. */
export function planEach(
  rows: readonly SheetRow[],
  key: { column: string; of: (row: SheetRow) => string },
  plan: (row: SheetRow) => PlannedRow,
): Plan {
  const result: Plan = { rows: [], problems: [] }
  const seen = new Map<string, number>()
  for (const row of rows) {
    const name = key.of(row)
    const first = seen.get(name)
    if (first === undefined) seen.set(name, row.row)
    const attempt =
      first === undefined ? tried(() => plan(row)) : new RowRefused('repeated', key.column, first)
    if (attempt instanceof RowRefused) result.problems.push(problemAt(row, attempt))
    else result.rows.push(attempt)
  }
  return result
}

function tried(plan: () => PlannedRow): PlannedRow | RowRefused {
  try {
    return plan()
  } catch (error) {
    if (error instanceof RowRefused) return error
    throw error
  }
}

function problemAt({ row, line }: SheetRow, { code, column, value }: RowRefused): RowProblem {
  return { row, line, column, code, ...(value === undefined ? {} : { value }) }
}
