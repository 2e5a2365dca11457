import { type Changes, changesBetween } from '../audit/audit.js'
import type { RowProblem, RowProblemCode, SheetRow } from './importSheet.js'

/** By name of the column. */
export type Fields = Record<string, unknown>

/** What an import does with a row: adds what has no `id` yet, changes what differs, leaves what is equal. */
export type PlannedRow = {
  row: number
  line: number
  id: number | null
  /** What people call it. */
  name: string
  /** All fields as they will be. */
  fields: Fields
  changes: Changes
  /** The changes as people read them: places by their names. */
  shown: Changes
}

/** What an import would do, or why it cannot: with one problem nothing is stored. */
export type Plan = { rows: PlannedRow[]; problems: RowProblem[] }

/** What is there already: its fields, and what of them people read by another name. */
export type Existing = { id: number; fields: Fields; shown?: Fields }

/** A row that is understood, compared with what is there. */
export function planned(
  { row, line }: SheetRow,
  name: string,
  after: { fields: Fields; shown?: Fields },
  there: Existing | null,
): PlannedRow {
  const changes = changesBetween(there?.fields ?? null, after.fields)
  const before = there && { ...there.fields, ...there.shown }
  const shown = changesBetween(before, { ...after.fields, ...after.shown })
  return { row, line, name, id: there?.id ?? null, fields: after.fields, changes, shown }
}

/** Thrown and caught while planning: what is wrong with the row at hand. */
export class RowRefused extends Error {
  constructor(
    readonly code: RowProblemCode,
    readonly column: string | null,
    readonly value?: string | number,
  ) {
    super(code)
  }
}

/** Plans row by row; the problem of one row does not hide those of the next. `key`: what two rows may not share. */
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
