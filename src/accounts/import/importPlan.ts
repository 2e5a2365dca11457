import { z } from 'zod'
import type { Change } from '../../platform/db/change.js'
import type { Query } from '../../platform/db/database.js'
import { shape, wholeNumber } from '../../platform/http/json.js'
import { type Changes, changesBetween } from '../../vocabulary/audit.js'
import {
  type ImportKind,
  importKinds,
  type RowProblem,
  type RowProblemCode,
  type SheetRow,
} from './sheetColumns.js'

/** Values by column name. */
type ImportFields = Record<string, unknown>

/**
 * A row of an import: added when it has no `id`, changed when fields differ, otherwise left alone.
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
  displayChanges: Changes
}

/** What an import would do, or why it cannot: a single problem stops the whole import. */
export type Plan = { rows: PlannedRow[]; problems: RowProblem[] }

/** The stored row: its fields, and those displayed under another name. */
type StoredRow = { id: number; fields: ImportFields; display?: ImportFields }

/** A valid row, compared with the stored one. */
export function planRow(
  { row, line }: SheetRow,
  name: string,
  after: { fields: ImportFields; display?: ImportFields },
  stored: StoredRow | null,
): PlannedRow {
  const changes = changesBetween(stored?.fields ?? null, after.fields)
  const before = stored && { ...stored.fields, ...stored.display }
  const displayChanges = changesBetween(before, { ...after.fields, ...after.display })
  return { row, line, name, id: stored?.id ?? null, fields: after.fields, changes, displayChanges }
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
  const rowOfKey = new Map<string, number>()
  for (const row of rows) {
    try {
      const keyText = key.of(row)
      const first = rowOfKey.get(keyText)
      if (first !== undefined) throw new RowRefused('repeated', key.column, first)
      rowOfKey.set(keyText, row.row)
      result.rows.push(plan(row))
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error
      const { code, column, value } = error
      const cell = value === undefined ? {} : { value }
      result.problems.push({ row: row.row, line: row.line, column, code, ...cell })
    }
  }
  return result
}

export const isNew = ({ id }: PlannedRow): boolean => id === null
export const isChanged = ({ id, changes }: PlannedRow): boolean =>
  id !== null && Object.keys(changes).length > 0

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
export function asRecordset(rows: PlannedRow[]): string {
  return JSON.stringify(rows.map(({ id, fields }) => ({ ...fields, id })))
}

/** The ids of inserted rows in the order of `rows`, matched by key. */
export function idsOf<T extends { id: number }>(
  rows: PlannedRow[],
  inserted: T[],
  key: (fields: Record<string, unknown>) => string,
): number[] {
  const ids = new Map(inserted.map((row) => [key(row), row.id]))
  return rows.map(({ fields }) => ids.get(key(fields))!)
}

/** Rows of each kind a preview shows; the others are only counted. */
const previewRows = 100

/** An import plan, with the names of unknown columns. */
export type Import = Plan & { kind: ImportKind; ignored: string[] }

/** An import in numbers, before or after it is applied. */
export const ImportJson = shape('Import', {
  kind: z.enum(importKinds),
  rows: wholeNumber,
  created: wholeNumber,
  updated: wholeNumber,
  unchanged: wholeNumber,
  ignoredColumns: z.array(z.string()),
})

export function presentImport({ kind, ignored, rows }: Import): z.output<typeof ImportJson> {
  const created = rows.filter(isNew).length
  const updated = rows.filter(isChanged).length
  return {
    kind,
    rows: rows.length,
    created,
    updated,
    unchanged: rows.length - created - updated,
    ignoredColumns: ignored,
  }
}

/** The rows of a preview: changed ones and new ones. */
export function presentImportRows({ rows }: Import) {
  const first = (list: PlannedRow[]) => list.slice(0, previewRows).map(lineOf)
  return { changed: first(rows.filter(isChanged)), created: first(rows.filter(isNew)) }
}

function lineOf({ row, line, name, displayChanges }: PlannedRow) {
  const changes = Object.entries(displayChanges).map(([field, { before, after }]) => ({
    field,
    before,
    after,
  }))
  return { row, line, name, changes }
}
