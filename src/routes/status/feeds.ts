import { publicAddress } from '../../config.js'
import { NotFound } from '../../domain/system/validation.js'
import { calendarWindows } from '../../models/maintenance/calendar.js'
import { assetsMade, latestNews, newsOf } from '../../models/status/news.js'
import { badge } from '../../pages/status/badge.js'
import { calendarFile } from '../../pages/status/calendarFile.js'
import { atomFeed } from '../../pages/status/feed.js'
import { type Place, placeWords } from '../../pages/status/place.js'
import { respondWithFile } from '../../pages/status/statusFastPath.js'
import { plannedEvents } from '../../presenters/status/plannedEvents.js'
import type { BuildingState } from '../../presenters/status/status.js'
import { presentStatusPage } from '../../presenters/status/statusPage.js'
import { PageSummaryJson, presentPageSummary } from '../../presenters/status/summary.js'
import { formatFor } from '../../web/answer/format.js'
import type { Context } from '../../web/context.js'
import { answered, file } from '../../web/route/answer.js'
import { route } from '../../web/route/route.js'

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
function shared(ctx: Context): typeof answered {
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
  return answered
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
