import type { Context } from '../../../platform/http/context.js'
import { formatFor } from '../../../platform/http/format/format.js'
import { representationOf } from '../../../platform/http/representation.js'
import { ValidationFailed } from '../../../vocabulary/validation.js'
import { assigneeNames } from '../../model/assignee.js'
import type { Incident } from '../../model/incident.js'
import { officeVersion } from '../../model/officeVersion.js'
import { assigneeOptions, assigneeValue } from './assigneeInput.js'
import { mergeForms, type StoredFields } from './changedMeanwhile.js'
import { templateChoices } from './templateChoices.js'

/**
 * The reason for the present status. When no listed reason fits, a form sends `other` and the
 * office's own words.
 */
export function reasonFrom<T>(statusReason: T, otherReason: string | undefined): T | string {
  if (statusReason !== 'other') return statusReason
  if (!otherReason) throw new ValidationFailed({ otherReason: ['statusReason_required'] })
  return otherReason
}

/**
 * The version of an update's form. It is read before the form's content, so that no change in
 * between is missed.
 */
export const formVersion = (ctx: Context, incidentId: number): Promise<string> | string =>
  ctx.state.viewer.staff && representationOf(ctx) !== 'json' ? officeVersion(incidentId) : ''

/** The fields of the form that show what is stored, with their texts for this reader. */
export async function storedFields(ctx: Context, stored: Incident): Promise<StoredFields> {
  const { property } = await ctx.state.building()
  const h = formatFor(ctx.state.locale, property.timezone)
  const { expectedBackAt, statusReason, dueOn } = stored
  const reason = statusReason ?? ''
  const isOther = reason !== '' && !Object.hasOwn(ctx.state.text.faultState.reasons, reason)
  return {
    expectedBackAt: expectedBackAt ? h.localInput(expectedBackAt.toISOString()) : '',
    statusReason: isOther ? 'other' : reason,
    otherReason: isOther ? reason : '',
    assignee: assigneeValue(stored) ?? 'nobody',
    dueOn: dueOn ?? '',
  }
}

export type UpdateFormExtras = Awaited<ReturnType<typeof updateForm>>

/** The form of an update by staff: what is stored, and what can be chosen. */
export async function updateForm(ctx: Context, stored: Incident) {
  const { property } = await ctx.state.building()
  const h = formatFor(ctx.state.locale, property.timezone)
  const [fields, assignees, { assigneeName, contactName }] = await Promise.all([
    storedFields(ctx, stored),
    assigneeOptions(ctx, stored.assetId),
    assigneeNames(stored.id),
  ])
  const { assignee } = fields
  const isMissing = assignee !== 'nobody' && assignees.every(([value]) => value !== assignee)
  // Someone who can no longer be chosen stays the assignee until another one is.
  const choices: typeof assignees = isMissing
    ? [...assignees, [assignee, assigneeName ?? contactName ?? '']]
    : assignees
  return {
    storedFields: fields,
    shown: JSON.stringify(fields),
    mergeForms: (sent: Record<string, unknown>) =>
      mergeForms(fields, sent, { t: ctx.state.text, h, assignees: choices }),
    assignees: choices,
    templates: await templateChoices(),
  }
}
