import { z } from 'zod'
import type { Context } from '../../platform/http/context.js'
import { both } from '../../platform/http/paths.js'
import { Problem } from '../../platform/http/problem.js'
import { can, requirePermission } from '../../platform/http/request/allow.js'
import { sheetLimits } from '../../platform/http/request/sheet.js'
import { evenLines } from '../../platform/http/request/sheetText.js'
import { page } from '../../platform/http/route/answerContent.js'
import { route } from '../../platform/http/route/route.js'
import { flag, oneOf } from '../../vocabulary/inputRules.js'
import type { Permission } from '../../vocabulary/people/permissions.js'
import { type Import, ImportJson, presentImport, presentImportRows } from './importPlan.js'
import { importRows, previewImport } from './importRows.js'
import { type ImportKind, importKinds, type RowProblem, sheetColumns } from './sheetColumns.js'

/** An import needs the permission for changing single records of its kind (decision 1.8). */
const permissionFor: Record<ImportKind, Permission> = {
  units: 'unit.manage',
  contacts: 'contact.manage',
  residents: 'user.manage',
}

const csv = z
  .string({ error: (issue) => (issue.input === undefined ? 'csv_required' : 'not_text') })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'not_storable')
  .refine((text) => text.trim() !== '', 'csv_required')
  .refine((text) => Buffer.byteLength(text) <= sheetLimits.bytes, 'csv_too_large')
  .transform(evenLines)

const PreviewRequest = z
  .object({ kind: oneOf('kind', importKinds), csv })
  .meta({ id: 'ImportPreviewRequest' })
/** `invite`: new residents get an invitation by email. */
const ImportRequest = z
  .object({ csv, dryRun: flag('dryRun').default(false), invite: flag('invite').default(false) })
  .meta({ id: 'ImportRequest' })

const count = z.coerce.number().int().min(0).max(sheetLimits.rows).optional().catch(undefined)
const PageQuery = z.object({
  kind: z.enum(importKinds).optional().catch(undefined),
  created: count,
  updated: count,
  unchanged: count,
})

const view = 'accounts/import/index'

const shared = {
  permission: 'import.run',
  throttle: 'writes',
  sheet: true,
  answer: ImportJson,
  form: { view, load: async (ctx: Context) => formPage(ctx) },
} as const

/**
 * Import of units, contacts and residents from a spreadsheet: a preview first, then all rows or
 * none.
 */
export const importRoutes = [
  route({
    method: 'get',
    paths: '/admin/import',
    summary: 'The form to import a spreadsheet.',
    permission: 'import.run',
    query: PageQuery,
    answer: page,
    handle: ({ ctx, query: { kind, ...result } }) => ({
      view,
      extras: { ...formPage(ctx), values: { kind }, result },
    }),
  }),

  route({
    ...shared,
    method: 'post',
    paths: '/admin/import',
    summary: 'Previews an import. Nothing is saved.',
    body: PreviewRequest,
    handle: async ({ ctx, body: { kind, csv } }) => {
      requirePermission(ctx, permissionFor[kind])
      const plan = requireNoProblems(ctx, await previewImport(kind, csv))
      return {
        data: presentImport(plan),
        view: 'accounts/import/preview',
        extras: { csv, rows: presentImportRows(plan) },
      }
    },
  }),

  route({
    ...shared,
    method: 'post',
    paths: both('/admin/import/:kind'),
    group: 'building',
    summary: 'Imports all rows of a spreadsheet or, if one has an error, none.',
    params: { kind: z.enum(importKinds) },
    subject: async ({ ctx, params: { kind } }) => requirePermission(ctx, permissionFor[kind]),
    body: ImportRequest,
    handle: async ({ ctx, params: { kind }, body: { csv, dryRun, invite }, actor }) => {
      const work = dryRun ? previewImport(kind, csv) : importRows(actor, kind, csv, invite)
      const data = presentImport(requireNoProblems(ctx, await work))
      const { created, updated, unchanged } = data
      return {
        data,
        location: `/admin/import?kind=${kind}&created=${created}&updated=${updated}&unchanged=${unchanged}`,
      }
    },
  }),
]

/**
 * The plan, when it has no problems. Throws 422 with every row's problem, which the form then shows
 * as well.
 */
function requireNoProblems(ctx: Context, plan: Import): Import {
  if (plan.problems.length === 0) return plan
  ctx.state.refusal.form = { view, load: async (at) => formPage(at, plan.problems) }
  const { rowProblems } = ctx.state.text.imports
  const rows = plan.problems.map((problem) => ({ ...problem, message: rowProblems[problem.code](problem) }))
  throw new Problem(422, 'import_refused', { members: { rows } })
}

/**
 * The form's data: the kinds that the user may import, their columns, and the problems of a refused
 * sheet.
 */
function formPage(ctx: Context, rowProblems: readonly RowProblem[] = []) {
  const kinds = importKinds.filter((kind) => can(ctx, permissionFor[kind]))
  const columnsOf = (kind: ImportKind) =>
    Object.entries(sheetColumns[kind]).map(([name, { needed }]) => ({ name, needed }))
  const columns = Object.fromEntries(kinds.map((kind) => [kind, columnsOf(kind)]))
  const kind = importKinds.find((each) => each === ctx.params.kind)
  return { kinds, columns, kind, rowProblems, result: {} }
}
