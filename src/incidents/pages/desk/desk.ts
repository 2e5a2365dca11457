import type { z } from 'zod'
import { presentSetup, readSetupState } from '../../../building/setupSteps.js'
import { startingToday } from '../../../maintenance/startingToday.js'
import { recentFailedDeliveries } from '../../../notifications/deliveryProblems/recentFailures.js'
import { WaitingJson } from '../../../notifications/deliveryProblems/waitingJson.js'
import type { Context } from '../../../platform/http/context.js'
import { enteredFields } from '../../../platform/http/enteredFields.js'
import { fromRow } from '../../../platform/http/json.js'
import { can } from '../../../platform/http/request/allow.js'
import { failingMessages } from '../../../platform/outbox/failingMessages.js'
import { sendingPaused } from '../../../platform/outbox/sendingPaused.js'
import { deskTabs, rowsPerPage, tabCounts, tabRows } from '../../model/deskLists.js'
import { likelySurvivors } from '../../model/duplicates.js'
import { rowFacts } from '../../model/rowFacts.js'
import { type DeskJson, presentCount, presentRow, ReceiverJson } from './deskJson.js'
import { deskPlaceOrStart } from './deskRequests.js'
import { type DeskView, deskUrl } from './deskUrl.js'

type Desk = z.output<typeof DeskJson>

/** The tabs with their counts, for every page that shows them. */
export async function tabsShown(): Promise<Desk['tabs']> {
  const counts = await tabCounts()
  return deskTabs.map((tab) => ({ tab, ...presentCount(counts[tab]) }))
}

export async function deskTab(ctx: Context, { tab: requested, skip = 0 }: DeskView): Promise<Desk> {
  const { property } = await ctx.state.building()
  const [tabs, paused, failed, failing, starting] = await Promise.all([
    tabsShown(),
    sendingPaused(),
    recentFailedDeliveries(rowsPerPage),
    failingMessages(),
    startingToday(property.timezone, Date.now()),
  ])
  const tab = requested ?? tabs.find(({ total }) => total > 0)?.tab ?? 'new'
  const rows = await tabRows(tab, skip)
  const [facts, survivors] = await Promise.all([rowFacts(rows.map(({ id }) => id)), likelySurvivors(rows)])
  return {
    tabs,
    tab,
    rows: rows.map((row) => ({
      ...presentRow(row, { facts, viewer: ctx.state.viewer }),
      mergeInto: survivors.get(row.id) ?? null,
    })),
    sendingPaused: paused && { since: paused.since.toISOString(), why: paused.why },
    failed: {
      messages: failed.messages,
      stuck: failing.filter(({ stuck }) => stuck).map((row) => fromRow(WaitingJson, row)),
      receivers: failed.receivers.map((row) => fromRow(ReceiverJson, row)),
    },
    startingToday: starting,
  }
}

/** The first row of the tab's last page, when less is left by now than was skipped; else null. */
export function lastPage({ rows, tabs, tab }: Desk, { skip = 0 }: DeskView): number | null {
  if (skip === 0 || rows.length > 0) return null
  const total = Math.min(tabs.find((one) => one.tab === tab)!.total, skip)
  return Math.max(0, Math.ceil(total / rowsPerPage) - 1) * rowsPerPage
}

/** What only the page needs. */
export async function deskExtras(ctx: Context, data: Desk, view: DeskView): Promise<Record<string, unknown>> {
  const { messages, stuck, receivers } = data.failed
  const counts = [...data.tabs.map(({ total }) => total), data.startingToday.length]
  const failures = [messages, stuck.length, receivers.length]
  const { dismissed, done } = can(ctx, 'user.manage')
    ? presentSetup(await readSetupState())
    : { dismissed: true, done: true }
  return {
    view,
    nothingToDo: data.sendingPaused === null && [...counts, ...failures].every((n) => n === 0),
    rowsPerPage,
    here: deskUrl({ tab: data.tab, skip: view.skip }),
    /** The newest words that the page shows: what was written later is not marked as read by it. */
    readUpTo: Math.max(0, ...data.rows.flatMap(({ lastWord }) => lastWord?.id ?? [])),
    readUpToNote: Math.max(0, ...data.rows.flatMap(({ lastNote }) => lastNote?.id ?? [])),
    now: Date.now(),
    /** Whether an admin is to be led through the first steps of the building. */
    start: !dismissed && !done,
  }
}

/** The desk as the page of a refused form. */
export const deskForm = {
  view: 'incidents/desk',
  name: 'desk',
  load: async (ctx: Context) => {
    const view = deskPlaceOrStart.parse(enteredFields(ctx))
    const data = await deskTab(ctx, view)
    return { data, ...(await deskExtras(ctx, data, view)) }
  },
}
