import { z } from 'zod'
import { formatFor } from '../platform/http/answer/format.js'
import type { Context } from '../platform/http/context.js'
import { both } from '../platform/http/request/both.js'
import { day, typedIn } from '../platform/http/request/input.js'
import { page } from '../platform/http/route/answer.js'
import { emptyBody, type InputPlace } from '../platform/http/route/fields.js'
import { route } from '../platform/http/route/route.js'
import { orNotFound, ValidationFailed } from '../vocabulary/validation.js'
import { moveDate, restoreDate } from './dates.js'
import { findWindow, presentWindow, WindowJson, windowTime } from './entity.js'
import { presentPlannedDate } from './json.js'
import { endSeries } from './maintenanceWindows.js'

const list = '/admin/maintenance'
/** A date of a series: the local day on which it begins as planned. */
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
      return shown(id, 'moved')
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
