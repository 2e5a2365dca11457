import { formatFor } from '../../platform/http/answer/format.js'
import type { Context } from '../../platform/http/context.js'
import { answeredByHandler, file } from '../../platform/http/route/answer.js'
import { route } from '../../platform/http/route/route.js'
import { publicAddress } from '../../platform/ops/config.js'
import { NotFound } from '../../vocabulary/validation.js'
import { badge } from '../badge.js'
import { calendarFile } from '../calendarFile.js'
import { atomFeed } from '../feed.js'
import { plannedEvents } from '../json/plannedEvents.js'
import type { BuildingState } from '../json/status.js'
import { presentStatusPage } from '../json/statusPage.js'
import { PageSummaryJson, presentPageSummary } from '../json/summary.js'
import { type Place, placeWords } from '../place.js'
import { calendarWindows } from '../queries/calendar.js'
import { assetsMade, latestNews, newsOf } from '../queries/news.js'
import { respondWithFile } from '../statusFastPath.js'

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
      summary: `${what} of the building.`,
      permission: 'status.read',
      answer: file(type),
      handle: ({ ctx }) => send(ctx, '', null),
    }),
    route({
      method: 'get',
      paths: `/assets/:id/${name}`,
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

/** What other programs show of the building: feed readers, calendars, web pages, and clients of status pages. */
export const feedRoutes = [
  ...pairOf(feed, 'News as an Atom feed'),
  ...pairOf(calendar, 'Planned work as a calendar'),
  ...pairOf(picture, 'The state as a small picture'),

  route({
    method: 'get',
    paths: '/api/v2/summary.json',
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
  const [news, made] = await Promise.all([newsOf(open.slice(0, mostIncidents)), assetsMade()])
  const { t, locale, property } = placeWords({ state, asset: null, path: '' })
  const { headline, status } = formatFor(locale, property.timezone)
  return JSON.stringify(
    presentPageSummary(state, news, {
      url: publicAddress(),
      description: headline(t, presentStatusPage(state)),
      words: status,
      ...made,
    }),
  )
}
