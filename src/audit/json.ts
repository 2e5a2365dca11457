import { z } from 'zod'
import { instant, rowId, shape } from '../platform/http/json.js'
import { own } from '../vocabulary/own.js'
import type { AuditEntry } from './auditEntry.js'

const anyValue = z.unknown().meta({ description: 'What the field held: any JSON value.' })

/** An audit entry (decision 4.14): actor, action, entity, time, and each changed value before and after. */
export const AuditEntryJson = shape('AuditEntry', {
  id: rowId,
  at: instant,
  actorType: z.enum(['user', 'system']),
  actorId: rowId.nullable(),
  actorName: z.string(),
  action: z.string(),
  entity: z.string(),
  entityId: rowId.nullable(),
  changes: z.record(z.string(), z.strictObject({ before: anyValue, after: anyValue })),
  via: z.string(),
  requestId: z.string().nullable(),
})

export function presentAuditEntry(entry: AuditEntry): z.output<typeof AuditEntryJson> {
  const { id, at, actorType, actorId, actorName, action, entity, entityId, changes, via, requestId } = entry
  return {
    id,
    at: at.toISOString(),
    actorType,
    actorId,
    actorName,
    action,
    entity,
    entityId,
    changes,
    via,
    requestId,
  }
}

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
export function pageOfEntity({ entity, entityId }: Pick<AuditEntry, 'entity' | 'entityId'>): string | null {
  const list = own(pages, entity)
  return list && entityId !== null ? `${list}/${entityId}` : null
}

/** Characters of the longest value in a list of changes; the entry's own page shows it all. */
const longestShown = 200

/** The changes of an entry as lines: before and after; `null` for an empty value. */
export function changeLines({ changes }: Pick<AuditEntry, 'changes'>, { whole = false } = {}) {
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
