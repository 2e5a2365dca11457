import { z } from 'zod'
import { change } from '../platform/db/change.js'
import type { Column, Resource } from '../platform/http/records/description.js'
import { options } from '../platform/http/records/pages.js'
import { createIn, type RecordFields, updateIn } from '../platform/http/records/records.js'
import { resourceRoutes } from '../platform/http/records/resource.js'
import {
  clearable,
  day,
  id,
  moment,
  oneLine,
  oneOf,
  optionalLine,
  queryId,
} from '../platform/http/request/input.js'
import type { InputPlace } from '../platform/http/route/fields.js'
import { presentConsequence } from '../status/consequence.js'
import { type AssetStanding, assetStanding, type StandingChange } from '../status/queries/assetStanding.js'
import { limits, parseId } from '../vocabulary/limits.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { recurrences } from '../vocabulary/time/recurrence.js'
import { begunOccurrences, nextOccurrences } from '../vocabulary/time/upcoming.js'
import { presentDates, presentOccurrence, presentWindow, WindowJson, WindowPreviewJson } from './json.js'
import {
  assetsForWindow,
  assetsWithWindows,
  findWindow,
  type ListedWindow,
  MaintenanceWindow,
  timesOf,
  windowListing,
} from './maintenanceWindow.js'
import { requireTimes, windowKind } from './maintenanceWindows.js'

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
 * Years that work may be planned in: others are typing errors, and slow to expand into occurrences.
 */
const years = { from: Date.UTC(1970, 0), to: Date.UTC(2200, 0) }

/** An instant in those years. */
export const time = (field: string, zone: string) =>
  moment(field, zone).refine((at) => at.getTime() >= years.from && at.getTime() < years.to, `${field}_far`)

const schema = ({ zone }: Pick<InputPlace, 'zone'>) =>
  z.object({
    assetId: id('asset'),
    title: oneLine('title', limits.title),
    startsAt: time('startsAt', zone),
    endsAt: time('endsAt', zone),
    recurrence: z.preprocess(
      (value) => (value === '' ? 'none' : value),
      oneOf('recurrence', recurrences).default('none'),
    ),
    until: clearable(day('until').refine((date) => date < '2200', 'until_far')),
    notes: optionalLine('notes'),
  })

const columns: Column<ListedWindow>[] = [
  { name: 'title', sort: 'title', cell: ({ title }) => title },
  {
    name: 'assetName',
    sort: 'asset',
    cell: ({ assetName, assetArchived }, { t }) =>
      assetArchived ? t.upkeep.archivedName(assetName) : assetName,
  },
  { name: 'startsAt', sort: 'start', cell: ({ startsAt }, { h }) => h.when(startsAt.toISOString()) },
  { name: 'recurrence', cell: ({ recurrence }, { t }) => t.recurrence[recurrence] },
  {
    name: 'next',
    cell: (window, { t, h }) => {
      const { nextOccurrence: next } = presentWindow(window)
      return next ? h.range(next.startsAt, next.endsAt) : t.upkeep.maintenance.over
    },
  },
]

/**
 * Maintenance windows: planned work on an asset, single or recurring (spec §2, §4; decision 3.4).
 */
const maintenance: Resource<ListedWindow, typeof WindowJson> = {
  path: 'maintenance',
  permission: 'maintenance.manage',
  kind: windowKind,
  listing: windowListing,
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
  find: findWindow,
  present: presentWindow,
  json: WindowJson,
  nameOf: ({ title }) => title,
  schema,
  elsewhere: { date: 'POST /api/admin/maintenance/:id/move (date)' },
  words: (t) => t.upkeep.maintenance,
  columns,
  fields: async ({ params, state: { text } }) => [
    {
      name: 'assetId',
      kind: 'select',
      options: [
        { value: '', label: text.upkeep.choose },
        ...(await assetsForWindow(parseId(params.id))).map((asset) => ({
          value: String(asset.id),
          label: `${asset.name}, ${asset.towerName}`,
        })),
      ],
    },
    { name: 'title', kind: 'line', maxlength: limits.title },
    { name: 'startsAt', kind: 'datetime' },
    { name: 'endsAt', kind: 'datetime' },
    { name: 'recurrence', kind: 'select', options: options(recurrences, (each) => text.recurrence[each]) },
    { name: 'until', kind: 'date' },
    { name: 'notes', kind: 'text' },
  ],
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
      const { until, ...rest } = { ...stored, ...(given as z.output<ReturnType<typeof schema>>) }
      const window = { ...rest, until: until ?? null }
      // Some fields of a window that is gone: only saving can say so.
      if (!window.startsAt || !window.endsAt) return { next: [], consequences: [] }
      requireTimes(window, zone)
      const next = nextOccurrences(timesOf(window), zone, Date.now(), previewed)
      const consequences = await previewWindow(actor, windowId, given)
      return { next: next.map(presentOccurrence), consequences: consequences.map(presentConsequence) }
    },
  },
}

/** The routes of /api/admin/maintenance, and its pages. */
export const maintenanceRoutes = resourceRoutes(maintenance)
