import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../../src/platform/db/database.js'
import { idle, startOutbox, stopOutbox } from '../../../src/platform/outbox/outbox.js'
import { announceStatus } from '../../../src/status/announceStatus.js'
import { useApp, type Who } from '../../support/app.js'
import { anAsset } from '../../support/builders/records.js'
import { drawing, type Random } from '../../support/suite/random.js'

/**
 * Random writes on a few assets, with and without an announcement after each, against what is true by decisions 3.1 and
 * 3.5 alone: after each step, the live status by the incidents' fields and by which planned work is in progress.
 */

const app = useApp()
const HOUR = 3_600_000
const severities = ['low', 'medium', 'high', 'critical'] as const
const statuses = ['open', 'acknowledged', 'in_progress', 'resolved', 'resolved', 'verified'] as const

/** A change of an asset's live status; `at` is an ISO 8601 moment. */
type Event = { status: string; at: string }
type Incident = {
  id: number
  assetId: number
  severity: string
  status: string
  isDowntime: boolean
  mergedIntoId: number | null
  dismissedAt: Date | null
}
type Window = { id: number; asset: number; inProgress: boolean }

let assets: number[] = []
/** The events that should be there, by asset. */
const expected = new Map<number, Event[]>()
let windows: Window[] = []
/** How often each kind of step was accepted. */
const accepted = new Map<string, number>()
/** Without an announcement after a write, as if its process had died. */
let isAnnouncing = true

beforeAll(async () => {
  await query(
    `insert into webhook_subscriptions (url, secret, events) values ('http://127.0.0.1:1/', 's', '{asset.status_changed}')`,
  )
  startOutbox([], async (ids) => isAnnouncing && announceStatus(ids), { watch: false })
})
afterAll(stopOutbox)

/** The database's clock, once it shows a later millisecond than before: no two steps share one. */
let lastMoment = 0
async function nextMoment(): Promise<Date> {
  for (;;) {
    const [{ at } = { at: new Date(0) }] = await query<{ at: Date }>(
      `select date_trunc('milliseconds', clock_timestamp()) as at`,
    )
    if (at.getTime() <= lastMoment) continue
    lastMoment = at.getTime()
    return at
  }
}

/** The incidents of these assets; the newest are tried most. */
const incidents = () =>
  query<Incident>(
    `select id, asset_id as "assetId", severity, status, is_downtime as "isDowntime", merged_into_id as "mergedIntoId",
       dismissed_at as "dismissedAt"
     from incidents where asset_id = any ($1) order by id desc`,
    [assets],
  )

/** Decision 3.1, word for word. */
function liveStatus(asset: number, all: readonly Incident[]): string {
  const counted = all.filter(
    ({ assetId, status, mergedIntoId }) =>
      assetId === asset && status !== 'resolved' && status !== 'verified' && mergedIntoId === null,
  )
  if (counted.some(({ isDowntime }) => isDowntime)) return 'down'
  if (counted.some(({ severity }) => severity !== 'low')) return 'degraded'
  return windows.some((window) => window.asset === asset && window.inProgress) ? 'maintenance' : 'operational'
}

/** Notes the changes that a step at this moment made. */
async function note(at: Date): Promise<void> {
  const all = await incidents()
  for (const asset of assets) {
    const status = liveStatus(asset, all)
    const events = expected.get(asset)!
    if (status !== (events.at(-1)?.status ?? 'operational')) events.push({ status, at: at.toISOString() })
  }
}

type Step = (random: Random) => Promise<void>

/** Sends a write; when it was accepted, `then` is done to the model, and what it changed is noted at the write's time. */
async function write(
  kind: string,
  path: string,
  json: object,
  { who = 'manager', method = 'POST' }: { who?: Who; method?: string } = {},
  then: (body: { id: number }) => void = () => {},
): Promise<void> {
  await nextMoment()
  const [newest] = await query<{ id: number }>('select coalesce(max(id), 0) as id from audit_entries')
  const answer = await app.ask(who, path, { method, json })
  await idle()
  if (!answer.ok) {
    const text = await answer.text()
    if (![409, 422].includes(answer.status)) throw new Error(`${kind}: ${answer.status} ${text}`)
    return
  }
  accepted.set(kind, (accepted.get(kind) ?? 0) + 1)
  then(answer.status === 204 ? { id: 0 } : ((await answer.json()) as { id: number }))
  const [entry] = await query<{ at: Date }>(
    `select at from audit_entries where id > $1 and entity <> 'user' and action <> 'asset.status_changed' order by id limit 1`,
    [newest!.id],
  )
  if (entry) await note(entry.at)
}

const isResolved = ({ status }: Incident) => status === 'resolved'
const isMerged = ({ mergedIntoId }: Incident) => mergedIntoId !== null
const isDismissed = ({ dismissedAt }: Incident) => dismissedAt !== null
const any = () => true

