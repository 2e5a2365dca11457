import { z } from 'zod'
import { type Import, importRows, previewImport } from '../../actions/exchange/importRows.js'
import type { Permission } from '../../domain/accounts/permissions.js'
import {
  type ImportKind,
  importKinds,
  importLimits,
  sheetColumns,
} from '../../domain/exchange/importSheet.js'
import { NotFound } from '../../domain/system/invalid.js'
import { presentImport, presentImportRows } from '../../presenters/exchange/import.js'
import { Problem } from '../../web/answer/problem.js'
import { respond } from '../../web/answer/respond.js'
import type { AppRouter, Context } from '../../web/context.js'
import { allow, can, insist } from '../../web/request/allow.js'
import { both } from '../../web/request/both.js'
import { form } from '../../web/request/form.js'
import { flag, input, oneOf, queryOf } from '../../web/request/input.js'
import { sheetBody } from '../../web/request/sheetBody.js'
import { evenLines } from '../../web/request/textEncoding.js'
import { throttle } from '../../web/request/throttle.js'

/** Who may add and change these one by one may do it by the sheet (decision 1.8). */
const permissionFor: Record<ImportKind, Permission> = {
  units: 'unit.manage',
  contacts: 'contact.manage',
  residents: 'user.manage',
}

const csv = z
  .string({ error: (issue) => (issue.input === undefined ? 'csv_required' : 'not_text') })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'not_storable')
  .refine((text) => text.trim() !== '', 'csv_required')
  .refine((text) => Buffer.byteLength(text) <= importLimits.bytes, 'csv_too_large')
  .transform(evenLines)

const PreviewRequest = z.object({ kind: oneOf('kind', importKinds), csv })
const ImportRequest = z.object({ csv, dryRun: flag('dryRun').default(false) })

const count = z.coerce.number().int().min(0).max(importLimits.rows).optional().catch(undefined)
const PageQuery = z.object({
  kind: z.enum(importKinds).optional().catch(undefined),
  created: count,
  updated: count,
  unchanged: count,
})

/** What is wrong with the sheet a request brought, for the page it is shown on again. */
const refused = new WeakMap<Context, Import>()

/** Import of units, contacts and residents from a spreadsheet: a look first, then all rows or none. */
export function importRoutes(router: AppRouter): void {
  const writes = [allow('import.run'), throttle('writes'), sheetBody()] as const
  const again = form({ view: 'exchange/import', load: async (ctx) => formPage(ctx) })

  router.get('/admin/import', allow('import.run'), async (ctx) => {
    const { kind, ...done } = queryOf(ctx, PageQuery)
    await respond(ctx, { view: 'exchange/import', extras: { ...formPage(ctx), values: { kind }, done } })
  })

  router.post('/admin/import', ...writes, again, async (ctx) => {
    const { kind, csv } = input(ctx, PreviewRequest)
    insist(ctx, permissionFor[kind])
    const plan = accepted(ctx, await previewImport(kind, csv))
    await respond(ctx, {
      data: presentImport(plan),
      view: 'exchange/importPreview',
      extras: { csv, planned: presentImportRows(plan) },
    })
  })

  router.post(both('/admin/import/:kind'), ...writes, again, async (ctx) => {
    const kind = kindOf(ctx)
    insist(ctx, permissionFor[kind])
    const { csv, dryRun } = input(ctx, ImportRequest)
    const work = dryRun ? previewImport(kind, csv) : importRows(ctx.state.actor, kind, csv)
    const data = presentImport(accepted(ctx, await work))
    const { created, updated, unchanged } = data
    await respond(ctx, {
      data,
      location: `/admin/import?kind=${kind}&created=${created}&updated=${updated}&unchanged=${unchanged}`,
    })
  })
}

function kindOf(ctx: Context): ImportKind {
  const kind = importKinds.find((each) => each === ctx.params.kind)
  if (!kind) throw new NotFound()
  return kind
}

/** The plan when nothing is wrong with it; otherwise 422 with every row's problem. */
function accepted(ctx: Context, plan: Import): Import {
  if (plan.problems.length === 0) return plan
  refused.set(ctx, plan)
  const { rowProblems } = ctx.state.text.exchange.imports
  const rows = plan.problems.map((problem) => ({ ...problem, message: rowProblems[problem.code](problem) }))
  throw new Problem(422, 'import_refused', { members: { rows } })
}

/** What the form needs besides the values: what may be imported, its columns, and what was wrong. */
function formPage(ctx: Context) {
  const kinds = importKinds.filter((kind) => can(ctx, permissionFor[kind]))
  const columns = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      Object.entries(sheetColumns[kind]).map(([name, { needed }]) => ({ name, needed })),
    ]),
  )
  const kind = importKinds.find((each) => each === ctx.params.kind)
  return { kinds, columns, given: kind, rowProblems: refused.get(ctx)?.problems ?? [], done: {} }
}
