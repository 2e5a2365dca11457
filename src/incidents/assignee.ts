import { z } from 'zod'
import { query } from '../platform/db/database.js'
import { rowId } from '../platform/http/json.js'
import { isStaffSql } from '../platform/http/session/user.js'
import type { ListedIncident } from './incident.js'

/** The names of who does an incident; null where it is not such a one. */
export type AssigneeNames = { assigneeName: string | null; contactName: string | null }

/** SQL: AssigneeNames of the incident `i`. */
export const assigneeNames = `(select s.name from users s where s.id = i.assignee_id) as "assigneeName",
  (select k.name from contacts k where k.id = i.contact_id) as "contactName"`

export async function assigneeOf(incidentId: number): Promise<AssigneeNames> {
  const [row] = await query<AssigneeNames>(`select ${assigneeNames} from incidents i where i.id = $1`, [
    incidentId,
  ])
  return row!
}

/** Someone who can be given an incident; `email`: whether a contact can be told by email. */
export type AssigneeCandidate = { id: number; name: string; label: string; hasEmail: boolean }

/**
 * Active staff by name, and contacts in display order; `keeperId`: the contact that looks after the
 * asset.
 */
export async function assignableUsers(
  assetId: number | null,
): Promise<{ staff: AssigneeCandidate[]; contacts: AssigneeCandidate[]; keeperId: number | null }> {
  const [staff, contacts, [asset]] = await Promise.all([
    query<AssigneeCandidate>(
      `select u.id, u.name, '' as label, true as "hasEmail" from users u
       where u.active and ${isStaffSql('u')} order by lower(u.name), u.id`,
    ),
    query<AssigneeCandidate>(
      `select k.id, k.name, k.label, k.email <> '' as "hasEmail" from contacts k order by k.sort_order, k.id`,
    ),
    query<{ keeperId: number | null }>(`select contact_id as "keeperId" from assets where id = $1`, [
      assetId,
    ]),
  ])
  return { staff, contacts, keeperId: asset?.keeperId ?? null }
}

/**
 * Who does an incident, a member of staff or a contact, and until which local day: for staff only.
 */
export const assigneeJson = {
  assigneeId: rowId.nullable().optional(),
  assigneeName: z.string().nullable().optional(),
  contactId: rowId.nullable().optional(),
  contactName: z.string().nullable().optional(),
  dueOn: z.iso.date().nullable().optional(),
}

export const noAssignee: AssigneeNames = { assigneeName: null, contactName: null }

export function presentAssignee(
  { assigneeId, contactId, dueOn }: Pick<ListedIncident, 'assigneeId' | 'contactId' | 'dueOn'>,
  { assigneeName, contactName }: AssigneeNames,
) {
  return { assigneeId, assigneeName, contactId, contactName, dueOn }
}