/** One of the newest incidents; none of those that cannot take the write is better than one of them. */
async function drawn(random: Random, suits: (incident: Incident) => boolean): Promise<Incident | undefined> {
  const newest = (await incidents()).slice(0, 12)
  return random.pick(newest.filter(suits)) ?? random.pick(newest)
}

/** A write on an incident that is drawn; nothing happens while there is none. */
function onIncident(
  kind: string,
  make: (incident: Incident, random: Random) => Promise<Parameters<typeof write> | null>,
  suits: (incident: Incident) => boolean = any,
): [string, Step] {
  return [
    kind,
    async (random) => {
      const incident = await drawn(random, suits)
      const given = incident ? await make(incident, random) : null
      if (given) await write(...given)
    },
  ]
}

const patch =
  (kind: string, json: (random: Random, incident: Incident) => object) =>
  async (incident: Incident, random: Random): Promise<Parameters<typeof write>> => [
    kind,
    `/api/incidents/${incident.id}`,
    json(random, incident),
    { method: 'PATCH' },
  ]

const ago = (random: Random, hours: number) => new Date(Date.now() - random.number() * hours * HOUR)
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR)

async function plan(kind: string, asset: number, from: Date, to: Date, inProgress: boolean): Promise<void> {
  const json = { assetId: asset, title: 'Work', startsAt: from, endsAt: to }
  await write(kind, '/api/admin/maintenance', json, {}, ({ id }) => windows.push({ id, asset, inProgress }))
}

/** Lets planned work begin or end at this moment, without a write: the moments of its row are moved. */
async function passInto(kind: string, window: Window | undefined, column: string): Promise<void> {
  if (!window) return
  const at = await nextMoment()
  await query(`update maintenance_windows set ${column} = $2 where id = $1`, [window.id, at])
  window.inProgress = column === 'starts_at'
  if (!window.inProgress) windows = windows.filter(({ id }) => id !== window.id)
  accepted.set(kind, (accepted.get(kind) ?? 0) + 1)
  await note(at)
}

const steps: [weight: number, kind: string, step: Step][] = [
  [
    5,
    'report',
    async (random) => {
      const [assetId, severity] = [random.pick(assets)!, random.pick(severities)!]
      await write('report', '/api/incidents', { assetId, severity, title: 'x' })
    },
  ],
  ...(
    [
      [7, 'status', any, (random: Random) => ({ body: 'x', newStatus: random.pick(statuses)! })],
      [3, 'verify', isResolved, (random: Random) => ({ fixed: random.number() < 0.3, body: 'x' })],
      [3, 'dismiss', any, () => ({})],
      [4, 'reinstate', isDismissed, () => ({})],
      [4, 'unmerge', isMerged, () => ({})],
    ] as const
  ).map(([weight, kind, suits, json]): [number, string, Step] => [
    weight,
    ...onIncident(
      kind,
      async ({ id }, random) => {
        const address = kind === 'status' ? 'updates' : kind
        const who = kind === 'verify' ? 'resident' : 'manager'
        return [kind, `/api/incidents/${id}/${address}`, json(random), { who }]
      },
      suits,
    ),
  ]),
  [
    3,
    ...onIncident('merge', async ({ id }, random) => {
      const target = await drawn(random, any)
      return target ? ['merge', `/api/incidents/${id}/merge`, { targetId: target.id }] : null
    }),
  ],
  [
    2,
    ...onIncident(
      'severity',
      patch('severity', (random) => ({ severity: random.pick(severities) })),
    ),
  ],
  [
    3,
    ...onIncident(
      'retroactive severity',
      patch('retroactive severity', (random) => ({ severity: random.pick(severities), retroactive: true })),
    ),
  ],
  [
    4,
    ...onIncident(
      'downtime',
      patch('downtime', (_, { isDowntime }) => ({ isDowntime: !isDowntime })),
    ),
  ],
  [
    3,
    ...onIncident(
      'start of downtime',
      patch('start of downtime', (random) => ({ isDowntime: true, downtimeStartedAt: ago(random, 72) })),
    ),
  ],
  [
    3,
    ...onIncident(
      'end of downtime',
      patch('end of downtime', (random) => ({
        isDowntime: true,
        downtimeStartedAt: ago(random, 72),
        downtimeEndedAt: ago(random, 1 / 3600),
      })),
      isResolved,
    ),
  ],
  [
    2,
    ...onIncident(
      'place',
      patch('place', (random) => ({ assetId: random.pick(assets) })),
    ),
  ],
  [
    1,
    'sweep',
    async (random) => {
      const incident = await drawn(random, any)
      if (!incident) return
      await query(`update incidents set created_at = created_at - interval '400 days' where id = $1`, [
        incident.id,
      ])
      await write('sweep', '/api/cron/sweep', {}, { who: 'cron' })
    },
  ],
  [2, 'work to come', (random) => plan('work to come', random.pick(assets)!, inHours(1), inHours(2), false)],
  [
    1,
    'work entered late',
    (random) => plan('work entered late', random.pick(assets)!, ago(random, 3), inHours(1), true),
  ],
  [
    1,
    'work entered when it was over',
    async (random) => {
      const json = {
        assetId: random.pick(assets)!,
        title: 'Over',
        startsAt: inHours(-2),
        endsAt: ago(random, 1),
      }
      await write('work entered when it was over', '/api/admin/maintenance', json)
    },
  ],
  [
    4,
    'work begins',
    (random) =>
      passInto('work begins', random.pick(windows.filter(({ inProgress }) => !inProgress)), 'starts_at'),
  ],
  [
    4,
    'work ends',
    (random) => passInto('work ends', random.pick(windows.filter(({ inProgress }) => inProgress)), 'ends_at'),
  ],
  [
    1,
    'work corrected',
    async (random) => {
      const window = random.pick(windows)
      if (!window) return
      const json = { assetId: random.pick(assets)!, startsAt: inHours(-4), endsAt: ago(random, 3) }
      const path = `/api/admin/maintenance/${window.id}`
      await write('work corrected', path, json, { method: 'PATCH' }, () => {
        windows = windows.filter(({ id }) => id !== window.id)
      })
    },
  ],
  [
    1,
    'work deleted',
    async (random) => {
      const window = random.pick(windows)
      if (!window) return
      await write('work deleted', `/api/admin/maintenance/${window.id}`, {}, { method: 'DELETE' }, () => {
        windows = windows.filter(({ id }) => id !== window.id)
      })
    },
  ],
  [3, 'tick', async () => void (await announceStatus(null))],
]

