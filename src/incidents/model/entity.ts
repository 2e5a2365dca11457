import type { z } from 'zod'
import {
  dayColumn,
  flagColumn,
  idColumn,
  instantColumn,
  orNull,
  textColumn,
  word,
} from '../../platform/db/columnKinds.js'
import { entity } from '../../platform/http/records/entity.js'
import type { ColumnsOf, CreatableOf, EditableOf, RowOf } from '../../platform/http/records/entityTypes.js'
import * as rule from '../../vocabulary/inputRules.js'
import { closingReasons, sources, statuses } from '../../vocabulary/lifecycle.js'
import { limits } from '../../vocabulary/limits.js'
import { unitVisibilities } from '../../vocabulary/people/visibility.js'
import { severities } from '../../vocabulary/severity.js'

/**
 * Every field of an incident, in the order of its JSON (spec §2); new ones come last. What everyone
 * reads of it passes through presenters, which decide what of that this viewer may read. A report
 * sets fields with `create`, a correction by staff those with `edit`; other acts set the rest.
 */
export const incidentEntity = entity({
  name: 'incident',
  from: 'listed_incidents i',
  alias: 'i',
  fields: {
    id: { kind: idColumn, reader: 'everyone' },
    title: {
      kind: textColumn,
      reader: 'everyone',
      create: rule.singleLine('title', limits.title),
      edit: () => rule.singleLine('title', limits.title).optional(),
    },
    description: { kind: textColumn, reader: 'everyone', create: rule.optionalText('description') },
    severity: {
      kind: word(severities),
      reader: 'everyone',
      create: rule.oneOf('severity', severities),
      edit: () => rule.oneOf('severity', severities).optional(),
    },
    status: { kind: word(statuses), reader: 'everyone' },
    isDowntime: { kind: flagColumn, reader: 'everyone', edit: () => rule.flag('downtime').optional() },
    assetId: {
      kind: orNull(idColumn),
      reader: 'everyone',
      create: rule.id('asset').nullish().default(null),
      edit: () => rule.id('asset').nullish(),
    },
    assetName: { kind: orNull(textColumn), reader: 'everyone', joined: true },
    unitId: {
      kind: orNull(idColumn),
      reader: 'everyone',
      create: rule.id('unit').nullish().default(null),
      edit: () => rule.id('unit').nullish(),
    },
    unitName: { kind: orNull(textColumn), reader: 'everyone', joined: true },
    /** The real name: presenters decide who sees it (decision 2.9). */
    reporterName: { kind: textColumn, reader: 'everyone', joined: true },
    slaBreached: { kind: flagColumn, reader: 'everyone' },
    source: { kind: word(sources), reader: 'everyone' },
    createdAt: { kind: instantColumn, reader: 'everyone' },
    resolvedAt: { kind: orNull(instantColumn), reader: 'everyone' },

    expectedBackAt: {
      kind: orNull(instantColumn),
      reader: 'everyone',
      json: 'detail',
      edit: ({ zone }) => rule.clearable(rule.moment('expectedBack', zone)),
    },
    statusReason: {
      kind: orNull(textColumn),
      reader: 'everyone',
      json: 'detail',
      edit: () => rule.clearable(rule.trimmedText('statusReason', limits.reason)),
    },

    /**
     * Null while it is not closed, and for incidents closed before reasons were stored (decision
     * 7.14).
     */
    closingReason: { kind: orNull(word(closingReasons)), reader: 'everyone', json: 'detail' },

    reporterId: { kind: orNull(idColumn), reader: 'none' },
    reporterIsStaff: { kind: flagColumn, reader: 'none', joined: true },
    /**
     * The sender of an email, whether that is proven, and the name of the account it claims to be;
     * for staff only.
     */
    reporterEmail: { kind: orNull(textColumn), reader: 'none' },
    senderProven: { kind: orNull(flagColumn), reader: 'none' },
    claimedName: { kind: orNull(textColumn), reader: 'none', joined: true },
    isAnonymous: { kind: flagColumn, reader: 'none', create: rule.flag('anonymous').default(false) },
    acknowledgedAt: { kind: orNull(instantColumn), reader: 'everyone', json: 'detail' },
    mergedIntoId: { kind: orNull(idColumn), reader: 'none' },
    /** Who does it, one of them at most, and until which local day; for staff only. */
    assigneeId: { kind: orNull(idColumn), reader: 'none', edit: () => rule.id('assignee').nullish() },
    contactId: { kind: orNull(idColumn), reader: 'none', edit: () => rule.id('contact').nullish() },
    dueOn: { kind: orNull(dayColumn), reader: 'none', edit: () => rule.clearable(rule.day('dueOn')) },

    downtimeStartedAt: {
      kind: orNull(instantColumn),
      reader: 'none',
      rowOnly: true,
      edit: ({ zone }) => rule.clearable(rule.moment('downtimeStart', zone)),
    },
    downtimeEndedAt: {
      kind: orNull(instantColumn),
      reader: 'none',
      rowOnly: true,
      edit: ({ zone }) => rule.clearable(rule.moment('downtimeEnd', zone)),
    },
    slaBreachedAt: { kind: orNull(instantColumn), reader: 'none', rowOnly: true },
    verifiedAt: { kind: orNull(instantColumn), reader: 'none' },
    /** What waits for the office (decision 7.2): since when it is said not to be fixed. */
    reopenedAt: { kind: orNull(instantColumn), reader: 'none' },
    /** Since when a resident's words wait for an answer. */
    unansweredSince: { kind: orNull(instantColumn), reader: 'none', rowOnly: true },
    /** When the office last said something in public. */
    lastStaffUpdateAt: { kind: orNull(instantColumn), reader: 'none', rowOnly: true },

    /**
     * Its words while they are hidden, for staff alone: `title` and `description` are what others
     * read then (7.14).
     */
    hiddenTitle: { kind: orNull(textColumn), reader: 'none' },
    hiddenDescription: { kind: orNull(textColumn), reader: 'none' },
    /** Since when it is "not a report" (decision 7.14). */
    dismissedAt: { kind: orNull(instantColumn), reader: 'none' },
    /** Its flat's tower, and who may read which flat it is (decision 7.13). */
    towerName: { kind: orNull(textColumn), reader: 'none', joined: true },
    unitVisibility: { kind: word(unitVisibilities), reader: 'none', joined: true },
  },
})

/** The columns of the `incidents` table. */
export type IncidentColumns = ColumnsOf<typeof incidentEntity>
/** A row of the view `listed_incidents`: with the names of its place and reporter. */
export type ListedIncident = RowOf<typeof incidentEntity>
/** What a report sets. */
export type Report = z.output<z.ZodObject<typeof incidentEntity.creates>>
/** The names of the fields that a report sets. */
export type ReportedField = CreatableOf<typeof incidentEntity>
/** The names of the fields that a correction may change. */
export type Editable = EditableOf<typeof incidentEntity>

/** The fields that a correction may change, in their order. */
export const editableNames = Object.keys(incidentEntity.edits('UTC')) as Editable[]
