import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { change } from '../platform/db/change.js'
import type { Context } from '../platform/http/context.js'
import { enteredFields } from '../platform/http/enteredFields.js'
import { formatFor } from '../platform/http/format/format.js'
import { shape } from '../platform/http/json.js'
import { both } from '../platform/http/paths.js'
import { resourceFrom } from '../platform/http/records/entity.js'
import { createIn, type RecordFields, updateIn } from '../platform/http/records/recordActs.js'
import { resourceRoutes } from '../platform/http/records/resourceRoutes.js'
import { options } from '../platform/http/records/sharedFields.js'
import { queryId } from '../platform/http/request/query.js'
import { page } from '../platform/http/route/answerContent.js'
import { emptyBody, type InputPlace } from '../platform/http/route/fields.js'
import { route } from '../platform/http/route/route.js'
import { type Consequence, ConsequenceJson, consequencesOf } from '../status/consequence.js'
import { day } from '../vocabulary/inputRules.js'
import type { Actor } from '../vocabulary/people/actor.js'
import { spanTexts } from '../vocabulary/time/intervals.js'
import {
  begunOccurrences,
  type DateAhead,
  dateAhead,
  datesAhead,
  nextOccurrences,
  plannedOn,
} from '../vocabulary/time/series.js'
import { orNotFound, ValidationFailed } from '../vocabulary/validation.js'
import {
  assetsInUseOr,
  findWindow,
  type ListedWindow,
  OccurrenceJson,
  presentWindow,
  timesOf,
  WindowJson,
  windowEntity,
  windowTime,
} from './entity.js'
import { changeDate, endSeries, MaintenanceWindow, requireTimes, windowKind } from './windows.js'

/**
 * What a new window (`id` null) or a changed one would do to the status and uptimes of assets,
 * where anything shows: it is stored, read and rolled back. Nothing of a window that is gone.
 * Throws ValidationFailed.
 */
async function previewWindow(actor: Actor, id: number | null, given: RecordFields): Promise<Consequence[]> {
  return change(actor, async (c) => {
    c.noop()
    const stored = id === null ? undefined : await MaintenanceWindow.query(c.trx).findById(id)
    if (id !== null && !stored) return []
    const concerned = [stored?.assetId, given.assetId as number | undefined]
    const assetIds = [...new Set(concerned.flatMap((assetId) => assetId ?? []))]
    const { consequences } = await consequencesOf(c.query, assetIds, async () => {
      if (id === null) await createIn(c, windowKind, given)
      else await updateIn(c, windowKind, id, given)
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

const previewed = 5
const listed = 8
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
        kind: 'select',
        options: (await assetsInUseOr(hasWindows)).map(({ id, name }) => ({
          value: String(id),
          label: name,
        })),
      },
      {
        name: 'state',
        kind: 'select',
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
        dates: datesAhead(series, zone, now, listed).map((date) => presentDate(date, now)),
        canEnd: begunOccurrences(series, zone, now) > 0,
      }
    },
  },
  preview: {
    json: WindowPreviewJson,
    view: 'maintenance/_preview',
    of: async ({ given, id: windowId, zone, actor }) => {
      const stored = windowId === null ? undefined : await findWindow(windowId)
      const window = { until: null, ...stored, ...given } as ListedWindow
      // Some fields of a window that is gone: only saving can say so.
      if (!window.startsAt || !window.endsAt) return { next: [], consequences: [] }
      requireTimes(window, zone)
      const next = nextOccurrences(timesOf(window), zone, Date.now(), previewed)
      return { next: next.map(spanTexts), consequences: await previewWindow(actor, windowId, given) }
    },
  },
})

/** The routes of /api/admin/maintenance, and its pages. */
export const maintenanceRoutes = resourceRoutes(maintenance)

/** A date of a repeating window for its pages; `begun`: whether it has started by `now`. */
function presentDate({ date, planned, times, state }: DateAhead, now: number) {
  return {
    date,
    state,
    ...spanTexts(times ?? planned),
    planned: spanTexts(planned),
    begun: (times ?? planned).start <= now,
  }
}

