import { z } from 'zod'
import { WaitingJson } from '../../notifications/failedDeliveries.js'
import { query } from '../../platform/db/database.js'
import { instantText, rowId, shape, wholeNumber } from '../../platform/http/json.js'
import { config } from '../../platform/ops/config.js'
import { latestStatementSql } from '../../status/queries/latestStatement.js'
import type { Viewer } from '../../vocabulary/people/actor.js'
import { acknowledgeBy } from '../../vocabulary/severity.js'
import { lastDays } from '../../vocabulary/time/calendar.js'
import { spanTexts } from '../../vocabulary/time/intervals.js'
import { occurrences } from '../../vocabulary/time/recurrence.js'
import { affectedSql } from '../affected.js'
import { type AssigneeNames, assigneeJson, assigneeNames, presentAssignee } from '../assignee.js'
import type { ListedIncident } from '../incident.js'
import { incidentJson, presentIncident, presentUpdate, UpdateJson } from '../json.js'
import { countedUpTo, type DeskCounts, deskTabs, type WordIncident, type windowsAhead } from './queries.js'

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
  const rows = await query<Omit<DeskFacts, 'officeWord'> & { said: string | null; saidAt: Date | null }>(
    `select i.id as "incidentId", ${affectedSql('i.id')} as affected, ${assigneeNames},
       (select p.path from photos p where p.incident_id = i.id and p.hidden_at is null order by p.id limit 1) as photo,
       w.body as said, w.created_at as "saidAt"
     from incidents i left join lateral ${latestStatementSql('i')} w on not w.is_reopening
     where i.id = any ($1)`,
    [ids],
  )
  return new Map(
    rows.map(({ said, saidAt, ...facts }) => [
      facts.incidentId,
      { ...facts, officeWord: said && saidAt ? { body: said, createdAt: saidAt } : null },
    ]),
  )
}

/**
 * An incident on the desk; `acknowledgeBy` until it is acknowledged, `photo` the path of its first
 * one, `officeWord` the last thing staff said in public.
 */
const DeskIncidentJson = shape('DeskIncident', {
  ...incidentJson,
  acknowledgeBy: instantText.nullable(),
  affectedCount: wholeNumber,
  photo: z.string().nullable(),
  officeWord: z.strictObject({ body: z.string(), createdAt: instantText }).nullable(),
  expectedBackAt: instantText.nullable(),
  statusReason: z.string().nullable(),
  ...assigneeJson,
})

/** A list of the desk; `total` is exact unless `more` is true. */
const DeskListJson = shape('DeskList', {
  total: wholeNumber,
  more: z.boolean(),
  rows: z.array(DeskIncidentJson),
})

/** As DeskList, each row with the latest word on it that is not the office's. */
const DeskWordListJson = shape('DeskWordList', {
  ...DeskListJson.shape,
  rows: z.array(shape('DeskWord', { ...DeskIncidentJson.shape, lastWord: UpdateJson.nullable() })),
})

/** A tab of the desk and how many are in it; `total` is exact unless `more` is true. */
const DeskTabJson = shape('DeskTab', { tab: z.enum(deskTabs), total: wholeNumber, more: z.boolean() })

/**
 * A row of a tab; `mergeInto`: the older open report of the same place that it most likely repeats.
 */
const DeskRowJson = shape('DeskRow', {
  ...DeskIncidentJson.shape,
  lastWord: UpdateJson.nullable(),
  mergeInto: rowId.nullable(),
})

/** How many there are; exact unless `more` is true. */
export const presentCount = (total: number) => ({
  total: Math.min(total, countedUpTo),
  more: total > countedUpTo,
})

/** What every row is shown with: `facts` by the incident's id. */
type Shown = { facts: ReadonlyMap<number, DeskFacts>; viewer: Viewer }

/** Fills a list of the desk, real names included: only staff have access. */
export function presentDeskList(
  { total, rows }: DeskCounts<ListedIncident>,
  shown: Shown,
): z.output<typeof DeskListJson> {
  return { ...presentCount(total), rows: rows.map((row) => presentRow(row, shown)) }
}

/** The same of a list whose rows want an answer. */
export function presentWordList(
  { total, rows }: DeskCounts<WordIncident>,
  shown: Shown,
): z.output<typeof DeskWordListJson> {
  return { ...presentCount(total), rows: rows.map((row) => presentWordRow(row, shown)) }
}

export function presentWordRow(row: WordIncident, shown: Shown) {
  return { ...presentRow(row, shown), lastWord: row.lastWord && presentUpdate(row.lastWord, shown.viewer) }
}

function presentRow(row: ListedIncident, { facts, viewer }: Shown): z.output<typeof DeskIncidentJson> {
  const { affected, photo, officeWord, ...assignee } = facts.get(row.id)!
  return {
    ...presentIncident(row, viewer),
    acknowledgeBy: row.acknowledgedAt
      ? null
      : acknowledgeBy(row.createdAt, row.severity, config.slaTargets).toISOString(),
    affectedCount: affected,
    photo,
    officeWord: officeWord && { body: officeWord.body, createdAt: officeWord.createdAt.toISOString() },
    expectedBackAt: row.expectedBackAt?.toISOString() ?? null,
    statusReason: row.statusReason,
    ...presentAssignee(row, assignee),
  }
}

export const ReceiverJson = z.strictObject({
  id: rowId,
  url: z.string(),
  lastStatus: z.string().nullable(),
  lastFiredAt: instantText,
})

/**
 * Failed deliveries: emails and pushes as a number, what does not get through at all, receivers by
 * address.
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
 * of `tab`: the one asked for, or the first that is not empty. The lists below say the same as they
 * did before there were tabs.
 */
export const DeskJson = shape('Desk', {
  tabs: z.array(DeskTabJson),
  tab: z.enum(deskTabs),
  rows: z.array(DeskRowJson),
  sendingPaused: PausedJson,
  mailsToSort: wholeNumber,
  cameBack: DeskWordListJson,
  unanswered: DeskWordListJson,
  untriaged: DeskListJson,
  unacknowledged: DeskListJson,
  inHand: DeskListJson,
  unconfirmed: DeskListJson,
  failed: FailedJson,
  startingToday: z.array(StartingJson),
})

type Windows = Awaited<ReturnType<typeof windowsAhead>>

/** Planned work that starts today in the property's time zone, soonest first. `now` in epoch ms. */
export function startingToday(windows: Windows, zone: string, now: number): z.output<typeof StartingJson>[] {
  const { bounds } = lastDays(zone, now, 1)
  const [start, end] = bounds as [number, number]
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
