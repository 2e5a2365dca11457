import type { z } from 'zod'
import {
  dayColumn,
  flagColumn,
  idColumn,
  instantColumn,
  type Kind,
  orNull,
  textColumn,
  word,
} from '../../platform/db/columnKinds.js'
import { columnOf } from '../../platform/db/names.js'
import * as rule from '../../vocabulary/inputRules.js'
import { closingReasons, sources, statuses } from '../../vocabulary/lifecycle.js'
import { limits } from '../../vocabulary/limits.js'
import { unitVisibilities } from '../../vocabulary/people/visibility.js'
import { severities } from '../../vocabulary/severity.js'

/** The definition of an incident field; tables, JSON, CSV and forms derive from it. */
type Field = {
  // biome-ignore lint/suspicious/noExplicitAny: of any value; each field's own is inferred
  kind: Kind<any, z.ZodType>
  /** Not a column of the table: only the view `listed_incidents` has it. */
  joined?: true
  /**
   * `list`: in every incident's JSON and in the CSV file. `detail`: only in the JSON of a single
   * incident.
   */
  json?: 'list' | 'detail'
  /** Only in the stored row, not in ListedIncident. */
  rowOnly?: true
  /** Schemas for a report and for a correction by staff; local times are in the property's zone. */
  report?: z.ZodType
  edit?: (zone: string) => z.ZodType
}

/**
 * Every field of an incident. JSON fields are in the order of the JSON (spec §2); new ones come
 * last.
 */
export const incidentFields = {
  id: { kind: idColumn, json: 'list' },
  title: {
    kind: textColumn,
    json: 'list',
    report: rule.oneLine('title', limits.title),
    edit: () => rule.oneLine('title', limits.title).optional(),
  },
  description: { kind: textColumn, json: 'list', report: rule.optionalLine('description') },
  severity: {
    kind: word(severities),
    json: 'list',
    report: rule.oneOf('severity', severities),
    edit: () => rule.oneOf('severity', severities).optional(),
  },
  status: { kind: word(statuses), json: 'list' },
  isDowntime: { kind: flagColumn, json: 'list', edit: () => rule.flag('downtime').optional() },
  assetId: {
    kind: orNull(idColumn),
    json: 'list',
    report: rule.id('asset').nullish().default(null),
    edit: () => rule.id('asset').nullish(),
  },
  assetName: { kind: orNull(textColumn), json: 'list', joined: true },
  unitId: {
    kind: orNull(idColumn),
    json: 'list',
    report: rule.id('unit').nullish().default(null),
    edit: () => rule.id('unit').nullish(),
  },
  unitName: { kind: orNull(textColumn), json: 'list', joined: true },
  /** The real name: presenters decide who sees it (decision 2.9). */
  reporterName: { kind: textColumn, json: 'list', joined: true },
  slaBreached: { kind: flagColumn, json: 'list' },
  source: { kind: word(sources), json: 'list' },
  createdAt: { kind: instantColumn, json: 'list' },
  resolvedAt: { kind: orNull(instantColumn), json: 'list' },

  expectedBackAt: {
    kind: orNull(instantColumn),
    json: 'detail',
    edit: (zone) => rule.clearable(rule.moment('expectedBack', zone)),
  },
  statusReason: {
    kind: orNull(textColumn),
    json: 'detail',
    edit: () => rule.clearable(rule.line('statusReason', limits.reason)),
  },

  /**
   * Null while it is not closed, and for incidents closed before reasons were stored (decision
   * 7.14).
   */
  closingReason: { kind: orNull(word(closingReasons)), json: 'detail' },

  reporterId: { kind: orNull(idColumn) },
  reporterIsStaff: { kind: flagColumn, joined: true },
  /**
   * The sender of an email, whether that is proven, and the name of the account it claims to be;
   * for staff only.
   */
  reporterEmail: { kind: orNull(textColumn) },
  senderProven: { kind: orNull(flagColumn) },
  claimedName: { kind: orNull(textColumn), joined: true },
  isAnonymous: { kind: flagColumn, report: rule.flag('anonymous').default(false) },
  acknowledgedAt: { kind: orNull(instantColumn), json: 'detail' },
  mergedIntoId: { kind: orNull(idColumn) },
  /** Who does it, one of them at most, and until which local day; for staff only. */
  assigneeId: { kind: orNull(idColumn), edit: () => rule.id('assignee').nullish() },
  contactId: { kind: orNull(idColumn), edit: () => rule.id('contact').nullish() },
  dueOn: { kind: orNull(dayColumn), edit: () => rule.clearable(rule.day('dueOn')) },

  downtimeStartedAt: {
    kind: orNull(instantColumn),
    rowOnly: true,
    edit: (zone) => rule.clearable(rule.moment('downtimeStart', zone)),
  },
  downtimeEndedAt: {
    kind: orNull(instantColumn),
    rowOnly: true,
    edit: (zone) => rule.clearable(rule.moment('downtimeEnd', zone)),
  },
  slaBreachedAt: { kind: orNull(instantColumn), rowOnly: true },
  verifiedAt: { kind: orNull(instantColumn) },
  /** Of what the office has not reacted to (decision 7.2): said not to be fixed; the first word. */
  reopenedAt: { kind: orNull(instantColumn) },
  unansweredSince: { kind: orNull(instantColumn), rowOnly: true },
  /** When the office last said something in public. */
  lastStaffUpdateAt: { kind: orNull(instantColumn), rowOnly: true },

  /**
   * Its words while they are hidden, for staff alone: `title` and `description` are what others
   * read then (7.14).
   */
  hiddenTitle: { kind: orNull(textColumn) },
  hiddenDescription: { kind: orNull(textColumn) },
  /** Since when it is "not a report" (decision 7.14). */
  dismissedAt: { kind: orNull(instantColumn) },
  /** Its flat's tower, and who may read which flat it is (decision 7.13). */
  towerName: { kind: orNull(textColumn), joined: true },
  unitVisibility: { kind: word(unitVisibilities), joined: true },
} as const satisfies Record<string, Field>

