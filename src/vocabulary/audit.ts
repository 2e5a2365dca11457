/** Fields whose values never reach an audit entry, whatever the entity (decision 4.14). */
const secretFields = new Set(['secret', 'password', 'passwordHash', 'token'])

/** A field before and after; null when it did not exist. */
type FieldChange = { before: unknown; after: unknown }
export type Changes = Record<string, FieldChange>

/**
 * The fields that differ, secrets masked. `before` is null for a new row, `after` for a deleted
 * one.
 */
export function changesBetween(
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
): Changes {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const changes: Changes = {}
  for (const field of fields) {
    const change = { before: before?.[field] ?? null, after: after?.[field] ?? null }
    if (!same(change.before, change.after)) changes[field] = secretFields.has(field) ? masked(change) : change
  }
  return changes
}

function masked({ before, after }: FieldChange): FieldChange {
  const mask = (value: unknown) => (value === null ? null : '••••')
  return { before: mask(before), after: mask(after) }
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** Entities shown in the public status view: a change to one makes every cached copy stale. */
const shownOnStatus = new Set(['incident', 'asset', 'tower', 'property', 'maintenance_window', 'contact'])

/** Acts on those entities that the status view does not show. */
const unseen = new Set([
  'incident.followed',
  'incident.unfollowed',
  'incident.cost_added',
  'incident.cost_restored',
  'incident.cost_voided',
  'asset.status_changed',
  'property.start_dismissed',
])

/** Whether the act may change the status view; in doubt, true. Roles count, too (decision 7.17). */
export function affectsStatus(entity: string, action: string, changes: Changes): boolean {
  if (entity === 'user')
    return Object.hasOwn(changes, 'role') && !['user.created', 'user.signed_up'].includes(action)
  return shownOnStatus.has(entity) && !unseen.has(action)
}
