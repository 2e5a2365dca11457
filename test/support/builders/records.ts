import { changesBetween } from '../../../src/vocabulary/audit.js'
import { type EventName, eventNames } from '../../../src/vocabulary/events.js'
import type { Role } from '../../../src/vocabulary/people/permissions.js'
import { columnsOf } from './answers.js'
import { accountOf, auditEntry, insertRow, momentAfter } from './rows.js'

/** A record of the office, as its editor leaves it: the row and its audit entry. */
async function aRecord(
  entity: string,
  table: string,
  by: 'manager' | 'admin',
  fields: Record<string, unknown>,
  settled: (at: Date) => Record<string, unknown> = () => ({}),
): Promise<number> {
  const [author, at] = [await accountOf(by), await momentAfter()]
  const { id } = await insertRow(table, { ...columnsOf(fields), ...settled(at), created_at: at })
  await auditEntry({
    by: author,
    action: `${entity}.created`,
    entityId: id,
    at,
    changes: changesBetween(null, fields),
  })
  return id
}

export const aTower = (name: string): Promise<number> =>
  aRecord('tower', 'towers', 'manager', { name, sortOrder: 0 })

/** An asset in use, in the first tower by default. */
export const anAsset = (given: { name: string; towerId?: number; category?: string; code?: string }) => {
  const { name, towerId = 1, category = 'Lift', code = null } = given
  const fields = { towerId, name, category, code, description: '', sortOrder: 0, contactId: null }
  return aRecord('asset', 'assets', 'manager', fields, (at) => ({ announced_at: at }))
}

export const aContact = (given: { name: string; email?: string; phone?: string }): Promise<number> => {
  const { name, email = '', phone = '' } = given
  const fields = { name, label: '', phone, email, notes: '', sortOrder: 0, isEmergency: false }
  return aRecord('contact', 'contacts', 'manager', fields)
}

/** An account without a password; nobody is invited by email. */
export const aUser = (given: {
  name: string
  email: string
  role?: Role
  active?: boolean
  unitId?: number | null
  locale?: string
}): Promise<number> => {
  const { name, email, role = 'resident', active = true, unitId = null, locale = 'en' } = given
  return aRecord('user', 'users', 'admin', { name, email, role, active, unitId, locale })
}

/** Planned work that takes place once. */
export async function aWindow(given: {
  assetId?: number
  title?: string
  startsAt: Date
  endsAt: Date
}): Promise<number> {
  const { assetId = 7, title = 'Yearly inspection', startsAt, endsAt } = given
  const fields = { assetId, title, startsAt, endsAt, recurrence: 'none', until: null, notes: '' }
  return aRecord('maintenance_window', 'maintenance_windows', 'manager', fields, (at) => ({
    over_at: endsAt,
    known_since: at,
  }))
}

/** A webhook subscription, to all events by default. */
export const aSubscription = (given: {
  url: string
  events?: readonly EventName[]
  active?: boolean
  secret?: string
  format?: string
}): Promise<number> => {
  const { url, events = eventNames, active = true, secret = 'receiver-secret', format = 'caretaker' } = given
  return aRecord('webhook_subscription', 'webhook_subscriptions', 'admin', {
    url,
    secret,
    events: [...events],
    active,
    format,
  })
}
