import type { Format } from '../../../platform/http/format/format.js'
import type { Text } from '../../../text/index.js'

/** The fields of an update's form that show what is stored; those of one group change as one. */
const fieldGroups = [['expectedBackAt'], ['statusReason', 'otherReason'], ['assignee'], ['dueOn']] as const
type FieldName = (typeof fieldGroups)[number][number]

/** What these fields show, as text. */
export type StoredFields = Record<FieldName, string>

/** A form that was sent. `shown`: what its fields showed when it was made, as JSON. */
type SentForm = Partial<Record<FieldName | 'shown', unknown>>

/** A field that both people changed, as its label and both values in words. */
type FieldConflict = { label: string; current: string; sent: string }

/** What the values are put into words with. */
type Wording = { t: Text; h: Format; assignees: readonly [value: string, label: string][] }

/**
 * Someone else answered while this form was open. Fields that the person did not touch take the
 * current value, so that sending the form again takes back nothing of the other's; fields that both
 * changed are listed with both values.
 */
export function mergeForms(
  current: StoredFields,
  form: SentForm,
  wording: Wording,
): { values: StoredFields; conflicts: FieldConflict[] } {
  const carried = carriedFields(form)
  const sent = textsOf(form)
  const touched = touchedGroups(current, form)
  const values = { ...current }
  for (const name of touched.flat()) values[name] = sent[name] ?? ''
  const contested = touched.filter((names) => names.some((name) => carried[name] !== current[name]))
  const conflicts = contested.map(([name]) => ({
    label: wording.t.answers[name],
    current: inWords(name, current, wording),
    sent: inWords(name, values, wording),
  }))
  return { values, conflicts }
}

/** The fields of a sent form that would change what is stored, each by the first of its group. */
export const changedFields = (current: StoredFields, form: SentForm): FieldName[] =>
  touchedGroups(current, form).map(([name]) => name)

/** The groups that the person changed since the form was made, to something else than is stored. */
function touchedGroups(current: StoredFields, form: SentForm) {
  const carried = carriedFields(form)
  const sent = textsOf(form)
  const isTouched = (name: FieldName) =>
    sent[name] !== undefined && sent[name] !== carried[name] && sent[name] !== current[name]
  return fieldGroups.filter((names) => names.some(isTouched))
}

/** What the fields showed; none when the form carries anything else than its own text of it. */
function carriedFields(form: SentForm): Partial<StoredFields> {
  try {
    return textsOf(JSON.parse(String(form.shown)) ?? {})
  } catch {
    return {}
  }
}

function textsOf(fields: SentForm): Partial<StoredFields> {
  const names = fieldGroups.flat().filter((name) => typeof fields[name] === 'string')
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}

function inWords(name: FieldName, values: StoredFields, { t, h, assignees }: Wording): string {
  const value = name === 'statusReason' && values.statusReason === 'other' ? values.otherReason : values[name]
  const { nothing, noOne } = t.answers
  if (name === 'assignee') return assignees.find(([assignee]) => assignee === value)?.[1] ?? noOne
  if (value === '') return nothing
  if (name === 'statusReason') return t.faultState.reason(value)
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?$/.exec(value) ?? []
  if (!day || Number.isNaN(Date.parse(day))) return value
  return time ? `${h.wholeDay(day)}, ${time}` : h.wholeDay(day)
}
