import { z } from 'zod'
import { WaitingJson } from '../../../notifications/deliveryProblems/waitingJson.js'
import { instantText, rowId, shape, wholeNumber } from '../../../platform/http/json.js'
import type { Viewer } from '../../../vocabulary/people/actor.js'
import { assigneeJson, presentAssignee } from '../../model/assignee.js'
import { countedUpTo, type DeskIncident, deskTabs } from '../../model/deskLists.js'
import { acknowledgementDue, incidentJson, presentIncident } from '../../model/json/incidentJson.js'
import { NoteJson, presentNote } from '../../model/notes.js'
import type { RowFacts } from '../../model/rowFacts.js'
import { presentUpdate, UpdateJson } from '../../model/timeline/updateJson.js'

/** A tab of the desk and how many are in it; `total` is exact unless `more` is true. */
const DeskTabJson = shape('DeskTab', { tab: z.enum(deskTabs), total: wholeNumber, more: z.boolean() })

/**
 * A report in a tab. `acknowledgeBy` until it is acknowledged, `photo` the path of its first one,
 * `officeWord` the last thing staff said in public, `lastWord` the latest word on it that is not
 * the office's, `lastNote` the latest reply of an assignee outside the building, `mergeInto` the
 * older open report of the same place that it most likely repeats.
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
  lastNote: NoteJson.nullable(),
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
  { facts, viewer }: { facts: ReadonlyMap<number, RowFacts>; viewer: Viewer },
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
    lastNote: row.lastNote ? presentNote(row.lastNote, row.id) : null,
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
