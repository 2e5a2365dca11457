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
import { respondWithFile } from './files/stateFiles.js'
import { headline } from './headline.js'
import { HostedStatusPageJson, presentHostedStatusPage } from './present/hostedStatusPage.js'
import { plannedEvents } from './present/plannedEvents.js'
import type { BuildingState } from './present/status.js'
import { calendarWindows } from './queries/calendar.js'
import { latestNews, newsOf } from './queries/news.js'
import type { StateFile } from './stateCache.js'

const summaryAddress = '/api/v2/summary.json'

/** Unresolved incidents in the summary, newest first. */
const mostIncidents = 50

type File = {
  name: string
  type: string
  load: (subject: FeedSubject) => Promise<StateFile['write']> | StateFile['write']
  isOfStateAlone?: boolean
}

const feed: File = {
  name: 'feed.atom',
  type: 'application/atom+xml',
  load: async (subject) => {
    const id = subject.asset?.id ?? null
    const [news, planned] = await Promise.all([latestNews(id), calendarWindows(id)])
    return atomFeed(subject, news, plannedEvents(planned), planned.now)
  },
}

const calendar: File = {
  name: 'calendar.ics',
  type: 'text/calendar',
  load: async (subject) =>
    calendarFile(subject, plannedEvents(await calendarWindows(subject.asset?.id ?? null))),
}

const picture: File = {
  name: 'badge.svg',
  type: 'image/svg+xml',
  isOfStateAlone: true,
  load: (subject) => (minutesOld) => badge(subject, minutesOld),
}

/** The building's file, and the one of each asset in use; other assets have none. */
function pairOf({ name, type, load, isOfStateAlone = false }: File, what: string) {
  const send = async (ctx: Context, path: string, assetId: number | null) => {
    await respondWithFile(ctx, {
      isOfStateAlone,
      path: `${path}/${name}`,
      type: `${type}; charset=utf-8`,
      load: (state) => load({ state, path, asset: assetId === null ? null : assetIn(state, assetId) }),
    })
    return answeredByHandler
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
    paths: summaryAddress,
    group: 'status',
    otherSites: true,
    summary: 'The status of the building in the format of hosted status pages.',
    permission: 'status.read',
    answer: HostedStatusPageJson,
    handle: async ({ ctx }) => {
      await respondWithFile(ctx, {
        path: summaryAddress,
        type: 'application/json; charset=utf-8',
        load: hostedSummary,
      })
      return answeredByHandler
    },
  }),
]

async function hostedSummary(state: BuildingState): Promise<StateFile['write']> {
  const open = state.assets.flatMap((asset) => asset.open.map(({ id }) => id)).sort((a, b) => b - a)
  const news = await newsOf(open.slice(0, mostIncidents))
  const { t, locale, property } = feedSubjectWords({ state, asset: null, path: '' })
  const { status } = formatFor(locale, property.timezone)
  return (minutesOld) =>
    JSON.stringify(
      presentHostedStatusPage(state, news, {
        url: publicAddress(),
        description: headline(t, state),
        words: status,
        minutesOld,
      }),
    )
}
