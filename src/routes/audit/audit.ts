import { z } from 'zod'
import { auditActions } from '../../domain/audit/auditActions.js'
import { limits } from '../../domain/system/limits.js'
import { orNotFound } from '../../domain/system/validation.js'
import { type AuditEntry, auditEntries, auditEntry, possibleActors } from '../../models/audit/auditEntry.js'
import {
  AuditEntryJson,
  changeLines,
  pageOfEntity,
  presentAuditEntry,
} from '../../presenters/audit/auditEntry.js'
import type { Context } from '../../web/context.js'
import { moment, queryId } from '../../web/request/input.js'
import { linkNext, olderThan } from '../../web/request/paging.js'
import type { Place } from '../../web/route/fields.js'
import { route } from '../../web/route/route.js'

const word = z.string('not_acceptable').regex(/^[a-z_]{1,60}(\.[a-z_]{1,60})?$/, 'not_acceptable')
const calendarDay = /^\d{4}-\d\d-\d\d$/

/** A calendar day in the property's zone, or an instant; a day as `to` is included. */
const time = (field: string, zone: string, { end = false } = {}) =>
  z
    .string('not_acceptable')
    .transform((text) =>
      calendarDay.test(text) ? { text: `${text}T00:00`, days: end ? 1 : 0 } : { text, days: 0 },
    )
    .transform(({ text, days }, context) => {
      const parsed = moment(field, zone).safeParse(days ? dayAfter(text) : text)
      if (parsed.success) return parsed.data
      context.addIssue({ code: 'custom', message: 'not_acceptable' })
      return z.NEVER
    })

function dayAfter(text: string): string {
  const day = new Date(`${text}Z`)
  day.setUTCDate(day.getUTCDate() + 1)
  return Number.isNaN(day.getTime()) ? text : day.toISOString().slice(0, 16)
}

/** The filters of the log; days and local times are in the property's zone. */
export const AuditQuery = ({ zone }: Pick<Place, 'zone'>) =>
  z.object({
    actorId: queryId.optional(),
    actorType: z.enum(['user', 'system'], 'not_acceptable').optional(),
    action: word.optional(),
    entity: word.optional(),
    entityId: queryId.optional(),
    from: time('from', zone).optional(),
    to: time('to', zone, { end: true }).optional(),
    before: queryId.optional(),
    limit: queryId.optional(),
  })

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
    handle: async ({ ctx, query: { limit = limits.pageDefault, ...filters } }) => {
      const size = Math.min(limit, limits.pageMax)
      const { rows, more } = await auditEntries({ ...filters, limit: size })
      const next = linkNext(ctx, olderThan({ rows, more }))
      return {
        data: rows.map(presentAuditEntry),
        view: 'audit/index',
        extras: () => auditPage(ctx, rows, next),
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

async function auditPage(ctx: Context, entries: AuditEntry[], next: string | null) {
  return {
    actors: await possibleActors(),
    actions: auditActions,
    asked: ctx.query,
    next,
    lines: entries.map((entry) => changeLines(entry)),
    pages: entries.map(pageOfEntity),
  }
}
