import { z } from 'zod'
import { WaitingJson } from '../../../notifications/failedDeliveries.js'
import { query } from '../../../platform/db/database.js'
import { instantText, rowId, shape, wholeNumber } from '../../../platform/http/json.js'
import type { PlannedWindow } from '../../../status/queries/windowTimes.js'
import type { Viewer } from '../../../vocabulary/people/actor.js'
import { lastDays } from '../../../vocabulary/time/calendar.js'
import { spanTexts } from '../../../vocabulary/time/intervals.js'
import { occurrences } from '../../../vocabulary/time/recurrence.js'
import { type AssigneeNames, assigneeJson, presentAssignee } from '../../model/assignee.js'
import { countedUpTo, type DeskIncident, deskTabs } from '../../model/deskLists.js'
import {
  acknowledgementDue,
  incidentJson,
  presentIncident,
  presentUpdate,
  UpdateJson,
} from '../../model/json.js'

/**
 * What a row of the desk or the list shows beside the incident: how many are affected, its first
 * photo, the office's last word.
 */
type DeskFacts = AssigneeNames & {
  incidentId: number
  affected: number
  photo: string | null
  officeWord: { body: string; createdAt: Date } | null
}

/**
 * The facts of these incidents, by id. `officeWord`: the latest statement, if it is staff's (7.16).
 */
export async function deskFacts(ids: readonly number[]): Promise<Map<number, DeskFacts>> {
  const rows = await query<
    Omit<DeskFacts, 'officeWord'> & { statementBody: string | null; statementAt: Date | null }
  >(
    `select i.id as incident_id, p.total as affected, s.name as assignee_name, k.name as contact_name,
       (select p.path from photos p where p.incident_id = i.id and p.hidden_at is null order by p.id limit 1) as photo,
       w.body as statement_body, w.created_at as statement_at
     from incidents i
     left join users s on s.id = i.assignee_id
     left join contacts k on k.id = i.contact_id
     cross join lateral affected_people(i.id) p
     left join lateral latest_statement(i.id, i.resolved_at) w on not w.is_reopening
     where i.id = any ($1)`,
    [ids],
  )
  return new Map(
    rows.map(({ statementBody: body, statementAt: createdAt, ...facts }) => [
      facts.incidentId,
      { ...facts, officeWord: body && createdAt ? { body, createdAt } : null },
    ]),
  )
}

/** A tab of the desk and how many are in it; `total` is exact unless `more` is true. */
const DeskTabJson = shape('DeskTab', { tab: z.enum(deskTabs), total: wholeNumber, more: z.boolean() })

/**
 * A report in a tab. `acknowledgeBy` until it is acknowledged, `photo` the path of its first one,
 * `officeWord` the last thing staff said in public, `lastWord` the latest word on it that is not
 * the office's, `mergeInto` the older open report of the same place that it most likely repeats.
 */
const DeskRowJson = shape('DeskRow', {
  ...incidentJson,
  acknowledgeBy: instantText.nullable(),
  affectedCount: wholeNumber,
  photo: z.string().nullable(),
  officeWord: z.strictObject({ body: z.string(), createdAt: instantText }).nullable(),
  expectedBackAt: instantText.nullable(),
  statusReason: z.string().nullable(),
  ...assigneeJson,
  lastWord: UpdateJson.nullable(),
  mergeInto: rowId.nullable(),
})

/** How many there are; exact unless `more` is true. */
export const presentCount = (total: number) => ({
  total: Math.min(total, countedUpTo),
  more: total > countedUpTo,
})

/**
 * A row with the last word on it, real names included: only staff have access. `facts`: of every
 * row, by the incident's id.
 */
export function presentRow(
  row: DeskIncident,
  { facts, viewer }: { facts: ReadonlyMap<number, DeskFacts>; viewer: Viewer },
): Omit<z.output<typeof DeskRowJson>, 'mergeInto'> {
  const { affected, photo, officeWord, ...assignee } = facts.get(row.id)!
  return {
    ...presentIncident(row, viewer),
    acknowledgeBy: acknowledgementDue(row),
    affectedCount: affected,
    photo,
    officeWord: officeWord && { body: officeWord.body, createdAt: officeWord.createdAt.toISOString() },
    expectedBackAt: row.expectedBackAt?.toISOString() ?? null,
    statusReason: row.statusReason,
    ...presentAssignee(row, assignee),
    lastWord: row.lastWord ? presentUpdate(row.lastWord, viewer) : null,
  }
}

export const ReceiverJson = z.strictObject({
  id: rowId,
  url: z.string(),
  lastStatus: z.string().nullable(),
  lastFiredAt: instantText,
})

/**
 * Failed deliveries: how many emails and pushes failed, the kinds that never get through, and
 * failing webhooks by address.
 */
const FailedJson = z.strictObject({
  messages: wholeNumber,
  stuck: z.array(WaitingJson),
  receivers: z.array(ReceiverJson),
})

/** Since when no email, push or webhook leaves, and why; null while they do. */
const PausedJson = z
  .strictObject({ since: instantText, why: z.enum(['restored', 'moved', 'by_hand']) })
  .nullable()

/** Planned work that starts today. */
const StartingJson = z.strictObject({
  id: rowId,
  assetId: rowId,
  assetName: z.string(),
  title: z.string(),
  startsAt: instantText,
  endsAt: instantText,
})

/**
 * The desk: everything that needs a person now. `tabs` are in the order of the page, `rows` those
 * of `tab`: the one asked for, or the first that is not empty.
 */
export const DeskJson = shape('Desk', {
  tabs: z.array(DeskTabJson),
  tab: z.enum(deskTabs),
  rows: z.array(DeskRowJson),
  sendingPaused: PausedJson,
  failed: FailedJson,
  startingToday: z.array(StartingJson),
})

/** Planned work that starts today in the property's time zone, soonest first. `now` in epoch ms. */
export async function startingToday(zone: string, now: number): Promise<z.output<typeof StartingJson>[]> {
  const windows = await query<PlannedWindow & { assetName: string }>(
    `select id, asset_id, asset_name, title, starts_at, ends_at, recurrence, until, exceptions
     from window_dates(now())
     where is_in_use
     order by starts_at, id`,
  )
  const [start, end] = lastDays(zone, now, 1).bounds as [number, number]
  return windows
    .flatMap((window) =>
      occurrences(window, zone, start, end)
        .filter((occurrence) => occurrence.start >= start && occurrence.start < end)
        .map((occurrence) => ({
          id: window.id,
          assetId: window.assetId,
          assetName: window.assetName,
          title: window.title,
          ...spanTexts(occurrence),
        })),
    )
    .sort((a, b) => a.startsAt.localeCompare(b.startsAt))
}
