import { z } from 'zod'
import { linkNext, olderThan, rowsOf } from '../platform/http/request/paging.js'
import { route } from '../platform/http/route/route.js'
import { auditActions } from '../vocabulary/auditActions.js'
import { own } from '../vocabulary/collections.js'
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

/** The page of each entity that has one. */
const pages: Record<string, string> = {
  incident: '/incidents',
  asset: '/admin/assets',
  unit: '/admin/units',
  tower: '/admin/towers',
  reply_template: '/admin/templates',
  contact: '/admin/contacts',
  maintenance_window: '/admin/maintenance',
  webhook_subscription: '/admin/webhooks',
  user: '/admin/users',
}

/** The page of an entry's entity; null when it has none. */
function pageOfEntity({ entity, entityId }: Pick<AuditEntry, 'entity' | 'entityId'>): string | null {
  const list = own(pages, entity)
  return list && entityId !== null ? `${list}/${entityId}` : null
}

/** Characters of the longest value in a list of changes; the entry's own page shows it all. */
const longestShown = 200

/** The changes of an entry as lines: before and after; `null` for an empty value. */
function changeLines({ changes }: Pick<AuditEntry, 'changes'>, { whole = false } = {}) {
  return Object.entries(changes).map(([field, { before, after }]) => ({
    field,
    before: written(before, whole),
    after: written(after, whole),
  }))
}

function written(value: unknown, whole: boolean): string | null {
  if (value === null || value === undefined || value === '') return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return whole || text.length <= longestShown ? text : `${text.slice(0, longestShown - 1)}…`
}

/** The audit log, for admins (spec §1; decisions 1.8, 4.14): every write, newest first. */
export const auditRoutes = [
  route({
    method: 'get',
    paths: ['/admin/audit', '/api/audit'],
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
          pages: rows.map(pageOfEntity),
        }),
      }
    },
  }),

  route({
    method: 'get',
    paths: ['/admin/audit/:id', '/api/audit/:id'],
    summary: 'One audit entry.',
    permission: 'audit.read',
    answer: AuditEntryJson,
    handle: async ({ params }) => {
      const entry = orNotFound(await auditEntry(params.id))
      return {
        data: presentAuditEntry(entry),
        view: 'audit/show',
        extras: { lines: changeLines(entry, { whole: true }), page: pageOfEntity(entry) },
      }
    },
  }),
]
