import type { z } from 'zod'
import { Asset, Unit } from '../../building/building.js'
import { presentStart } from '../../building/start/json.js'
import { startState } from '../../building/start/queries.js'
import type { Context } from '../../platform/http/context.js'
import { can } from '../../platform/http/request/allow.js'
import { config } from '../../platform/ops/config.js'
import { failingMessages } from '../../platform/outbox/outboxMessage.js'
import { sendingPaused } from '../../platform/outbox/sending.js'
import { doerOptions } from '../update/answerForm.js'
import { deskFacts } from './deskFacts.js'
import {
  type DeskJson,
  presentDeskList,
  presentFailed,
  presentPaused,
  presentWordList,
  startingToday,
} from './json.js'
import type { ManyResult } from './manyIncidents.js'
import {
  cameBack,
  deskRows,
  inHand,
  mailsToSort,
  recentFailedDeliveries,
  unacknowledged,
  unanswered,
  unconfirmed,
  untriaged,
  windowsAhead,
} from './queries.js'

/** The lists of incidents on the desk, most urgent first. */
export const deskSections = [
  'cameBack',
  'unanswered',
  'unacknowledged',
  'untriaged',
  'inHand',
  'unconfirmed',
] as const
export type DeskSection = (typeof deskSections)[number]

/** What the address asks of the desk: one section from a row on, all of it ticked, and what was just done. */
export type DeskView = {
  section?: DeskSection | undefined
  skip?: number | undefined
  ticked?: DeskSection | undefined
  did?: BulkAction | undefined
  n?: number | undefined
  left?: number | undefined
}

/** What was done in bulk, by the sentence that says so. */
export const bulkActions = ['acknowledged', 'assigned', 'handedOver', 'merged', 'seen'] as const
export type BulkAction = (typeof bulkActions)[number]

type Desk = z.output<typeof DeskJson>

export async function deskOverview(ctx: Context, { section, skip = 0 }: DeskView = {}): Promise<Desk> {
  const { viewer } = ctx.state
  const { property } = await ctx.state.building()
  const from = (name: DeskSection) => (name === section ? skip : 0)
  const [paused, mails, back, asked, waiting, sorting, going, confirming, failed, failing, windows] =
    await Promise.all([
      sendingPaused(),
      mailsToSort(),
      cameBack(from('cameBack')),
      unanswered(from('unanswered')),
      unacknowledged(config.slaTargets, from('unacknowledged')),
      untriaged(from('untriaged')),
      inHand(from('inHand')),
      unconfirmed(from('unconfirmed')),
      recentFailedDeliveries(),
      failingMessages(),
      windowsAhead(),
    ])
  const lists = [back, asked, waiting, sorting, going, confirming]
  const facts = await deskFacts(lists.flatMap(({ rows }) => rows.map(({ id }) => id)))
  const shown = { facts, targets: config.slaTargets, viewer }
  return {
    sendingPaused: presentPaused(paused),
    mailsToSort: mails,
    cameBack: presentWordList(back, shown),
    unanswered: presentWordList(asked, shown),
    untriaged: presentDeskList(sorting, shown),
    unacknowledged: presentDeskList(waiting, shown),
    inHand: presentDeskList(going, shown),
    unconfirmed: presentDeskList(confirming, shown),
    failed: presentFailed(failed, failing),
    startingToday: startingToday(windows, property.timezone, Date.now()),
  }
}

/** The whole page, for a refused form. */
export async function deskPage(ctx: Context, view: DeskView): Promise<Record<string, unknown>> {
  const data = await deskOverview(ctx, view)
  return { data, ...(await deskExtras(ctx, data, view)) }
}

/** The row the last page of the section begins with, when less is left by now than was skipped; null when it is not. */
export function lastPage(data: Desk, { section, skip = 0 }: DeskView): number | null {
  if (!section || skip === 0 || data[section].rows.length > 0) return null
  const total = Math.min(data[section].total, skip)
  return Math.max(0, Math.ceil(total / deskRows) - 1) * deskRows
}

/** The address of a page of the desk, at a row. */
export function deskUrl({ section, skip, did, n, left }: DeskView, row?: string): string {
  const at = { section, skip: section && skip ? skip : undefined, did, n, left: left || undefined }
  const set = Object.entries(at).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return `/admin${set.length > 0 ? `?${new URLSearchParams(set)}` : ''}${row ? `#${row}` : ''}`
}

/** What only the page needs. */
export async function deskExtras(
  ctx: Context,
  data: Desk,
  view: DeskView = {},
): Promise<Record<string, unknown>> {
  const [assets, units, doers] = await Promise.all([Asset.inUse(), Unit.all(), doerOptions(ctx)])
  const counts = [
    data.mailsToSort,
    ...deskSections.map((name) => data[name].total),
    ...[
      data.startingToday.length,
      data.failed.messages,
      data.failed.stuck.length,
      data.failed.receivers.length,
    ],
  ]
  const { dismissed, done } = can(ctx, 'user.manage')
    ? presentStart(await startState())
    : { dismissed: true, done: true }
  const nothingToDo = data.sendingPaused === null && counts.every((n) => n === 0)
  const words = [...data.cameBack.rows, ...data.unanswered.rows].flatMap(({ lastWord }) => lastWord?.id ?? [])
  return {
    ...{ assets, units, doers, nothingToDo, view, perSection: deskRows },
    seenUpTo: Math.max(0, ...words),
    now: Date.now(),
    /** Whether an admin is to be led through the first steps of the building. */
    start: !dismissed && !done,
  }
}

/**
 * Where the desk goes on after an act in bulk, on the page it was on: at the row after those done, as the page showed them (`rows`: the ids of
 * its rows, in order), with a sentence that says what was done.
 */
export function backToDesk(
  did: BulkAction,
  { done, skipped }: ManyResult,
  { rows, section, skip }: Pick<DeskView, 'section' | 'skip'> & { rows?: string | undefined },
): string {
  const shown = (rows ?? '').split(',').filter((row) => /^[a-zA-Z]{1,20}-[1-9]\d{0,9}$/.test(row))
  const isDone = (row: string) => done.includes(Number(row.split('-')[1]))
  const last = shown.findLastIndex(isDone)
  const next = shown.slice(last + 1).find((row) => !isDone(row)) ?? shown.findLast((row) => !isDone(row))
  return deskUrl({ section, skip, did, n: done.length, left: skipped.length }, next)
}
