import type { Change } from '../../platform/db/change.js'
import { requireContact } from '../../platform/http/records/archive.js'
import { isStaffSql } from '../../platform/http/session/user.js'
import { enqueueEmail } from '../../platform/outbox/enqueueEmail.js'
import { officeVersion } from '../../status/queries/latestStatement.js'
import { Conflict } from '../../vocabulary/conflict.js'
import type { Stamps } from '../../vocabulary/lifecycle.js'
import type { ClosingReason } from '../../vocabulary/reasons.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import type { Incident } from '../incident.js'

/**
 * Who does an incident: a member of staff or a contact, or nobody yet; and until which local day
 * (YYYY-MM-DD).
 */
type Doer = Pick<Incident, 'assigneeId' | 'contactId' | 'dueOn'>

/** What of it is said anew; what is undefined stays. */
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

/** Throws ValidationFailed for two doers, for nobody of the active staff, and for no contact. */
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

/** A contact that is given an incident gets a mail about it, if we know an address. */
export async function assign(c: Change, incidentId: number, before: Doer, after: Doer): Promise<void> {
  if (after.contactId === null || after.contactId === before.contactId || c.actor.past) return
  const [contact] = await c.query(`select from contacts where id = $1 and email <> ''`, [after.contactId])
  if (contact) await enqueueEmail(c, 'incident.handed_over', { contact: after.contactId }, { incidentId })
}

/** What an answer of the office says beside its words; what is undefined stays as it is. */
export type AnswerFields = AssigneeChange & {
  expectedBackAt?: Date | null | undefined
  statusReason?: string | null | undefined
  closingReason?: ClosingReason | null | undefined
  /** Undefined: yes (decision 7.16). */
  onStatusPage?: boolean | undefined
  /** What the office had said and set when the form was made (`officeVersion`). */
  version?: string | null | undefined
}

/** The columns of an incident that an answer sets. */
export type AppliedPatch = Doer & Pick<Incident, 'expectedBackAt' | 'statusReason' | 'closingReason'>

/** An older version leaves the closing reason of what it opens again: it means nothing then. */
export const appliedPatch = (incident: Incident): AppliedPatch => {
  const { expectedBackAt, statusReason } = incident
  const closingReason = incident.resolvedAt === null ? null : incident.closingReason
  return { ...currentAssignee(incident), expectedBackAt, statusReason, closingReason }
}

const besides = [
  'expectedBackAt',
  'statusReason',
  'closingReason',
  'onStatusPage',
  'assigneeId',
  'contactId',
  'dueOn',
] as const

/** Whether anything of an answer beside its words is given. */
export const hasFields = (answer: AnswerFields) => besides.some((name) => answer[name] !== undefined)

/**
 * Throws Conflict when the office has answered, moved or handed over the incident since the form
 * was made.
 */
export async function refuseStale(
  c: Change,
  incidentId: number,
  version: AnswerFields['version'],
): Promise<void> {
  if (typeof version === 'string' && version !== (await officeVersion(incidentId, c.query)))
    throw new Conflict('answered_meanwhile')
}

/**
 * What an answer leaves of a locked incident; `stamps`: where it moves, if it does. Throws
 * ValidationFailed.
 */
export async function applyPatch(
  c: Change,
  incident: Incident,
  stamps: Stamps | null,
  answer: AnswerFields,
): Promise<{ before: AppliedPatch; after: AppliedPatch }> {
  const before = appliedPatch(incident)
  const isClosed = (stamps ?? incident).resolvedAt !== null
  requirePromise(before, answer, { isClosed, now: c.now })
  const after = { ...newDoer(before, answer), ...promiseOf(before, answer, isClosed), closingReason: null }
  await requireDoer(c, before, after)
  return { before, after: { ...after, closingReason: closingOf(incident, stamps, answer) } }
}

/** Throws ValidationFailed for a promise about what is closed, and for one into the past. */
function requirePromise(
  before: AppliedPatch,
  { expectedBackAt: at, statusReason: reason }: AnswerFields,
  { isClosed, now }: { isClosed: boolean; now: Date },
): void {
  const isNew = at && at.getTime() !== before.expectedBackAt?.getTime()
  if (isClosed && isNew) throw new ValidationFailed({ expectedBackAt: ['expectedBack_resolved'] })
  if (isClosed && reason && reason !== before.statusReason)
    throw new ValidationFailed({ statusReason: ['expectedBack_resolved'] })
  if (isNew && at <= now) throw new ValidationFailed({ expectedBackAt: ['expectedBack_past'] })
}

/** What is closed promises nothing. */
function promiseOf(before: AppliedPatch, { expectedBackAt, statusReason }: AnswerFields, isClosed: boolean) {
  if (isClosed) return { expectedBackAt: null, statusReason: null }
  return {
    expectedBackAt: expectedBackAt === undefined ? before.expectedBackAt : expectedBackAt,
    statusReason: statusReason === undefined ? before.statusReason : statusReason,
  }
}

/** The reason stays with what is closed; who closes without one says that it is fixed. */
function closingOf(
  incident: Incident,
  stamps: Stamps | null,
  { closingReason }: AnswerFields,
): ClosingReason | null {
  if (closingReason && (stamps === null || stamps.resolvedAt === null))
    throw new ValidationFailed({ closingReason: ['closingReason_unresolved'] })
  if (stamps === null) return appliedPatch(incident).closingReason
  if (stamps.resolvedAt === null) return null
  return closingReason ?? (incident.resolvedAt === null ? 'fixed' : incident.closingReason)
}

/** What of the promise this answer says again, for its entry; one that closes always says why. */
export function promiseFields(before: AppliedPatch, after: AppliedPatch, stamps: Stamps | null) {
  const { expectedBackAt: at, statusReason: reason, closingReason } = after
  return {
    expectedBackAt: at && at.getTime() !== before.expectedBackAt?.getTime() ? at : null,
    statusReason: reason !== before.statusReason ? reason : null,
    closingReason: stamps?.resolvedAt || closingReason !== before.closingReason ? closingReason : null,
  }
}
