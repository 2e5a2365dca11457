import { z } from 'zod'
import { formatFor } from '../platform/http/answer/format.js'
import type { Context } from '../platform/http/context.js'
import { shape } from '../platform/http/json.js'
import { both } from '../platform/http/request/both.js'
import { day, typedIn } from '../platform/http/request/input.js'
import { page } from '../platform/http/route/answer.js'
import { emptyBody, type InputPlace } from '../platform/http/route/fields.js'
import { route } from '../platform/http/route/route.js'
import { ConsequenceJson } from '../status/consequence.js'
import { type DateAhead, dateAhead, datesAhead, plannedOn } from '../vocabulary/time/series.js'
import { orNotFound, ValidationFailed } from '../vocabulary/validation.js'
import {
  findWindow,
  type ListedWindow,
  OccurrenceJson,
  presentOccurrence,
  presentWindow,
  timesOf,
  WindowJson,
  windowTime,
} from './entity.js'
import { endSeries, moveDate, restoreDate } from './windows.js'

/**
 * What would come of a window: its next occurrences, and the assets that would show something else.
 */
export const WindowPreviewJson = shape('WindowPreview', {
  next: z.array(OccurrenceJson),
  consequences: z.array(ConsequenceJson),
})

/**
 * The dates to come of a repeating window, for its page: as planned, moved or skipped, and whether
 * it has started.
 */
export function presentDates(window: ListedWindow, count: number) {
  if (window.recurrence === 'none') return []
  return datesAhead(timesOf(window), window.zone, window.now, count).map((date) =>
    presentDate(date, window.now),
  )
}

function presentDate({ date, planned, times, state }: DateAhead, now: number) {
  return {
    date,
    state,
    ...presentOccurrence(times ?? planned),
    planned: presentOccurrence(planned),
    begun: (times ?? planned).start <= now,
  }
}

/**
 * One date of a repeating window (YYYY-MM-DD), for the page that moves it; null when it has no such
 * date.
 */
function presentPlannedDate(window: ListedWindow, date: string) {
  const planned = plannedOn(timesOf(window), window.zone, date)
  return planned && window.recurrence !== 'none'
    ? presentDate(dateAhead(timesOf(window), planned), window.now)
    : null
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

/**
 * The page that moves one date. Throws NotFound, and ValidationFailed when the series has no such
 * date.
 */
async function movePage(ctx: Context, id: number, date: string) {
  const window = orNotFound(await findWindow(id))
  const found = presentPlannedDate(window, date)
  if (!found) throw new ValidationFailed({ date: ['window_date_unknown'] })
  const { localInput } = formatFor(ctx.state.locale, window.zone)
  return {
    ...found,
    list,
    id,
    name: window.title,
    values: { startsAt: localInput(found.startsAt), endsAt: localInput(found.endsAt) },
  }
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
    summary: 'Moves one date of repeating work.',
    body: MoveRequest,
    form: {
      view: 'maintenance/move',
      load: async (ctx) => {
        const { values: _asStored, ...extras } = await movePage(
          ctx,
          Number(ctx.params.id),
          String(typedIn(ctx).date),
        )
        return extras
      },
    },
    handle: async ({ params: { id }, body: { date, startsAt, endsAt }, actor }) => {
      await moveDate(actor, id, date, { start: startsAt.getTime(), end: endsAt.getTime() })
      return shown(id, 'dateMoved')
    },
  }),

  route({
    ...shared,
    paths: both(`${list}/:id/skip`),
    summary: 'Skips one date of repeating work.',
    body: DateRequest,
    handle: async ({ params: { id }, body: { date }, actor }) => {
      await moveDate(actor, id, date, null)
      return shown(id, 'skipped')
    },
  }),

  route({
    ...shared,
    paths: both(`${list}/:id/restore`),
    summary: 'Restores a skipped or moved date.',
    body: DateRequest,
    handle: async ({ params: { id }, body: { date }, actor }) => {
      await restoreDate(actor, id, date)
      return shown(id, 'restored')
    },
  }),

  route({
    ...shared,
    paths: both(`${list}/:id/end`),
    summary: 'Ends repeating work. Dates that have started are kept.',
    body: emptyBody,
    handle: async ({ params: { id }, actor }) => {
      await endSeries(actor, id)
      return shown(id, 'ended')
    },
  }),
]
