import type { Change } from '../../platform/db/change.js'
import { requireContact } from '../../platform/http/records/archive.js'
import { isStaffSql } from '../../platform/http/session/user.js'
import { enqueueEmail } from '../../platform/outbox/enqueueEmail.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import type { Incident } from '../incident.js'

/** Who does an incident: a member of staff or a contact, or no one yet; and until which local day (YYYY-MM-DD). */
export type Doer = Pick<Incident, 'assigneeId' | 'contactId' | 'dueOn'>

/** What of it is said again; what is undefined stays. */
export type AssigneeChange = { [N in keyof Doer]?: Doer[N] | undefined }

export const currentAssignee = ({ assigneeId, contactId, dueOn }: Doer): Doer => ({
  assigneeId,
  contactId,
  dueOn,
})

/** The doer after what was given: naming one takes the other away. */
export function newDoer(before: Doer, { assigneeId, contactId, dueOn }: AssigneeChange): Doer {
  return {
    assigneeId: assigneeId === undefined ? (contactId ? null : before.assigneeId) : assigneeId,
    contactId: contactId === undefined ? (assigneeId ? null : before.contactId) : contactId,
    dueOn: dueOn === undefined ? before.dueOn : dueOn,
  }
}

/** Throws ValidationFailed for two doers, for no one of the active staff, and for no contact. */
export async function requireDoer(c: Change, before: Doer, after: Doer): Promise<void> {
  if (after.assigneeId !== null && after.contactId !== null)
    throw new ValidationFailed({ assigneeId: ['doer_one'] })
  if (after.assigneeId !== null && after.assigneeId !== before.assigneeId) {
    const there = await c.query(
      `select from users u where u.id = $1 and u.active and ${isStaffSql('u')} for share`,
      [after.assigneeId],
    )
    if (there.length === 0) throw new ValidationFailed({ assigneeId: ['assignee_unknown'] })
  }
  if (after.contactId !== null && after.contactId !== before.contactId)
    await requireContact(c, after.contactId)
}

/** A contact that is given an incident gets an email about it, if we know an address. */
export async function assign(c: Change, incidentId: number, before: Doer, after: Doer): Promise<void> {
  if (after.contactId === null || after.contactId === before.contactId || c.actor.past) return
  const [contact] = await c.query(`select from contacts where id = $1 and email <> ''`, [after.contactId])
  if (contact) await enqueueEmail(c, 'incident.handed_over', { contact: after.contactId }, { incidentId })
}
