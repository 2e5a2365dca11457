import { z } from 'zod'
import { change } from '../platform/db/change.js'
import { resourceOf } from '../platform/http/records/entity.js'
import { options } from '../platform/http/records/pages.js'
import { createIn, type RecordFields, updateIn } from '../platform/http/records/records.js'
import { resourceRoutes } from '../platform/http/records/resource.js'
import { queryId } from '../platform/http/request/input.js'
import { presentConsequence } from '../status/consequence.js'
import { type AssetStanding, assetStanding, type StandingChange } from '../status/queries/assetStanding.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { begunOccurrences, nextOccurrences } from '../vocabulary/time/series.js'
import { presentDates, WindowPreviewJson } from './dateRoutes.js'
import { findWindow, type ListedWindow, presentOccurrence, timesOf, windowEntity } from './entity.js'
import { assetsWithWindows, MaintenanceWindow, requireTimes, windowKind } from './windows.js'

/**
 * What a new window (`id` null) or a changed one would do to the status and uptimes of assets,
 * where anything shows: it is stored, read and rolled back. Nothing of a window that is gone.
 * Throws ValidationFailed.
 */
async function previewWindow(
  actor: Actor,
  id: number | null,
  given: RecordFields,
): Promise<StandingChange[]> {
  return change(actor, async (c) => {
    c.noop()
    const stored = id === null ? undefined : await MaintenanceWindow.query(c.trx).findById(id)
    if (id !== null && !stored) return []
    const concerned = [stored?.assetId, given.assetId as number | undefined]
    const assetIds = [...new Set(concerned.flatMap((assetId) => assetId ?? []))]
    const before = await assetStanding(c.query, assetIds)
    if (id === null) await createIn(c, windowKind, given)
    else await updateIn(c, windowKind, id, given)
    const after = await assetStanding(c.query, assetIds)
    return before
      .map((standing, i) => ({ before: standing, after: after[i]! }))
      .filter((each) => seen(each.before) !== seen(each.after))
  })
}

const seen = ({ status, uptime30, uptime90 }: AssetStanding) => `${status} ${uptime30} ${uptime90}`

const previewed = 5
const listed = 8
/**
 * Maintenance windows: planned work on an asset, single or recurring (spec §2, §4; decision 3.4).
 */
const maintenance = resourceOf(windowEntity, {
  path: 'maintenance',
  permission: 'maintenance.manage',
  kind: windowKind,
  order: '-start',
  filters: {
    schema: { assetId: queryId.optional(), state: z.enum(['coming', 'over'], 'not_acceptable').optional() },
    fields: async ({ state: { text } }) => [
      {
        name: 'assetId',
        kind: 'select',
        options: (await assetsWithWindows()).map(({ id, name }) => ({ value: String(id), label: name })),
      },
      {
        name: 'state',
        kind: 'select',
        options: options(['coming', 'over'], (state) => text.upkeep.maintenance.states[state]),
      },
    ],
  },
  nameOf: ({ title }) => title,
  addedNotice: () => 'workAdded',
  elsewhere: { date: 'POST /api/admin/maintenance/:id/move (date)' },
  words: (t) => t.upkeep.maintenance,
  values: ({ startsAt, endsAt }, { h }) => ({
    startsAt: h.localInput(startsAt.toISOString()),
    endsAt: h.localInput(endsAt.toISOString()),
  }),
  defaults: { recurrence: 'none' },
  fromAddress: ['assetId', 'title'],
  dependents: async (window, { upkeep }) => {
    const count = begunOccurrences(timesOf(window), window.zone, window.now)
    const instead = { count, text: upkeep.maintenance.endInstead, blocks: false }
    return [
      { count, text: upkeep.maintenance.past(count), blocks: false },
      ...(window.recurrence === 'none' ? [] : [instead]),
    ]
  },
  below: {
    view: 'maintenance',
    load: async (window) => ({
      dates: presentDates(window, listed),
      canEnd: window.recurrence !== 'none' && begunOccurrences(timesOf(window), window.zone, window.now) > 0,
    }),
  },
  preview: {
    json: WindowPreviewJson,
    of: async ({ given, id: windowId, zone, actor }) => {
      const stored = windowId === null ? undefined : await findWindow(windowId)
      const window = { until: null, ...stored, ...given } as ListedWindow
      // Some fields of a window that is gone: only saving can say so.
      if (!window.startsAt || !window.endsAt) return { next: [], consequences: [] }
      requireTimes(window, zone)
      const next = nextOccurrences(timesOf(window), zone, Date.now(), previewed)
      const consequences = await previewWindow(actor, windowId, given)
      return { next: next.map(presentOccurrence), consequences: consequences.map(presentConsequence) }
    },
  },
})

/** The routes of /api/admin/maintenance, and its pages. */
export const maintenanceRoutes = resourceRoutes(maintenance)
