import type { Change } from '../../platform/db/change.js'
import type { Query } from '../../platform/db/database.js'
import type { SheetRow } from '../../platform/http/request/importSheet.js'
import type { Plan, PlannedRow } from './importPlan.js'

/** How one kind of sheet becomes rows. Every function works on many rows at once. */
export type Importer = {
  /** Its name in audit entries: `unit`. */
  entity: string
  plan: (rows: SheetRow[], run: Query) => Promise<Plan>
  /** Adds the rows; returns their ids in the same order. */
  create: (c: Change, rows: PlannedRow[]) => Promise<number[]>
  /** Changes the existing rows. */
  update: (c: Change, rows: PlannedRow[]) => Promise<void>
}

/** The rows as one parameter for json_to_recordset, so that any number of rows is one statement. */
export function records(rows: PlannedRow[]): string {
  return JSON.stringify(rows.map(({ id, fields }) => ({ ...fields, id })))
}

/** The ids of inserted rows in the order of `rows`, matched by key. */
export function idsOf<T extends { id: number }>(
  rows: PlannedRow[],
  made: T[],
  key: (fields: Record<string, unknown>) => string,
): number[] {
  const ids = new Map(made.map((row) => [key(row), row.id]))
  return rows.map(({ fields }) => ids.get(key(fields))!)
}
