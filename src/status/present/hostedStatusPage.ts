import { z } from 'zod'
import { instantText, shape, wholeNumber } from '../../platform/http/json.js'
import { type AssetStatus, overallStatus } from '../../vocabulary/assetStatus.js'
import { type ClosingReason, type Status, statusLooks } from '../../vocabulary/lifecycle.js'
import { occurrenceName } from '../../vocabulary/time/recurrence.js'
import type { News } from '../queries/news.js'
import type { AssetState, Occurrence } from './assetState.js'
import type { BuildingState } from './status.js'

/** The states of components, incidents and planned work as status-page clients name them. */
const componentStates = {
  operational: 'operational',
  maintenance: 'under_maintenance',
  degraded: 'degraded_performance',
  down: 'major_outage',
} as const satisfies Record<AssetStatus, string>
const indicators = {
  operational: 'none',
  maintenance: 'maintenance',
  degraded: 'minor',
  down: 'major',
} as const satisfies Record<AssetStatus, string>
const incidentStates = ['investigating', 'identified', 'monitoring', 'resolved'] as const
const impacts = ['none', 'minor', 'major', 'maintenance'] as const

const idAndName = { id: z.string(), name: z.string() }
const ComponentJson = z.strictObject({
  ...idAndName,
  status: z.enum(componentStates),
  position: z.number(),
  description: z.null(),
  group: z.boolean(),
  group_id: z.null(),
  page_id: z.string(),
  showcase: z.boolean(),
  only_show_if_degraded: z.boolean(),
  start_date: z.null(),
  created_at: instantText,
  updated_at: instantText,
})
const happening = {
  ...idAndName,
  impact: z.enum(impacts),
  page_id: z.string(),
  shortlink: z.string(),
  started_at: instantText,
  created_at: instantText,
  updated_at: instantText,
  monitoring_at: z.null(),
  resolved_at: z.null(),
  components: z.array(ComponentJson),
}
const UpdateJson = z.strictObject({
  id: z.string(),
  incident_id: z.string(),
  status: z.enum(incidentStates),
  body: z.string(),
  created_at: instantText,
  updated_at: instantText,
  display_at: instantText,
})

/**
 * GET /api/v2/summary.json, as clients of hosted status pages read it: with their names.
 * `last_known_minutes_ago` is ours: only while the database is away.
 */
export const HostedStatusPageJson = shape('PageSummary', {
  page: z.strictObject({
    ...idAndName,
    url: z.string(),
    time_zone: z.string(),
    updated_at: instantText,
    last_known_minutes_ago: wholeNumber.optional(),
  }),
  status: z.strictObject({ indicator: z.enum(indicators), description: z.string() }),
  components: z.array(ComponentJson),
  incidents: z.array(
    z.strictObject({
      ...happening,
      status: z.enum(incidentStates),
      incident_updates: z.array(UpdateJson),
    }),
  ),
  scheduled_maintenances: z.array(
    z.strictObject({
      ...happening,
      status: z.enum(['scheduled', 'in_progress']),
      scheduled_for: instantText,
      scheduled_until: instantText,
      incident_updates: z.array(UpdateJson),
    }),
  ),
})

type Frame = {
  /** The public address, without a slash at its end. */
  url: string
  description: string
  /** What an entry without words says. */
  words: (status: Status, closingReason?: ClosingReason | null, reopened?: boolean) => string
  /** Minutes since it was last checked; null when it is as of now. */
  minutesOld: number | null
}

/** The building at one instant with the news of its unresolved incidents. */
export function presentHostedStatusPage(
  state: BuildingState,
  news: readonly News[],
  frame: Frame,
): z.output<typeof HostedStatusPageJson> {
  const { property, assets } = state
  const page_id = String(property.id)
  const components = new Map(assets.map((asset, i) => [asset.id, component(asset, i + 1, page_id)]))
  const common = { page_id, monitoring_at: null, resolved_at: null }
  const changed = [...components.values()].map(({ updated_at }) => updated_at)
  const incidents = news.map((each) => ({
    ...common,
    ...incident(each, frame),
    components: [components.get(each.assetId)!],
  }))
  const scheduled_maintenances = assets.flatMap((asset) =>
    asset.upcoming.map((work) => ({
      ...common,
      ...planned(asset, work, state.now, frame),
      components: [components.get(asset.id)!],
    })),
  )
  const updated = [...incidents, ...scheduled_maintenances].map(({ updated_at }) => updated_at)
  return {
    page: {
      id: page_id,
      name: property.name,
      url: frame.url,
      time_zone: property.timezone,
      updated_at: [...changed, ...updated].sort().at(-1) ?? iso(0),
      ...(frame.minutesOld === null ? {} : { last_known_minutes_ago: frame.minutesOld }),
    },
    status: { indicator: indicators[overallStatus(state.summary)], description: frame.description },
    components: [...components.values()],
    incidents,
    scheduled_maintenances,
  }
}

const iso = (at: number) => new Date(at).toISOString()

function component({ id, name, status, since, createdAt }: AssetState, position: number, page_id: string) {
  return {
    id: String(id),
    name,
    status: componentStates[status],
    position,
    description: null,
    group: false,
    group_id: null,
    page_id,
    showcase: true,
    only_show_if_degraded: false,
    start_date: null,
    created_at: iso(createdAt),
    updated_at: iso(since ?? createdAt),
  }
}

function incident({ id, title, createdAt, updatedAt, entries, outages }: News, { url, words }: Frame) {
  const running = outages.filter(({ end }) => end === null).map(({ impact }) => impact)
  const entryUpdates = entries.map((entry, i) => {
    const last = entries.slice(i).find((each) => each.status)
    const status = last?.status ?? 'open'
    return {
      id: String(entry.id),
      at: entry.at,
      status,
      body: entry.body || words(status, last?.closingReason, last?.isReopening),
    }
  })
  const reported = { id: `${id}-reported`, at: createdAt, status: 'open' as const, body: words('open') }
  const updates = [...entryUpdates, reported]
  return {
    id: String(id),
    name: title,
    status: statusLooks[updates[0]!.status].hosted,
    impact: running.includes('down')
      ? ('major' as const)
      : running.length
        ? ('minor' as const)
        : ('none' as const),
    shortlink: `${url}/incidents/${id}`,
    started_at: iso(createdAt),
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
    incident_updates: updates.map(({ at, status, ...update }) => ({
      ...update,
      incident_id: String(id),
      status: statusLooks[status].hosted,
      created_at: iso(at),
      updated_at: iso(at),
      display_at: iso(at),
    })),
  }
}

function planned(
  { id, name }: AssetState,
  { windowId, title, recurrence, date, start, end, knownSince }: Occurrence,
  now: number,
  { url }: Frame,
) {
  const at = iso(knownSince)
  return {
    id: occurrenceName(windowId, recurrence, date),
    name: `${name}: ${title}`,
    status: start <= now ? ('in_progress' as const) : ('scheduled' as const),
    impact: 'maintenance' as const,
    shortlink: `${url}/assets/${id}`,
    started_at: iso(start),
    created_at: at,
    updated_at: at,
    scheduled_for: iso(start),
    scheduled_until: iso(end),
    incident_updates: [],
  }
}
