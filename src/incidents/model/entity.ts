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
 * Every field of an incident, in the order of its JSON (spec §2); new ones come last. `reader`:
 * whose JSON has the field at all; what of its value a reader may see is decided where it is
 * presented (`redaction.ts`). A report sets fields with `create`, a correction by staff those with
 * `edit`; other acts set the rest.
 */
export const incidentEntity = entity({
  name: 'incident',
  from: 'listed_incidents i',
  alias: 'i',
  fields: {
    id: { column: idColumn, reader: 'everyone' },
    title: {
      column: textColumn,
      reader: 'everyone',
      create: rule.singleLine('title', limits.title),
      edit: () => rule.singleLine('title', limits.title).optional(),
    },
    description: { column: textColumn, reader: 'everyone', create: rule.optionalText('description') },
    severity: {
      column: word(severities),
      reader: 'everyone',
      create: rule.oneOf('severity', severities),
      edit: () => rule.oneOf('severity', severities).optional(),
    },
    status: { column: word(statuses), reader: 'everyone' },
    isDowntime: { column: flagColumn, reader: 'everyone', edit: () => rule.flag('downtime').optional() },
    assetId: {
      column: orNull(idColumn),
      reader: 'everyone',
      create: rule.id('asset').nullish().default(null),
      edit: () => rule.id('asset').nullish(),
    },
    assetName: { column: orNull(textColumn), reader: 'everyone', joined: true },
    unitId: {
      column: orNull(idColumn),
      reader: 'everyone',
      create: rule.id('unit').nullish().default(null),
      edit: () => rule.id('unit').nullish(),
    },
    unitName: { column: orNull(textColumn), reader: 'everyone', joined: true },
    /** The real name, also of someone who reported anonymously (decision 2.9). */
    reporterName: { column: textColumn, reader: 'everyone', joined: true },
    slaBreached: { column: flagColumn, reader: 'everyone' },
    source: { column: word(sources), reader: 'everyone' },
    createdAt: { column: instantColumn, reader: 'everyone' },
    resolvedAt: { column: orNull(instantColumn), reader: 'everyone' },

    expectedBackAt: {
      column: orNull(instantColumn),
      reader: 'everyone',
      json: 'detail',
      edit: ({ zone }) => rule.clearable(rule.moment('expectedBack', zone)),
    },
    statusReason: {
      column: orNull(textColumn),
      reader: 'everyone',
      json: 'detail',
      edit: () => rule.clearable(rule.trimmedText('statusReason', limits.reason)),
    },

    /**
     * Null while it is not closed, and for incidents closed before reasons were stored (decision
     * 7.14).
     */
    closingReason: { column: orNull(word(closingReasons)), reader: 'everyone', json: 'detail' },

    reporterId: { column: orNull(idColumn), reader: 'none' },
    reporterIsStaff: { column: flagColumn, reader: 'none', joined: true },
    /**
     * The sender of an email, whether that is proven, and the name of the account it claims to be;
     * for staff only.
     */
    reporterEmail: { column: orNull(textColumn), reader: 'none' },
    senderProven: { column: orNull(flagColumn), reader: 'none' },
    claimedName: { column: orNull(textColumn), reader: 'none', joined: true },
    isAnonymous: { column: flagColumn, reader: 'none', create: rule.flag('anonymous').default(false) },
    acknowledgedAt: { column: orNull(instantColumn), reader: 'everyone', json: 'detail' },
    mergedIntoId: { column: orNull(idColumn), reader: 'none' },
    /** A member of staff or a contact, never both, and the local day it is due; for staff only. */
    assigneeId: { column: orNull(idColumn), reader: 'none', edit: () => rule.id('assignee').nullish() },
    contactId: { column: orNull(idColumn), reader: 'none', edit: () => rule.id('contact').nullish() },
    dueOn: { column: orNull(dayColumn), reader: 'none', edit: () => rule.clearable(rule.day('dueOn')) },

    downtimeStartedAt: {
      column: orNull(instantColumn),
      reader: 'none',
      rowOnly: true,
      edit: ({ zone }) => rule.clearable(rule.moment('downtimeStart', zone)),
    },
    downtimeEndedAt: {
      column: orNull(instantColumn),
      reader: 'none',
      rowOnly: true,
      edit: ({ zone }) => rule.clearable(rule.moment('downtimeEnd', zone)),
    },
    slaBreachedAt: { column: orNull(instantColumn), reader: 'none', rowOnly: true },
    verifiedAt: { column: orNull(instantColumn), reader: 'none' },
    /** Since when a resident has said that it is not fixed, and staff have not reacted (7.2). */
    reopenedAt: { column: orNull(instantColumn), reader: 'none' },
    /** Since when a resident's comment waits for a reaction of staff. */
    unansweredSince: { column: orNull(instantColumn), reader: 'none', rowOnly: true },
    /** When staff last wrote for everyone, or set another expected time or reason. */
    lastStaffUpdateAt: { column: orNull(instantColumn), reader: 'none', rowOnly: true },

    /**
     * The reporter's title and description while they are hidden, for staff alone: `title` and
     * `description` are then what others read instead (7.14).
     */
    hiddenTitle: { column: orNull(textColumn), reader: 'none' },
    hiddenDescription: { column: orNull(textColumn), reader: 'none' },
    /** Since when it is "not a report" (decision 7.14). */
    dismissedAt: { column: orNull(instantColumn), reader: 'none' },
    /** Its flat's tower, and who may read which flat it is (decision 7.13). */
    towerName: { column: orNull(textColumn), reader: 'none', joined: true },
    unitVisibility: { column: word(unitVisibilities), reader: 'none', joined: true },
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
