import { z } from 'zod'
import { query } from '../platform/db/database.js'
import { rowId } from '../platform/http/json.js'
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

/** Who does an incident, a member of staff or a contact, and until which local day: for staff only. */
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
