import { z } from 'zod'
import { query } from '../../platform/db/database.js'
import { rowId } from '../../platform/http/json.js'
import type { ListedIncident } from './entity.js'

/** The name of the assignee, as that of a member of staff or of a contact; the other is null. */
export type AssigneeNames = { assigneeName: string | null; contactName: string | null }

export const noAssignee: AssigneeNames = { assigneeName: null, contactName: null }

/** The name of an incident's assignee. */
export async function assigneeNames(incidentId: number): Promise<AssigneeNames> {
  const rows = await query<AssigneeNames>(
    `select s.name as assignee_name, k.name as contact_name
     from incidents i
     left join users s on s.id = i.assignee_id
     left join contacts k on k.id = i.contact_id
     where i.id = $1`,
    [incidentId],
  )
  return rows[0]!
}

/**
 * The assignee of an incident, a member of staff or a contact, and the local day it is due; for
 * staff only.
 */
export const assigneeJson = {
  assigneeId: rowId.nullable().optional(),
  assigneeName: z.string().nullable().optional(),
  contactId: rowId.nullable().optional(),
  contactName: z.string().nullable().optional(),
  dueOn: z.iso.date().nullable().optional(),
}

export function presentAssignee(
  { assigneeId, contactId, dueOn }: Pick<ListedIncident, 'assigneeId' | 'contactId' | 'dueOn'>,
  { assigneeName, contactName }: AssigneeNames,
) {
  return { assigneeId, assigneeName, contactId, contactName, dueOn }
}
