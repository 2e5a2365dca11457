/** Field names whose values never reach an audit entry, in any entity (decision 4.14). */
const secretFields = new Set(['secret', 'password', 'passwordHash', 'token'])

/** What one field was and what it is; null stands for "was not there". */
export type FieldChange = { before: unknown; after: unknown }
export type Changes = Record<string, FieldChange>

/** The fields that differ, secrets masked. `before` is null for something new, `after` for something deleted. */
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

/** Entities the public status view is made of: a change of one makes every cached copy stale. */
const shownOnStatus = new Set(['incident', 'asset', 'tower', 'property', 'maintenance_window', 'contact'])

/** Acts on such an entity that the status view does not show. */
const unseen = new Set([
  'incident.commented',
  'incident.followed',
  'incident.unfollowed',
  'incident.cost_added',
  'incident.cost_voided',
  'asset.status_changed',
])

/** Whether an audit entry means that the status view may look different now. When in doubt: true. */
export function affectsStatus(entity: string, action: string): boolean {
  return shownOnStatus.has(entity) && !unseen.has(action)
}

const endings = new Set([
  'user.signed_out',
  'user.session_ended',
  'user.signed_out_elsewhere',
  'user.signed_out_everywhere',
  'user.password_changed',
  'user.password_reset',
  'user.invitation_accepted',
  'user.made_admin',
  'user.second_factor_on',
  'user.second_factor_off',
  'user.second_factor_reset',
  'user.deleted',
])

/** Whether an act ends sessions of the person it is about (decision 1.2). */
export function endsSessions(action: string, changes: Changes): boolean {
  const decisive = ['role', 'active', 'password'].some((field) => Object.hasOwn(changes, field))
  return endings.has(action) || (action === 'user.updated' && decisive)
}
