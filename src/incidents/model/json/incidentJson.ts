import { z } from 'zod'
import { rowId, shape } from '../../../platform/http/json.js'
import { config } from '../../../platform/process/config.js'
import { type ClosingReason, reasonNotRepaired } from '../../../vocabulary/lifecycle.js'
import type { Viewer } from '../../../vocabulary/people/actor.js'
import { acknowledgeBy } from '../../../vocabulary/severity.js'
import { incidentEntity, type ListedIncident } from '../entity.js'
import { hiddenJson, nameFor, senderFor, senderJson, unitFor, wordsFor } from '../redaction.js'

/** What a list and a detail have in common. */
export const incidentJson = {
  ...incidentEntity.list.json,
  reporterEmail: z.string().optional(),
  ...senderJson,
  nameHidden: z.literal(true).optional(),
  hidden: hiddenJson,
  notAReport: z.literal(true).optional(),
  reopened: z.literal(true).optional(),
}

/**
 * An incident in a list (spec §2); for staff with the address of an email's sender (decision 2.10),
 * and whether others do not read the name (7.13). `notAReport`: the office found it to be none
 * (7.14). `reopened`: a resident says that it is not fixed, and staff have not acted since (7.18).
 * `mergedIntoId`: with `includeMerged`, null for what is no duplicate (2.11).
 */
export const IncidentJson = shape('Incident', {
  ...incidentJson,
  mergedIntoId: rowId.nullable().optional(),
})

export type PresentedIncident = z.output<typeof IncidentJson>

export function presentIncident(row: ListedIncident, viewer: Viewer): PresentedIncident {
  return {
    ...incidentEntity.list.present(row),
    ...wordsFor(viewer, row),
    ...unitFor(viewer, row),
    reporterName: nameFor(viewer, row.isAnonymous, row.reporterName),
    ...(viewer.staff && row.reporterEmail !== null ? { reporterEmail: row.reporterEmail } : {}),
    ...senderFor(viewer, row),
    ...(viewer.staff && row.isAnonymous ? { nameHidden: true as const } : {}),
    ...(row.dismissedAt === null ? {} : { notAReport: true as const }),
    ...(isReopened(row) ? { reopened: true as const } : {}),
  }
}

/** Until when it is to be acknowledged, as text; null once it is. */
export function acknowledgementDue({ acknowledgedAt, createdAt, severity }: ListedIncident): string | null {
  return acknowledgedAt ? null : acknowledgeBy(createdAt, severity, config.slaTargets).toISOString()
}

/** A resident says that it is not fixed, and staff have not acted since (decision 7.18). */
export const isReopened = ({ reopenedAt, resolvedAt }: ListedIncident) =>
  reopenedAt !== null && resolvedAt === null

/**
 * Ids of incidents reported by staff under their name, not by mail: pages mark them (decisions 7.3,
 * 7.8).
 */
export function reportedByStaff(rows: readonly ListedIncident[]): number[] {
  return rows
    .filter(({ isAnonymous, reporterIsStaff, source }) => {
      return reporterIsStaff && !isAnonymous && source !== 'email'
    })
    .map(({ id }) => id)
}

/**
 * Reasons by id of incidents that were closed without a repair: pages show them instead of "fixed"
 * (decision 7.14).
 */
export function closedAs(rows: readonly ListedIncident[]): Record<number, ClosingReason> {
  return Object.fromEntries(
    rows.flatMap(({ id, status, closingReason }) => {
      const why = reasonNotRepaired(status, closingReason)
      return why ? [[id, why]] : []
    }),
  )
}

/** The answer for a merged duplicate (decision 2.6). `redirectTo` is an address for this caller. */
export const PointerJson = shape('MergedIncident', { id: rowId, mergedInto: rowId, redirectTo: z.string() })
