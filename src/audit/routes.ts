import { z } from 'zod'
import { query } from '../platform/db/database.js'
import { linkNext, olderThan, rowsOf } from '../platform/http/request/paging.js'
import { route } from '../platform/http/route/route.js'
import { auditActions } from '../vocabulary/auditActions.js'
import { own } from '../vocabulary/collections.js'
import { shorten } from '../vocabulary/plainText.js'
import { orNotFound } from '../vocabulary/validation.js'
import {
  type AuditEntry,
  AuditEntryJson,
  AuditQuery,
  auditEntries,
  auditEntry,
  possibleActors,
  presentAuditEntry,
} from './auditEntry.js'

/** Where the pages of each entity that has some are, and the table of its rows. */
const entityPages: Record<string, { list: string; table: string }> = {
  incident: { list: '/incidents', table: 'incidents' },
  asset: { list: '/admin/assets', table: 'assets' },
  unit: { list: '/admin/units', table: 'units' },
  tower: { list: '/admin/towers', table: 'towers' },
  reply_template: { list: '/admin/templates', table: 'reply_templates' },
  contact: { list: '/admin/contacts', table: 'contacts' },
  maintenance_window: { list: '/admin/maintenance', table: 'maintenance_windows' },
  webhook_subscription: { list: '/admin/webhooks', table: 'webhook_subscriptions' },
  user: { list: '/admin/users', table: 'users' },
}

/** The page of each entry's entity; null when it has none or has been deleted since. */
async function entityLinks(
  entries: readonly Pick<AuditEntry, 'entity' | 'entityId'>[],
): Promise<(string | null)[]> {
  const existing = new Set<string>()
  for (const entity of new Set(entries.map((entry) => entry.entity))) {
    const page = own(entityPages, entity)
    if (!page) continue
    const ids = entries.filter((entry) => entry.entity === entity).map(({ entityId }) => entityId)
    const rows = await query<{ id: number }>(`select id from ${page.table} where id = any ($1)`, [ids])
    for (const { id } of rows) existing.add(`${page.list}/${id}`)
  }
  return entries.map(({ entity, entityId }) => {
    const address = `${own(entityPages, entity)?.list}/${entityId}`
    return existing.has(address) ? address : null
  })
}

/** Characters of the longest value in a list of changes; the entry's own page shows it all. */
const longestShown = 200

/** The changes of an entry as lines: before and after; `null` for an empty value. */
function changeLines({ changes }: Pick<AuditEntry, 'changes'>, { whole = false } = {}) {
  return Object.entries(changes).map(([field, { before, after }]) => ({
    field,
    before: valueText(before, whole),
    after: valueText(after, whole),
  }))
}

function valueText(value: unknown, whole: boolean): string | null {
  if (value === null || value === undefined || value === '') return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return whole ? text : shorten(text, longestShown)
}

/** The audit log, for admins (spec §1; decisions 1.8, 4.14): every write, newest first. */
export const auditRoutes = [
  route({
    method: 'get',
    paths: ['/admin/audit', '/api/audit'],
    group: 'operations',
    summary: 'Lists audit entries, newest first.',
    permission: 'audit.read',
    query: AuditQuery,
    answer: z.array(AuditEntryJson),
    paged: true,
    handle: async ({ ctx, query: { limit, ...filters } }) => {
      const { rows, more } = await auditEntries({ ...filters, limit: rowsOf(ctx, limit) })
      const next = linkNext(ctx, olderThan({ rows, more }))
      return {
        data: rows.map(presentAuditEntry),
        view: 'audit/index',
        extras: async () => ({
          actors: await possibleActors(),
          actions: auditActions,
          asked: ctx.query,
          next,
          lines: rows.map((entry) => changeLines(entry)),
          pages: await entityLinks(rows),
        }),
      }
    },
  }),

  route({
    method: 'get',
    paths: ['/admin/audit/:id', '/api/audit/:id'],
    group: 'operations',
    summary: 'One audit entry.',
    permission: 'audit.read',
    answer: AuditEntryJson,
    handle: async ({ params }) => {
      const entry = orNotFound(await auditEntry(params.id))
      return {
        data: presentAuditEntry(entry),
        view: 'audit/show',
        extras: async () => ({
          lines: changeLines(entry, { whole: true }),
          page: (await entityLinks([entry]))[0],
        }),
      }
    },
  }),
]
