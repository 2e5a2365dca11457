import { keys } from '../../test/support/keys.js'
import { multipart } from '../../test/support/pictures.js'
import type { Random } from '../../test/support/run/random.js'

export type Who = 'resident' | 'manager' | 'admin' | 'mobile' | 'cron'

/** A write to be sent: what it is, and how it is said. */
export type Wanted = {
  act: string
  who: Who
  method: 'POST' | 'PATCH'
  address: string
  json: Record<string, unknown>
  marker: string | null
  incident: number | null
  /** Sent as a form with these pictures where there are any. */
  photos: Buffer[]
  /** Whether it may be sent again under an Idempotency-Key. */
  again: boolean
}

/** What a client knows when it thinks of its next write. */
export type Known = {
  random: Random
  incidents: readonly number[]
  pictures: readonly Buffer[]
  marker: string
}

type Maker = (known: Known) => Partial<Wanted> & Pick<Wanted, 'address' | 'json'>

const severities = ['low', 'medium', 'high', 'critical'] as const
const assets = 12

/** One of the newest incidents: clients meet at the same ones. */
const recentIncident = ({ incidents, random }: Known) => random.pick(incidents.slice(-12))!
const asset = ({ random }: Known) => 1 + Math.floor(random.number() * assets)
const some = ({ random, pictures }: Known, share: number) =>
  random.number() < share ? pictures.slice(0, random.number() < 0.5 ? 1 : 2) : []

const onIncident =
  (make: (known: Known, incident: number) => Partial<Wanted> & Pick<Wanted, 'address' | 'json'>): Maker =>
  (known) => {
    const incident = recentIncident(known)
    return { incident, ...make(known, incident) }
  }

/** The mixed writes of a building in use, with how often each is drawn. */
const acts: Record<string, { weight: number; make: Maker }> = {
  report: {
    weight: 8,
    make: (known) => ({
      who: known.random.pick(['resident', 'mobile', 'manager'] as const)!,
      address: '/api/incidents',
      json: {
        assetId: asset(known),
        title: known.marker,
        severity: known.random.pick(severities),
        isAnonymous: known.random.number() < 0.2,
      },
      photos: some(known, 0.3),
      again: true,
    }),
  },
  comment: {
    weight: 4,
    make: onIncident((known, id) => ({
      who: known.random.pick(['resident', 'manager'] as const)!,
      address: `/api/incidents/${id}/updates`,
      json: { body: known.marker },
      photos: some(known, 0.2),
      again: true,
    })),
  },
  status: {
    weight: 8,
    make: onIncident((known, id) => ({
      who: 'manager',
      address: `/api/incidents/${id}/updates`,
      json: {
        body: known.marker,
        newStatus: known.random.pick(['open', 'acknowledged', 'in_progress', 'resolved', 'resolved']),
      },
      again: true,
    })),
  },
  verify: {
    weight: 4,
    make: onIncident((known, id) => ({
      who: known.random.pick(['resident', 'mobile'] as const)!,
      address: `/api/incidents/${id}/verify`,
      json: { fixed: known.random.number() < 0.5, body: known.marker },
    })),
  },
  merge: {
    weight: 2,
    make: onIncident((known, id) => ({
      who: 'manager',
      address: `/api/incidents/${id}/merge`,
      json: { targetId: recentIncident(known) },
      marker: null,
    })),
  },
  unmerge: {
    weight: 1,
    make: onIncident((_known, id) => ({
      who: 'manager',
      address: `/api/incidents/${id}/unmerge`,
      json: {},
      marker: null,
    })),
  },
  follow: {
    weight: 1,
    make: onIncident((_known, id) => ({
      who: 'resident',
      address: `/api/incidents/${id}/follow`,
      json: {},
      marker: null,
    })),
  },
  correction: {
    weight: 3,
    make: onIncident((known, id) => ({
      who: 'manager',
      method: 'PATCH',
      address: `/api/incidents/${id}`,
      json: {
        statusReason: known.marker,
        ...(known.random.number() < 0.5
          ? { severity: known.random.pick(severities) }
          : { assetId: asset(known) }),
      },
    })),
  },
  cost: {
    weight: 1,
    make: onIncident((known, id) => ({
      who: 'manager',
      address: `/api/incidents/${id}/costs`,
      json: { amountCents: 1_000, note: known.marker },
      again: true,
    })),
  },
  maintenance: {
    weight: 1,
    make: (known) => {
      const start = Date.now() + (known.random.number() < 0.3 ? -3_600_000 : 86_400_000)
      const at = (ms: number) => new Date(ms).toISOString()
      return {
        who: 'manager',
        address: '/api/admin/maintenance',
        json: {
          assetId: asset(known),
          title: known.marker,
          startsAt: at(start),
          endsAt: at(start + 8 * 3_600_000),
        },
        again: true,
      }
    },
  },
  settings: {
    weight: 1,
    make: ({ marker }) => ({
      who: 'admin',
      method: 'PATCH',
      address: '/api/admin/property',
      json: { address: marker },
    }),
  },
  sweep: {
    weight: 1,
    make: () => ({ who: 'cron', address: '/api/cron/sweep', json: {}, marker: null }),
  },
}

const weightedActs = Object.entries(acts).flatMap(([act, { weight }]) => Array<string>(weight).fill(act))

/** The next write of a client. Before there are incidents it reports one. */
export function nextWrite(known: Known): Wanted {
  const act = known.incidents.length === 0 ? 'report' : known.random.pick(weightedActs)!
  const { marker = known.marker, ...made } = acts[act]!.make(known)
  return { act, who: 'resident', method: 'POST', incident: null, photos: [], again: false, marker, ...made }
}

/** A write as `fetch` sends it. */
export function asRequest(
  { who, method, json, photos }: Wanted,
  cookies: Record<string, string>,
  key: string | null,
): RequestInit {
  const bearer = who === 'mobile' ? keys.MOBILE_API_KEY : who === 'cron' ? keys.CRON_SECRET : null
  const fields = Object.entries(json).filter(([, value]) => value !== undefined)
  return {
    method,
    headers: {
      accept: 'application/json',
      ...(bearer ? { authorization: `Bearer ${bearer}` } : { cookie: cookies[who]! }),
      ...(key ? { 'idempotency-key': key } : {}),
      ...(photos.length > 0 ? {} : { 'content-type': 'application/json' }),
    },
    body:
      photos.length > 0
        ? multipart(
            Object.fromEntries(fields.map(([name, value]) => [name, String(value)])),
            photos.map((bytes) => ({ bytes })),
          )
        : JSON.stringify(json),
  }
}
