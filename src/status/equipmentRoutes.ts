import { z } from 'zod'
import { rowId, shape, wholeNumber } from '../platform/http/json.js'
import { linkNext, SkipQuery } from '../platform/http/request/paging.js'
import { queryFlag, queryId } from '../platform/http/request/query.js'
import { route } from '../platform/http/route/route.js'
import { assetStatuses } from '../vocabulary/assetStatus.js'
import { dateIn, daysBetween } from '../vocabulary/time/calendar.js'
import { NotFound } from '../vocabulary/validation.js'
import { badDays } from './present/dayBar.js'
import { DayStoryJson, presentDayStory } from './present/dayStory.js'
import { assetsWith, presentEquipment } from './present/equipment.js'
import { historyFrame, historyRows } from './queries/history.js'
import { currentState } from './stateCache.js'

const EquipmentQuery = SkipQuery.extend({
  q: z.string().max(200).optional(),
  towerId: queryId.optional(),
  troubled: queryFlag.optional(),
})

const EquipmentJson = shape('Equipment', {
  q: z.string(),
  towerId: rowId.nullable(),
  troubled: z.boolean(),
  total: wholeNumber,
  assets: z.array(
    z.strictObject({
      id: rowId,
      name: z.string(),
      category: z.string(),
      towerName: z.string(),
      status: z.enum(assetStatuses),
    }),
  ),
})

/** A date of the calendar (YYYY-MM-DD). */
const calendarDate = z.iso.date()

export const equipmentRoutes = [
  route({
    method: 'get',
    paths: '/assets',
    summary: 'The assets of the building by tower, found by their names.',
    permission: 'status.read',
    query: EquipmentQuery,
    answer: EquipmentJson,
    handle: async ({ ctx, query: { q = '', towerId = null, troubled = false, skip = 0 } }) => {
      const state = await currentState()
      const tower = state.assets.find((asset) => asset.towerId === towerId)
      if (towerId !== null && !tower) throw new NotFound()
      const matches = assetsWith(state.assets, { q, towerId, troubled })
      const { rows, next, towers } = presentEquipment(matches, state.dates, skip)
      return {
        data: {
          q,
          towerId,
          troubled,
          total: matches.length,
          assets: rows.map(({ id, name, category, towerName, status }) => ({
            id,
            name,
            category,
            towerName,
            status,
          })),
        },
        view: 'status/equipment',
        extras: {
          towers,
          tower: tower?.towerName,
          rest: linkNext(ctx, next === null ? null : { skip: String(next) }),
        },
      }
    },
  }),
  route({
    method: 'get',
    paths: '/assets/:id/days/:from',
    params: { from: calendarDate },
    summary: 'What happened to an asset on a day, or on the days until another one.',
    permission: 'asset.read',
    query: z.object({ to: calendarDate.optional() }),
    answer: DayStoryJson,
    handle: async ({ params: { id, from }, query: { to = from } }) => {
      const { now, zone } = await historyFrame()
      const days = daysBetween(zone, from, to)
      if (!days || to > dateIn(zone, now)) throw new NotFound()
      const rows = await historyRows(days.bounds[0]!, days.bounds.at(-1)!)
      const own = { ...rows, assets: rows.assets.filter((asset) => asset.id === id && !asset.archived) }
      const { assets, dates } = await currentState()
      const current = assets.find((asset) => asset.id === id)
      if (own.assets.length === 0 || !current) throw new NotFound()
      return {
        data: presentDayStory(own, { zone, days, now }, badDays(current, dates)),
        view: 'status/days',
      }
    },
  }),
]
