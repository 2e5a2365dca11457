import { z } from 'zod'
import type { Context } from '../platform/http/context.js'
import { enteredFields } from '../platform/http/enteredFields.js'
import { formatFor } from '../platform/http/format/format.js'
import { both } from '../platform/http/paths.js'
import { page } from '../platform/http/route/answerContent.js'
import { emptyBody, type InputPlace } from '../platform/http/route/fields.js'
import { route } from '../platform/http/route/route.js'
import { day } from '../vocabulary/inputRules.js'
import { dateAhead, plannedOn } from '../vocabulary/time/series.js'
import { orNotFound, ValidationFailed } from '../vocabulary/validation.js'
import { changeDate, endSeries } from './changeDate.js'
import { presentDate } from './presentDate.js'
import { findWindow, presentWindow, timesOf, WindowJson, windowTime } from './windowEntity.js'

const list = '/admin/maintenance'

/** A date of a series: the local day on which it starts as planned. */
const DateRequest = z.object({ date: day('date') })

const MoveRequest = ({ zone }: InputPlace) =>
  DateRequest.extend({ startsAt: windowTime('startsAt', zone), endsAt: windowTime('endsAt', zone) })

const dateRouteDefaults = {
  method: 'post',
  permission: 'maintenance.manage',
  throttle: 'writes',
  answer: WindowJson,
} as const

async function answerWith(id: number, notice: string) {
  return { data: presentWindow(orNotFound(await findWindow(id))), location: `${list}/${id}`, notice }
}

/** The times of one date of a series, as the form to move it shows them; null if there is none. */
async function timesOfDate(id: number, date: unknown) {
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
  const presented = presentDate(dateAhead(timesOf(window), planned), window.now)
  const { localInput } = formatFor(ctx.state.locale, window.zone)
  return {
    ...presented,
    list,
    id,
    name: window.title,
    values: { startsAt: localInput(presented.startsAt), endsAt: localInput(presented.endsAt) },
  }
}

/** POST …/:id/skip or …/:id/restore: a change of one date that needs nothing but the date. */
function dateRoute(verb: 'skip' | 'restore', kind: 'skipped' | 'restored', summary: string) {
  return route({
    ...dateRouteDefaults,
    paths: both(`${list}/:id/${verb}`),
    group: 'maintenance',
    summary,
    body: DateRequest,
    handle: async ({ params: { id }, body: { date }, actor }) => {
      await changeDate(actor, id, date, { kind })
      return answerWith(id, kind)
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
    ...dateRouteDefaults,
    paths: both(`${list}/:id/move`),
    group: 'maintenance',
    summary: 'Moves one date of repeating work.',
    body: MoveRequest,
    shownRecord: ({ ctx, params }) => timesOfDate(params.id as number, enteredFields(ctx).date),
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
      return answerWith(id, 'dateMoved')
    },
  }),

  dateRoute('skip', 'skipped', 'Skips one date of repeating work.'),
  dateRoute('restore', 'restored', 'Restores a skipped or moved date.'),

  route({
    ...dateRouteDefaults,
    paths: both(`${list}/:id/end`),
    group: 'maintenance',
    summary: 'Ends repeating work. Dates that have started are kept.',
    body: emptyBody,
    handle: async ({ params: { id }, actor }) => {
      await endSeries(actor, id)
      return answerWith(id, 'ended')
    },
  }),
]