type Fields = typeof incidentFields
export type FieldName = keyof Fields
/** The names of the fields with this property. */
type NamesOf<D> = { [N in FieldName]: Fields[N] extends D ? N : never }[FieldName]
type ValueOf<N extends FieldName> = Fields[N]['kind'] extends Kind<infer V, infer _> ? V : never

/** The columns of the `incidents` table. */
export type IncidentColumns = { [N in Exclude<FieldName, NamesOf<{ joined: true }>>]: ValueOf<N> }
/** A row of the view `listed_incidents`: with the names of its place and reporter. */
export type ListedIncident = { [N in Exclude<FieldName, NamesOf<{ rowOnly: true }>>]: ValueOf<N> }

type Shown = 'list' | 'detail'
type Reported = NamesOf<{ report: z.ZodType }>
export type Editable = NamesOf<{ edit: (zone: string) => z.ZodType }>

const names = Object.keys(incidentFields) as FieldName[]
const field = (name: FieldName): Field => incidentFields[name]
const shownIn = (where: Shown) => names.filter((name) => field(name).json === where)
const listNames = shownIn('list')
const detailNames = shownIn('detail')

/** The fields of a report. */
export const reportedNames = names.filter((name) => field(name).report) as Reported[]
/** The fields a correction may change. */
export const editableNames = names.filter((name) => field(name).edit) as Editable[]

/** The fields of ListedIncident, which are the columns of its view. */
export const listedNames = names.filter((name) => !field(name).rowOnly)

type JsonOf<S extends Shown> = { [N in NamesOf<{ json: S }>]: Fields[N]['kind']['json'] }
const schemasOf = (shown: FieldName[]) => picked(shown, (name) => field(name).kind.json) as unknown

/** The JSON schemas: fields of every incident, and the extra ones of a single incident. */
export const listJson = schemasOf(listNames) as JsonOf<'list'>
export const detailJson = schemasOf(detailNames) as JsonOf<'detail'>

/** The JSON values of the fields shown there. */
export function presented<S extends Shown>(row: ListedIncident, where: S) {
  const shown = where === 'list' ? listNames : detailNames
  const values: Record<string, unknown> = row
  return picked(shown, (name) => field(name).kind.present(values[name])) as unknown as {
    [N in NamesOf<{ json: S }>]: z.output<Fields[N]['kind']['json']>
  }
}

/** The columns of the CSV file, by heading, from `listed_incidents i`. */
export const csvFields = picked(listNames, (name) => field(name).kind.csv(`i.${columnOf(name)}`))

/** The schemas of a report's fields. */
export const reportRules = picked(reportedNames, (name) => field(name).report) as {
  [N in Reported]: Fields[N]['report']
}

/** The schemas of a correction's fields; `zone` is the property's time zone. */
export const editRules = (zone: string) =>
  picked(editableNames, (name) => field(name).edit?.(zone)) as {
    [N in Editable]: ReturnType<Fields[N]['edit']>
  }

function picked<N extends string, T>(from: readonly N[], make: (name: N) => T): Record<N, T> {
  return Object.fromEntries(from.map((name) => [name, make(name)])) as Record<N, T>
}
