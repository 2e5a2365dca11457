import { z } from 'zod'
import { shape, wholeNumber } from '../../platform/http/json.js'
import { type ImportKind, importKinds } from '../../platform/http/request/importSheet.js'
import type { PlannedRow } from './importPlan.js'

/** Rows of each kind a preview shows; the others are only counted. */
const shownRows = 100

type Import = { kind: ImportKind; ignored: string[]; rows: PlannedRow[] }

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
  const created = rows.filter(({ id }) => id === null).length
  const unchanged = rows.filter(({ id, changes }) => id !== null && Object.keys(changes).length === 0).length
  return {
    kind,
    rows: rows.length,
    created,
    updated: rows.length - created - unchanged,
    unchanged,
    ignoredColumns: ignored,
  }
}

/** The rows of a preview: changed ones and new ones. */
export function presentImportRows({ rows }: Import) {
  const changed = rows.filter(({ id, changes }) => id !== null && Object.keys(changes).length > 0)
  const made = rows.filter(({ id }) => id === null)
  return { changed: changed.slice(0, shownRows).map(lineOf), made: made.slice(0, shownRows).map(lineOf) }
}

function lineOf({ row, line, name, shown }: PlannedRow) {
  const changes = Object.entries(shown).map(([field, { before, after }]) => ({ field, before, after }))
  return { row, line, name, changes }
}
