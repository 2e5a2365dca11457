import { z } from 'zod'
import { reportCode } from '../building/stickers.js'
import { respond } from '../platform/http/answer/respond.js'
import type { Context } from '../platform/http/context.js'
import { formatFor } from '../platform/http/format/format.js'
import { both } from '../platform/http/paths.js'
import { cutList, SkipQuery } from '../platform/http/request/paging.js'
import { queryId } from '../platform/http/request/query.js'
import { answeredByHandler, file } from '../platform/http/route/answerContent.js'
import { route } from '../platform/http/route/route.js'
import { publicAddress } from '../platform/process/config.js'
import { dateIn, daysOfMonth, monthsAfter } from '../vocabulary/time/calendar.js'
import { NotFound } from '../vocabulary/validation.js'
import { statusAddresses } from './addresses.js'
import { atomFeed } from './files/atomFeed.js'
import { badge } from './files/badge.js'
import { calendarFile } from './files/calendarFile.js'
import { type Place, placeWords } from './files/place.js'
import { headline } from './headline.js'
import { DisplayJson, presentDisplay } from './present/display.js'
import { HistoryJson, historyTowers, presentHistory } from './present/history.js'
import { plannedEvents } from './present/plannedEvents.js'
import { type BuildingState, StatusJson } from './present/status.js'
import { presentStatusPage } from './present/statusPage.js'
import { PageSummaryJson, presentPageSummary } from './present/summary.js'
import { worstOfYear, yearCharts, yearTables } from './present/yearPage.js'
import { YearReportJson } from './present/yearReport.js'
import { calendarWindows } from './queries/calendar.js'
import { historyFrame, historyRows } from './queries/history.js'
import { latestNews, newsOf } from './queries/news.js'
import { readYearReport } from './readYearReport.js'
import { currentState, respondFromCache, respondWithFile } from './statusFastPath.js'

/** Which of its pages the screen shows, from 1; after the last comes the first. */
const DisplayQuery = z.object({ page: queryId.default(1) })

