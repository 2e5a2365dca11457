import type { z } from 'zod'
import { mailName } from '../../domain/incidents/anonymity.js'
import { sources, statuses } from '../../domain/incidents/lifecycle.js'
import { severities } from '../../domain/incidents/severity.js'
import * as rule from '../../domain/system/inputRules.js'
import { limits } from '../../domain/system/limits.js'
import { isStaffSql } from '../accounts/user.js'
import { unitNameSql } from '../building/unitName.js'
import { flag, id, instant, type Kind, orNull, text, word } from '../system/kinds.js'

/** What is known of a field of an incident, said here and nowhere else. */
type Field = {
  // biome-ignore lint/suspicious/noExplicitAny: of any value; each field's own is inferred
  kind: Kind<any, z.ZodType>
  /** Where it is read from when it is no column of the table. */
  sql?: string
  /** `list`: public in every incident's JSON, and a column of the CSV file under this name. `detail`: in one's own alone. */
  json?: 'list' | 'detail'
  /** Of the stored row alone: not read with its joined names. */
  rowOnly?: true
  /** What whoever reports may say of it, and what staff may put right; local times are of the property's zone. */
  report?: z.ZodType
  edit?: (zone: string) => z.ZodType
}

/** Every field of an incident. Those of the JSON stand in its order (spec §2); a new one comes last of them. */
export const incidentFields = {
  id: { kind: id, json: 'list' },
  title: {
    kind: text,
    json: 'list',
    report: rule.oneLine('title', limits.title),
    edit: () => rule.oneLine('title', limits.title).optional(),
  },
  description: { kind: text, json: 'list', report: rule.optionalLine('description') },
  severity: {
    kind: word(severities),
    json: 'list',
    report: rule.oneOf('severity', severities),
    edit: () => rule.oneOf('severity', severities).optional(),
  },
  status: { kind: word(statuses), json: 'list' },
  isDowntime: { kind: flag, json: 'list', edit: () => rule.flag('downtime').optional() },
  assetId: {
    kind: orNull(id),
    json: 'list',
    report: rule.id('asset').nullish().default(null),
    edit: () => rule.id('asset').nullish(),
  },
  assetName: { kind: orNull(text), json: 'list', sql: 'a.name' },
  unitId: {
    kind: orNull(id),
    json: 'list',
    report: rule.id('unit').nullish().default(null),
    edit: () => rule.id('unit').nullish(),
  },
  unitName: { kind: orNull(text), json: 'list', sql: unitNameSql },
  /** The real one: presenters decide who sees it (decision 2.9). */
  reporterName: { kind: text, json: 'list', sql: `coalesce(r.name, '${mailName}')` },
  slaBreached: { kind: flag, json: 'list' },
  source: { kind: word(sources), json: 'list' },
  createdAt: { kind: instant, json: 'list' },
  resolvedAt: { kind: orNull(instant), json: 'list' },

  expectedBackAt: {
    kind: orNull(instant),
    json: 'detail',
    edit: (zone) => rule.clearable(rule.moment('expectedBack', zone)),
  },
  statusReason: {
    kind: orNull(text),
    json: 'detail',
    edit: () => rule.clearable(rule.line('statusReason', limits.reason)),
  },

  reporterId: { kind: orNull(id) },
  reporterIsStaff: { kind: flag, sql: `coalesce(${isStaffSql('r')}, false)` },
  /** Of a mail from nobody we know; for staff only. */
  reporterEmail: { kind: orNull(text) },
  isAnonymous: { kind: flag, report: rule.flag('anonymous').default(false) },
  acknowledgedAt: { kind: orNull(instant) },
  mergedIntoId: { kind: orNull(id) },

  downtimeStartedAt: {
    kind: orNull(instant),
    rowOnly: true,
    edit: (zone) => rule.clearable(rule.moment('downtimeStart', zone)),
  },
  slaBreachedAt: { kind: orNull(instant), rowOnly: true },
  verifiedAt: { kind: orNull(instant), rowOnly: true },
} as const satisfies Record<string, Field>

type Fields = typeof incidentFields
export type FieldName = keyof Fields
/** The names of the fields that are described so. */
type NamesOf<D> = { [N in FieldName]: Fields[N] extends D ? N : never }[FieldName]
type ValueOf<N extends FieldName> = Fields[N]['kind'] extends Kind<infer V, infer _> ? V : never

/** The columns of the table. */
export type IncidentColumns = { [N in Exclude<FieldName, NamesOf<{ sql: string }>>]: ValueOf<N> }
/** An incident joined with the names it is shown with. */
export type ListedIncident = { [N in Exclude<FieldName, NamesOf<{ rowOnly: true }>>]: ValueOf<N> }

type Shown = 'list' | 'detail'
type Reported = NamesOf<{ report: z.ZodType }>
export type Editable = NamesOf<{ edit: (zone: string) => z.ZodType }>

const names = Object.keys(incidentFields) as FieldName[]
const field = (name: FieldName): Field => incidentFields[name]
const shownIn = (where: Shown) => names.filter((name) => field(name).json === where)
const listNames = shownIn('list')
const detailNames = shownIn('detail')

/** What a report may hold, in the table's terms. */
export const reportedNames = names.filter((name) => field(name).report) as Reported[]
/** What a correction may change. */
export const editableNames = names.filter((name) => field(name).edit) as Editable[]

/** The name of a field's column. */
export const columnOf = (name: FieldName) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const sqlOf = (name: FieldName) => field(name).sql ?? `i.${columnOf(name)}`

/** SQL: the select list of ListedIncident, of `incidents i` with its place's and its reporter's tables joined. */
export const listedColumns = names
  .filter((name) => !field(name).rowOnly)
  .map((name) => `${sqlOf(name)} as "${name}"`)
  .join(', ')

type JsonOf<S extends Shown> = { [N in NamesOf<{ json: S }>]: Fields[N]['kind']['json'] }
const schemasOf = (shown: FieldName[]) => picked(shown, (name) => field(name).kind.json) as unknown

/** The schemas of an incident's JSON: what every one has, and what its own has besides. */
export const listJson = schemasOf(listNames) as JsonOf<'list'>
export const detailJson = schemasOf(detailNames) as JsonOf<'detail'>

/** The fields that are shown there, as JSON has them. */
export function presented<S extends Shown>(row: ListedIncident, where: S) {
  const shown = where === 'list' ? listNames : detailNames
  const values: Record<string, unknown> = row
  return picked(shown, (name) => field(name).kind.present(values[name])) as unknown as {
    [N in NamesOf<{ json: S }>]: z.output<Fields[N]['kind']['json']>
  }
}

/** The columns of the CSV file, by their headings. */
export const csvFields = picked(listNames, (name) => field(name).kind.csv(sqlOf(name)))

/** The rules of what a report may say. */
export const reportRules = picked(reportedNames, (name) => field(name).report) as {
  [N in Reported]: Fields[N]['report']
}

/** The rules of what a correction may say. */
export const editRules = (zone: string) =>
  picked(editableNames, (name) => field(name).edit?.(zone)) as {
    [N in Editable]: ReturnType<Fields[N]['edit']>
  }

function picked<N extends string, T>(from: readonly N[], make: (name: N) => T): Record<N, T> {
  return Object.fromEntries(from.map((name) => [name, make(name)])) as Record<N, T>
}