const list = '/admin/maintenance'
/** A date of a series: the local day on which it starts as planned. */
const DateRequest = z.object({ date: day('date') })
const MoveRequest = ({ zone }: InputPlace) =>
  DateRequest.extend({ startsAt: windowTime('startsAt', zone), endsAt: windowTime('endsAt', zone) })

const shared = {
  method: 'post',
  permission: 'maintenance.manage',
  throttle: 'writes',
  answer: WindowJson,
} as const

async function shown(id: number, notice: string) {
  return { data: presentWindow(orNotFound(await findWindow(id))), location: `${list}/${id}`, notice }
}

/** The times of one date of a series, as the form to move it shows them; null if there is none. */
async function datesTimes(id: number, date: unknown) {
  const window = await findWindow(id)
  const planned = window && plannedOn(timesOf(window), window.zone, String(date))
  if (!planned) return null
  const { startsAt, endsAt } = presentDate(dateAhead(timesOf(window), planned), window.now)
  return { startsAt: new Date(startsAt), endsAt: new Date(endsAt) }
}

/** The page that moves one date. Throws NotFound, and ValidationFailed for an unknown date. */
async function movePage(ctx: Context, id: number, date: string) {
  const window = orNotFound(await findWindow(id))
  const planned = plannedOn(timesOf(window), window.zone, date)
  if (!planned || window.recurrence === 'none') throw new ValidationFailed({ date: ['window_date_unknown'] })
  const found = presentDate(dateAhead(timesOf(window), planned), window.now)
  const { localInput } = formatFor(ctx.state.locale, window.zone)
  return {
    ...found,
    list,
    id,
    name: window.title,
    values: { startsAt: localInput(found.startsAt), endsAt: localInput(found.endsAt) },
  }
}

/** POST …/:id/skip or …/:id/restore: a change of one date that needs nothing but the date. */
function dateRoute(verb: 'skip' | 'restore', kind: 'skipped' | 'restored', summary: string) {
  return route({
    ...shared,
    paths: both(`${list}/:id/${verb}`),
    group: 'maintenance',
    summary,
    body: DateRequest,
    handle: async ({ params: { id }, body: { date }, actor }) => {
      await changeDate(actor, id, date, { kind })
      return shown(id, kind)
    },
  })
}

/** Single dates of a series are skipped, moved and taken back; a series is ended (decision 3.4). */
export const maintenanceDateRoutes = [
  route({
    method: 'get',
    paths: `${list}/:id/move`,
    summary: 'The form to move one date of repeating work.',
    permission: 'maintenance.manage',
    query: DateRequest,
    answer: page,
    handle: async ({ ctx, params: { id }, query: { date } }) => ({
      view: 'maintenance/move',
      extras: await movePage(ctx, id, date),
    }),
  }),

  route({
    ...shared,
    paths: both(`${list}/:id/move`),
    group: 'maintenance',
    summary: 'Moves one date of repeating work.',
    body: MoveRequest,
    shownRecord: ({ ctx, params }) => datesTimes(params.id as number, enteredFields(ctx).date),
    form: {
      view: 'maintenance/move',
      load: async (ctx) => {
        const { values: _asStored, ...extras } = await movePage(
          ctx,
          Number(ctx.params.id),
          String(enteredFields(ctx).date),
        )
        return extras
      },
    },
    handle: async ({ params: { id }, body: { date, startsAt, endsAt }, actor }) => {
      const times = { start: startsAt.getTime(), end: endsAt.getTime() }
      await changeDate(actor, id, date, { kind: 'moved', times })
      return shown(id, 'dateMoved')
    },
  }),

  dateRoute('skip', 'skipped', 'Skips one date of repeating work.'),
  dateRoute('restore', 'restored', 'Restores a skipped or moved date.'),

  route({
    ...shared,
    paths: both(`${list}/:id/end`),
    group: 'maintenance',
    summary: 'Ends repeating work. Dates that have started are kept.',
    body: emptyBody,
    handle: async ({ params: { id }, actor }) => {
      await endSeries(actor, id)
      return shown(id, 'ended')
    },
  }),
]