export const displayRoutes = [
  route({
    method: 'get',
    paths: '/display',
    summary: 'The status of the building for a lobby screen, which changes pages and updates automatically.',
    permission: 'status.read',
    query: DisplayQuery,
    answer: DisplayJson,
    handle: async ({ ctx, query: { page } }) => {
      const address = publicAddress()
      // Search engines should list the status page instead.
      ctx.set('X-Robots-Tag', 'noindex')
      return {
        data: presentDisplay(await currentState(), Date.now(), page),
        view: 'status/display',
        fragment: 'status/_displayLive',
        extras: { headline, code: await reportCode(address), address: address.replace(/^https?:\/\//, '') },
      }
    },
  }),
]

/** Unresolved incidents in the summary, newest first. */
const mostIncidents = 50

type File = { name: string; type: string; make: (place: Place) => Promise<string> | string }

const feed: File = {
  name: 'feed.atom',
  type: 'application/atom+xml',
  make: async (place) => {
    const id = place.asset?.id ?? null
    const [news, planned] = await Promise.all([latestNews(id), calendarWindows(id)])
    return atomFeed(place, news, plannedEvents(planned), planned.now)
  },
}

const calendar: File = {
  name: 'calendar.ics',
  type: 'text/calendar',
  make: async (place) => calendarFile(place, plannedEvents(await calendarWindows(place.asset?.id ?? null))),
}

const picture: File = { name: 'badge.svg', type: 'image/svg+xml', make: badge }

/** The building's file, and the one of each asset in use; other assets have none. */
function pairOf({ name, type, make }: File, what: string) {
  const send = async (ctx: Context, path: string, assetId: number | null) => {
    await respondWithFile(ctx, `${path}/${name}`, `${type}; charset=utf-8`, (state) =>
      make({ state, path, asset: assetId === null ? null : assetIn(state, assetId) }),
    )
    return shared(ctx)
  }
  return [
    route({
      method: 'get',
      paths: `/${name}`,
      otherSites: true,
      summary: `${what} of the building.`,
      permission: 'status.read',
      answer: file(type),
      handle: ({ ctx }) => send(ctx, '', null),
    }),
    route({
      method: 'get',
      paths: `/assets/:id/${name}`,
      otherSites: true,
      summary: `${what} of one asset.`,
      permission: 'asset.read',
      answer: file(type),
      handle: ({ ctx, params: { id } }) => send(ctx, `/assets/${id}`, id),
    }),
  ]
}

/** Lets pages of other sites show what was sent: badges and calendars are made for them. */
function shared(ctx: Context): typeof answeredByHandler {
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
  return answeredByHandler
}

function assetIn({ assets }: BuildingState, assetId: number) {
  const asset = assets.find(({ id }) => id === assetId)
  if (!asset) throw new NotFound()
  return asset
}

/** What feed readers, calendars, other web pages and clients of status pages read. */
export const feedRoutes = [
  ...pairOf(feed, 'News as an Atom feed'),
  ...pairOf(calendar, 'Planned work as a calendar'),
  ...pairOf(picture, 'The state as a small picture'),

  route({
    method: 'get',
    paths: '/api/v2/summary.json',
    group: 'status',
    otherSites: true,
    summary: 'The status of the building in the format of hosted status pages.',
    permission: 'status.read',
    answer: PageSummaryJson,
    handle: async ({ ctx }) => {
      await respondWithFile(ctx, 'summary.json', 'application/json; charset=utf-8', summary)
      return shared(ctx)
    },
  }),
]

async function summary(state: BuildingState): Promise<string> {
  const open = state.assets.flatMap((asset) => asset.open.map(({ id }) => id)).sort((a, b) => b - a)
  const news = await newsOf(open.slice(0, mostIncidents))
  const { t, locale, property } = placeWords({ state, asset: null, path: '' })
  const { status } = formatFor(locale, property.timezone)
  return JSON.stringify(
    presentPageSummary(state, news, {
      url: publicAddress(),
      description: headline(t, presentStatusPage(state)),
      words: status,
    }),
  )
}

/** A month of the property's calendar (YYYY-MM); left out: this one. */
const HistoryQuery = SkipQuery.extend({
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'not_acceptable')
    .optional(),
})

export const historyRoutes = [
  route({
    method: 'get',
    paths: both('/history'),
    group: 'status',
    indexed: true,
    summary: 'The outages and planned work of every asset in a month.',
    permission: 'status.read',
    query: HistoryQuery,
    answer: HistoryJson,
    paged: true,
    handle: async ({ ctx, query: { month, skip } }) => {
      const { now, zone, first } = await historyFrame()
      const [earliest, current] = [first, now].map((at) => dateIn(zone, at).slice(0, 7)) as [string, string]
      const requestedMonth = month ?? current
      if (requestedMonth > current || requestedMonth < earliest) throw new NotFound()
      const days = daysOfMonth(zone, requestedMonth)
      const rows = await historyRows(days.bounds[0]!, days.bounds.at(-1)!)
      const neighbours = {
        month: requestedMonth,
        previous: requestedMonth > earliest ? monthsAfter(requestedMonth, -1) : null,
        next: requestedMonth < current ? monthsAfter(requestedMonth, 1) : null,
      }
      const whole = presentHistory(rows, neighbours, { zone, days, now })
      const { data: assets, next: rest } = cutList(ctx, whole.assets, skip)
      const data = { ...whole, assets }
      return {
        data,
        view: 'status/history',
        extras: { towers: historyTowers(assets, whole.assets), width: days.dates.length, rest },
      }
    },
  }),
]

/** GET / and GET /api/status: the building's live state (spec §4). The page polls `/live`. */
export const statusRoutes = [
  route({
    method: 'get',
    paths: [statusAddresses.page, statusAddresses.live, statusAddresses.json],
    group: 'status',
    otherSites: true,
    indexed: true,
    summary: 'The current status of every asset, with its last 90 days.',
    permission: 'status.read',
    answer: StatusJson,
    handle: async ({ ctx }) => {
      if (!(await respondFromCache(ctx)))
        await respond(ctx, {
          data: presentStatusPage(await currentState()),
          view: 'status/index',
          extras: { headline },
        })
      return answeredByHandler
    },
  }),
]

/** A year of the property's calendar; left out: this one. */
export const YearQuery = z.object({
  year: z
    .string()
    .regex(/^\d{4}$/, 'not_acceptable')
    .transform(Number)
    .optional(),
})

export const yearReportRoutes = [
  route({
    method: 'get',
    paths: both('/admin/year'),
    group: 'status',
    summary:
      'A year of the building compared with the year before: uptime, outages, costs, reply and repair times.',
    permission: 'year.read',
    query: YearQuery,
    answer: YearReportJson,
    handle: async ({ query: { year } }) => {
      const data = await readYearReport(year)
      const worstAssets = worstOfYear(data.assets)
      const extras = {
        charts: yearCharts(data),
        tables: yearTables(data, worstAssets),
        rowsShown: worstAssets.length,
      }
      return { data, view: 'status/year', extras }
    },
  }),
]
