import { z } from 'zod'
import { query } from '../../../platform/db/database.js'
import type { Context } from '../../../platform/http/context.js'
import { clearsStoredValue, day, id } from '../../../vocabulary/inputRules.js'
import { parseId } from '../../../vocabulary/limits.js'
import type { AssigneeChange } from '../../acts/allowedPatch.js'
import type { Incident } from '../../model/incident.js'

const assigneePattern = /^(nobody|(staff|contact)-[1-9]\d{0,9})?$/

/** The assignee in one field: `staff-3`, `contact-5` or `nobody`; empty when nothing is chosen. */
export const assigneeOption = z
  .string('not_text')
  .regex(assigneePattern, 'assignee_or_contact_unknown')
  .refine(hasPossibleId, 'assignee_or_contact_unknown')

/** Whether its number can be an id: one too large would otherwise stand for nobody. */
function hasPossibleId(option: string): boolean {
  const [, number] = option.split('-')
  return number === undefined || parseId(number) !== null
}

/** The assignee in a request: by its id, or in one field of a form. */
export const assigneeFields = {
  assigneeId: id('assignee').nullish(),
  contactId: id('contact').nullish(),
  assignee: assigneeOption.nullish(),
  dueOn: clearsStoredValue(day('dueOn')),
}

type AssigneeInput = z.output<z.ZodObject<typeof assigneeFields>>

/** The change of the assignee that a request asks for. */
export function assigneeFrom({ assigneeId, contactId, assignee, dueOn }: AssigneeInput): AssigneeChange {
  const [kind, number] = (assignee ?? '').split('-')
  if (!kind) return { assigneeId: assigneeId ?? undefined, contactId: contactId ?? undefined, dueOn }
  const id = parseId(number)
  return {
    assigneeId: kind === 'staff' ? id : null,
    contactId: kind === 'contact' ? id : null,
    dueOn,
  }
}

/** The assignee as the value of a form's field; null when there is none. */
export function assigneeValue({
  assigneeId,
  contactId,
}: Pick<Incident, 'assigneeId' | 'contactId'>): string | null {
  if (assigneeId !== null) return `staff-${assigneeId}`
  return contactId === null ? null : `contact-${contactId}`
}

type Choice = [value: string, label: string]

/**
 * Who can be assigned, as options of a form: the contact of the asset, if there is one, then active
 * staff by name, then the other contacts in display order.
 */
export async function assigneeOptions(
  { state: { text } }: Context,
  assetId: number | null = null,
): Promise<Choice[]> {
  const [staff, contacts] = await Promise.all([
    query<{ id: number; name: string }>(
      `select u.id, u.name from users u where u.active and is_staff(u.role) order by lower(u.name), u.id`,
    ),
    query<{ id: number; name: string; label: string; hasEmail: boolean; isAssetContact: boolean }>(
      `select k.id, k.name, k.label, k.email <> '' as has_email,
         exists (select from assets a where a.id = $1 and a.contact_id = k.id) as is_asset_contact
       from contacts k order by k.sort_order, k.id`,
      [assetId],
    ),
  ])
  const options = contacts.map(({ id, name, label, hasEmail, isAssetContact }) => {
    const contact = text.answers.contact(name, label, hasEmail)
    const option: Choice = [`contact-${id}`, isAssetContact ? text.answers.keeper(contact) : contact]
    return { isAssetContact, option }
  })
  return [
    ...options.filter(({ isAssetContact }) => isAssetContact).map(({ option }) => option),
    ...staff.map(({ id, name }): Choice => [`staff-${id}`, name]),
    ...options.filter(({ isAssetContact }) => !isAssetContact).map(({ option }) => option),
  ]
}
