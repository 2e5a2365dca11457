import { z } from 'zod'
import { rowId } from '../../platform/http/json.js'
import type { ListedIncident } from '../incident.js'
import type { DoerNames } from './queries.js'

/** Who does an incident, a member of staff or a contact, and until which local day: for staff only. */
export const doerJson = {
  assigneeId: rowId.nullable().optional(),
  assigneeName: z.string().nullable().optional(),
  contactId: rowId.nullable().optional(),
  contactName: z.string().nullable().optional(),
  dueOn: z.iso.date().nullable().optional(),
}

export const nobody: DoerNames = { assigneeName: null, contactName: null }

export function presentDoer(
  { assigneeId, contactId, dueOn }: Pick<ListedIncident, 'assigneeId' | 'contactId' | 'dueOn'>,
  { assigneeName, contactName }: DoerNames,
) {
  return { assigneeId, assigneeName, contactId, contactName, dueOn }
}
