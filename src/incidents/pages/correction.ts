import { z } from 'zod'
import { flag, optionalText, trimmedText } from '../../vocabulary/inputRules.js'
import { limits } from '../../vocabulary/limits.js'
import type { IncidentPatch } from '../acts/allowedPatch.js'
import { type Editable, incidentEntity } from '../model/entity.js'
import { reasonFrom } from './update/updateForm.js'

/**
 * The fields of a correction, all optional (decision 2.1). Local times of forms are in the
 * property's zone. The order is the form's, because problems are listed in it.
 */
export const Correction = ({ zone }: { zone: string }) => {
  const rules = incidentEntity.edits(zone)
  const fields = {
    title: rules.title,
    severity: rules.severity,
    retroactive: flag('retroactive').optional(),
    assetId: rules.assetId,
    unitId: rules.unitId,
    isDowntime: rules.isDowntime,
    downtimeStartedAt: rules.downtimeStartedAt,
    downtimeEndedAt: rules.downtimeEndedAt,
    expectedBackAt: rules.expectedBackAt,
    statusReason: rules.statusReason,
    assigneeId: rules.assigneeId,
    contactId: rules.contactId,
    dueOn: rules.dueOn,
    otherReason: optionalText('statusReason', limits.reason),
    namedAnyway: trimmedText('title', limits.text, 0).nullish(),
  } satisfies Record<Editable, z.ZodType> & Record<string, z.ZodType>
  return z.object(fields).meta({ id: 'Correction' })
}

export type CorrectionInput = Partial<z.output<ReturnType<typeof Correction>>>

/** Fields that the form for an update has; a correction takes them as JSON alone. */
const fieldsOfUpdateForm = {
  expectedBackAt: true,
  statusReason: true,
  otherReason: true,
  assigneeId: true,
  contactId: true,
  dueOn: true,
} as const

/**
 * The fields of the form. `shownPreview`: the part about the past whose consequence the form has
 * shown already (decision 2.8).
 */
export const CorrectionForm = (place: { zone: string }) =>
  Correction(place)
    .omit(fieldsOfUpdateForm)
    .extend({ shownPreview: z.string('not_text').optional() })

/**
 * The patch of a correction. When no listed reason fits, `otherReason` has the office's own words.
 */
export function correctionPatch({ otherReason, ...fields }: CorrectionInput): IncidentPatch {
  if (fields.statusReason === undefined) return fields
  return { ...fields, statusReason: reasonFrom(fields.statusReason, otherReason) }
}
