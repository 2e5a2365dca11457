import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { change } from '../platform/db/change.js'
import { shape } from '../platform/http/json.js'
import { resourceFrom } from '../platform/http/records/entity.js'
import { createIn, type RecordFields, updateIn } from '../platform/http/records/recordActs.js'
import { resourceRoutes } from '../platform/http/records/resourceRoutes.js'
import { options } from '../platform/http/records/sharedFields.js'
import { queryId } from '../platform/http/request/query.js'
import { type Consequence, ConsequenceJson, consequencesOf } from '../status/consequence.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { spanTexts } from '../vocabulary/time/intervals.js'
import { begunOccurrences, datesAhead, nextOccurrences } from '../vocabulary/time/series.js'
import { presentDate } from './presentDate.js'
import {
  assetsInUseOr,
  findWindow,
  type ListedWindow,
  OccurrenceJson,
  timesOf,
  windowEntity,
} from './windowEntity.js'
import { MaintenanceWindow } from './windowRows.js'
import { requireTimes, windowKind } from './windows.js'

/**
 * What a new window (`id` null) or a changed one would do to the status and uptimes of assets,
 * where anything shows: it is stored, read and rolled back. Nothing of a window that is gone.
 * Throws ValidationFailed.
 */
async function previewWindow(actor: Actor, id: number | null, fields: RecordFields): Promise<Consequence[]> {
  return change(actor, async (c) => {
    c.noop()
    const stored = id === null ? undefined : await MaintenanceWindow.query(c.trx).findById(id)
    if (id !== null && !stored) return []
    const concerned = [stored?.assetId, fields.assetId as number | undefined]
    const assetIds = [...new Set(concerned.flatMap((assetId) => assetId ?? []))]
    const { consequences } = await consequencesOf(c.query, assetIds, async () => {
      if (id === null) await createIn(c, windowKind, fields)
      else await updateIn(c, windowKind, id, fields)
    })
    return consequences.filter(({ before, after }) => !isDeepStrictEqual(before, after))
  })
}

/** A window's next occurrences, and the assets that would show something else. */
const WindowPreviewJson = shape('WindowPreview', {
  next: z.array(OccurrenceJson),
  consequences: z.array(ConsequenceJson),
})

const hasWindows = 'exists (select from maintenance_windows w where w.asset_id = a.id)'

/** Next occurrences in a preview. */
const datesPreviewed = 5

/** Next dates on the page of a series. */
const datesListed = 8

/** Planned work on an asset, single or recurring (spec §2, §4; decision 3.4). */
const maintenance = resourceFrom(windowEntity, {
  path: 'maintenance',
  group: 'maintenance',
  permission: 'maintenance.manage',
  kind: windowKind,
  order: '-start',
  filters: {
    schema: { assetId: queryId.optional(), state: z.enum(['coming', 'over'], 'not_acceptable').optional() },
    fields: async ({ state: { text } }) => [
      {
        name: 'assetId',
        control: 'select',
        options: (await assetsInUseOr(hasWindows)).map(({ id, name }) => ({
          value: String(id),
          label: name,
        })),
      },
      {
        name: 'state',
        control: 'select',
        options: options(['coming', 'over'], (state) => text.maintenance.states[state]),
      },
    ],
  },
  nameOf: ({ title }) => title,
  addedNotice: () => 'workAdded',
  movedFields: { date: 'POST /api/admin/maintenance/:id/move (date)' },
  words: (t) => t.maintenance,
  values: ({ startsAt, endsAt }, { h }) => ({
    startsAt: h.localInput(startsAt.toISOString()),
    endsAt: h.localInput(endsAt.toISOString()),
  }),
  defaults: { recurrence: 'none' },
  fromAddress: ['assetId', 'title'],
  dependents: async (window, { maintenance }) => {
    const count = begunOccurrences(timesOf(window), window.zone, window.now)
    const instead = { count, text: maintenance.endInstead, blocks: false, warns: true as const }
    return [
      { count, text: maintenance.past(count), blocks: false, warns: true as const },
      ...(window.recurrence === 'none' ? [] : [instead]),
    ]
  },
  below: {
    view: 'maintenance/_below',
    load: async (window) => {
      const { recurrence, zone, now } = window
      if (recurrence === 'none') return { dates: [], canEnd: false }
      const series = timesOf(window)
      return {
        dates: datesAhead(series, zone, now, datesListed).map((date) => presentDate(date, now)),
        canEnd: begunOccurrences(series, zone, now) > 0,
      }
    },
  },
  preview: {
    json: WindowPreviewJson,
    view: 'maintenance/_preview',
    of: async ({ fields, id: windowId, zone, actor }) => {
      const stored = windowId === null ? undefined : await findWindow(windowId)
      const window = { until: null, ...stored, ...fields } as ListedWindow
      // Some fields of a window that is gone: only saving can say so.
      if (!window.startsAt || !window.endsAt) return { next: [], consequences: [] }
      requireTimes(window, zone)
      const next = nextOccurrences(timesOf(window), zone, Date.now(), datesPreviewed)
      return { next: next.map(spanTexts), consequences: await previewWindow(actor, windowId, fields) }
    },
  },
})

/** The routes of /api/admin/maintenance, and its pages. */
export const maintenanceRoutes = resourceRoutes(maintenance)