const bag = steps.flatMap((step) => Array.from({ length: step[0] }, () => step))

/** The announced events and the entries of the audit log, by asset, in the order in which they were written. */
async function found(asset: number): Promise<{ events: Event[]; entries: Event[] }> {
  const events = await query<Event>(
    `select body::json -> 'asset' ->> 'status' as status, body::json ->> 'occurredAt' as at from webhook_deliveries
     where event = 'asset.status_changed' and body::json -> 'asset' ->> 'id' = $1::text order by id`,
    [asset],
  )
  const entries = await query<Event>(
    `select changes -> 'status' ->> 'after' as status, changes -> 'occurredAt' ->> 'after' as at from audit_entries
     where action = 'asset.status_changed' and entity_id = $1 order by id`,
    [asset],
  )
  return { events, entries }
}

const textOf = ({ status, at }: Event) => `${status} at ${at}`

/** Each event that is missing and each that should not be there. */
function differences(what: string, expected: readonly Event[], announced: readonly Event[]): string[] {
  const [wanted, sent] = [expected.map(textOf), announced.map(textOf)]
  const faults = [
    ...wanted.filter((text) => !sent.includes(text)).map((text) => `${what}: missing ${text}`),
    ...sent.filter((text) => !wanted.includes(text)).map((text) => `${what}: false ${text}`),
  ]
  return faults.length === 0 && wanted.join() !== sent.join()
    ? [`${what}: in another order`]
    : faults.sort(byMoment)
}

const byMoment = (a: string, b: string) => (a.slice(-24) < b.slice(-24) ? -1 : 1)

describe('asset.status_changed', () => {
  it('is sent once for every change of live status of any life, at its own moment, and for nothing else', {
    timeout: 7_200_000,
  }, async () => {
    const random = drawing()
    const wanted = Number(process.env.TEST_LIVES ?? 10_000)
    const done: string[] = []
    for (let i = 0; i < wanted; i++) {
      // Three new assets from time to time: a long list of incidents is slow to read.
      if (i % 200 === 0) {
        await announceStatus(null)
        windows = []
        assets = await Promise.all(['a', 'b', 'c'].map((name) => anAsset({ name: `Lives ${i} ${name}` })))
        for (const asset of assets) expected.set(asset, [])
      }
      isAnnouncing = random.number() < 0.7
      const [, kind, step] = random.pick(bag)!
      await step(random)
      done.push(`${kind} ${new Date(lastMoment).toISOString()}${isAnnouncing ? '' : ' (not announced)'}`)
    }
    await announceStatus(null)
    const faults: string[] = []
    for (const [asset, events] of expected) {
      const { events: sent, entries } = await found(asset)
      faults.push(...differences(`events of asset ${asset}`, events, sent))
      faults.push(...differences(`entries of asset ${asset}`, events, entries))
    }
    expect(faults, faults.length > 0 ? `Steps: ${done.join(', ')}` : '').toEqual([])
    const total = [...expected.values()].reduce((sum, events) => sum + events.length, 0)
    expect(total).toBeGreaterThan(wanted / 10)
    const untried = steps.map(([, kind]) => kind).filter((kind) => kind !== 'tick' && !accepted.has(kind))
    expect(untried).toEqual([])
  })
})
