import { oneAtATime } from '../../platform/db/advisoryLocks.js'
import { type Change, change } from '../../platform/db/change.js'
import { type Query, query } from '../../platform/db/database.js'
import { readCsv } from '../../platform/http/request/readCsv.js'
import { sheetLimits } from '../../platform/http/request/sheet.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { enqueueInvitations } from '../people/invitations.js'
import { contactImporter } from './contactImporter.js'
import { type Import, type Importer, isChanged, isNew, type PlannedRow } from './importPlan.js'
import { residentImporter } from './residentImporter.js'
import { type ImportKind, type RowProblem, type Sheet, sheetOf } from './sheetColumns.js'
import { unitImporter } from './unitImporter.js'

const importers: Record<ImportKind, Importer> = {
  units: unitImporter,
  contacts: contactImporter,
  residents: residentImporter,
}

/** What importing this text would do. Stores nothing. */
export async function previewImport(kind: ImportKind, csv: string): Promise<Import> {
  return planOf(kind, await sheetIn(kind, csv), query)
}

/**
 * Imports all rows of a text or, with a single problem, none: the result then lists the problems.
 * One audit entry for each row added or changed. `invite`: new residents get an invitation, which
 * is one entry more.
 */
export async function importRows(
  actor: Actor,
  kind: ImportKind,
  csv: string,
  invite: boolean,
): Promise<Import> {
  const sheet = await sheetIn(kind, csv)
  return change(actor, async (c) => {
    // Serialises imports: two of the same sheet at once would both find nothing and add everything
    // twice.
    await oneAtATime(c, 'import', { alsoIn100: true })
    const plan = await planOf(kind, sheet, c.query)
    const [created, updated] = [plan.rows.filter(isNew), plan.rows.filter(isChanged)]
    if (plan.problems.length > 0 || created.length + updated.length === 0) c.noop()
    else {
      const ids = await writeRows(c, importers[kind], created, updated)
      if (invite && kind === 'residents' && ids.length > 0) await enqueueInvitations(c, ids)
    }
    return plan
  })
}

/** Writes the rows of a plan, each with its audit entry. Returns the ids of what was created. */
async function writeRows(
  c: Change,
  { entity, create, update }: Importer,
  created: PlannedRow[],
  updated: PlannedRow[],
): Promise<number[]> {
  if (updated.length > 0) await update(c, updated)
  const ids = created.length > 0 ? await create(c, created) : []
  for (const [i, { changes }] of created.entries()) c.audit(`${entity}.created`, ids[i]!, changes)
  for (const { id, changes } of updated)
    c.audit(`${entity}.${changes.archivedAt ? 'unarchived' : 'updated'}`, id, changes)
  return ids
}

/** Plans the valid rows also when others are wrong, so that one preview shows every problem. */
async function planOf(kind: ImportKind, { rows, problems, ignored }: Sheet, run: Query): Promise<Import> {
  const rowsWithProblems = new Set(problems.map(({ row }) => row))
  const valid = rows.filter(({ row }) => !rowsWithProblems.has(row))
  const plan = await importers[kind].plan(valid, run)
  const all = [...problems, ...plan.problems].sort((a, b) => a.row - b.row)
  return { kind, ignored, rows: plan.rows, problems: all }
}

async function sheetIn(kind: ImportKind, csv: string): Promise<Sheet> {
  const most = sheetLimits.rows
  const { records, broken, more: hasMore } = await readCsv(csv, most + 1)
  const sheet = sheetOf(kind, records)
  const problems: RowProblem[] = []
  if (broken) problems.push({ ...broken, column: null, code: 'quote_open' })
  if (hasMore)
    problems.push({ row: most + 2, line: most + 2, column: null, code: 'too_many_rows', value: most })
  return { ...sheet, problems: [...problems, ...sheet.problems] }
}
