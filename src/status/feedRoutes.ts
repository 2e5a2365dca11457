import type { Context } from '../platform/http/context.js'
import { formatFor } from '../platform/http/format/format.js'
import { answeredByHandler, file } from '../platform/http/route/answerContent.js'
import { route } from '../platform/http/route/route.js'
import { publicAddress } from '../platform/process/config.js'
import { NotFound } from '../vocabulary/validation.js'
import { atomFeed } from './files/atomFeed.js'
import { badge } from './files/badge.js'
import { calendarFile } from './files/calendarFile.js'
import { type FeedSubject, feedSubjectWords } from './files/feedSubject.js'
import { headline } from './headline.js'
import { HostedStatusPageJson, presentHostedStatusPage } from './present/hostedStatusPage.js'
import { plannedEvents } from './present/plannedEvents.js'
import type { BuildingState } from './present/status.js'
import { presentStatusPage } from './present/statusPage.js'
import { calendarWindows } from './queries/calendar.js'
import { latestNews, newsOf } from './queries/news.js'
import { respondWithFile } from './statusFastPath.js'

/** Unresolved incidents in the summary, newest first. */
const mostIncidents = 50

type File = { name: string; type: string; make: (subject: FeedSubject) => Promise<string> | string }

const feed: File = {
  name: 'feed.atom',
  type: 'application/atom+xml',
  make: async (subject) => {
    const id = subject.asset?.id ?? null
    const [news, planned] = await Promise.all([latestNews(id), calendarWindows(id)])
    return atomFeed(subject, news, plannedEvents(planned), planned.now)
  },
}

const calendar: File = {
  name: 'calendar.ics',
  type: 'text/calendar',
  make: async (subject) =>
    calendarFile(subject, plannedEvents(await calendarWindows(subject.asset?.id ?? null))),
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
    answer: HostedStatusPageJson,
    handle: async ({ ctx }) => {
      await respondWithFile(ctx, 'summary.json', 'application/json; charset=utf-8', hostedSummary)
      return shared(ctx)
    },
  }),
]

async function hostedSummary(state: BuildingState): Promise<string> {
  const open = state.assets.flatMap((asset) => asset.open.map(({ id }) => id)).sort((a, b) => b - a)
  const news = await newsOf(open.slice(0, mostIncidents))
  const { t, locale, property } = feedSubjectWords({ state, asset: null, path: '' })
  const { status } = formatFor(locale, property.timezone)
  return JSON.stringify(
    presentHostedStatusPage(state, news, {
      url: publicAddress(),
      description: headline(t, presentStatusPage(state)),
      words: status,
    }),
  )
}
