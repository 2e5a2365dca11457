import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/platform/db/database.js'
import { idle, startOutbox, stopOutbox } from '../../src/platform/outbox/outbox.js'
import { announceStatus } from '../../src/status/announceStatus.js'
import type { Status } from '../../src/vocabulary/lifecycle.js'
import type { Severity } from '../../src/vocabulary/severity.js'
import { HOUR, WEEK, wallAt } from '../../src/vocabulary/time/calendar.js'
import type { Who } from '../support/house/asking.js'
import { useHouse } from '../support/house/house.js'
import { ageReports } from '../support/house/timePassing.js'
import { writeEndpoints } from '../support/routes/endpoints.js'
import { scalar } from '../support/rows.js'
import { queryAfterFanOut } from '../support/sending.js'

const house = useHouse()

beforeAll(async () => {
  await house.subscription({ events: ['asset.status_changed'] })
  startOutbox([], async (assets) => void (await announceStatus(assets)), { watch: false })
})
afterAll(stopOutbox)

describe('every write that changes what an asset shows', () => {
  it('is in the list, or is known to change nothing', () => {
    const concerned = /^\w+ \/(incidents|admin\/(assets|maintenance|property|assign|acknowledge)|cron\/sweep)/
    const keys = [
      ...new Set(writeEndpoints.map(({ method, path }) => `${method} ${path.replace(/^\/api/, '')}`)),
    ]
    const changing = changingWrites()
    const unknown = keys
      .filter((key) => concerned.test(key))
      .filter((key) => !changing[key] && !sameAs[key] && !harmless.some((known) => known.test(key)))
    expect(unknown).toEqual([])
    expect(Object.keys(changing).filter((key) => !keys.includes(key))).toEqual([])
  })

  it.each(Object.entries(changingWrites()))(
    '%s: announces it once, as at the write',
    async (_key, prepare) => {
      const asset = await house.lift()
      const { status, who = 'manager', path, method = 'POST', json } = await prepare(asset)
      await idle()
      await announceStatus(null)
      const newest = await scalar<number>('select coalesce(max(id), 0) as id from audit_entries')
      const [last] = await queryAfterFanOut<{ id: number }>(
        'select coalesce(max(id), 0) as id from webhook_deliveries',
      )
      const answer = await house.ask(who, `/api${path}`, { method, ...(json ? { json } : {}) })
      expect(answer.ok, await answer.clone().text()).toBe(true)
      await idle()
      await Promise.all([announceStatus(null), announceStatus(null)])
      const announcements = await queryAfterFanOut<{ status: string; at: string }>(
        `select body::json -> 'asset' ->> 'status' as status, body::json ->> 'occurredAt' as at
       from webhook_deliveries where id > $1 and body::json -> 'asset' ->> 'id' = $2::text order by id`,
        [last!.id, asset],
      )
      const [write] = await query<{ at: Date }>(
        `select at from audit_entries where id > $1 and entity <> 'user' and action <> 'asset.status_changed'
       order by id limit 1`,
        [newest],
      )
      expect(announcements).toEqual([{ status, at: write!.at.toISOString() }])
    },
  )
})

/**
 * Every write that can change a live status, by its address, with a use that does so to this asset.
 */
function changingWrites(): Record<string, (asset: number) => Promise<Write>> {
  return {
    'POST /incidents': async (asset) => {
      const json = { assetId: asset, title: 'Dark', severity: 'critical' }
      return { status: 'down', who: 'resident', path: '/incidents', json }
    },
    'POST /incidents/:id/updates': async (asset) => {
      const path = `/incidents/${await faultOn(asset, 'critical', 'acknowledged')}/updates`
      return { status: 'operational', path, json: { body: 'x', newStatus: 'resolved' } }
    },
    'POST /incidents/:id/verify': async (asset) => {
      const id = await faultOn(asset, 'critical', 'resolved')
      const json = { fixed: false, body: 'x' }
      return { status: 'down', who: 'resident', path: `/incidents/${id}/verify`, json }
    },
    'POST /incidents/:id/fixed': async (asset) => {
      const path = `/incidents/${await faultOn(asset, 'critical', 'in_progress')}/fixed`
      return { status: 'operational', path, json: {} }
    },
    'POST /incidents/:id/reopen': async (asset) => {
      const path = `/incidents/${await faultOn(asset, 'critical', 'resolved')}/reopen`
      return { status: 'down', path, json: {} }
    },
    'POST /incidents/:id/merge': async (asset) => {
      const json = { targetId: await faultOn(await house.lift(), 'low') }
      return { status: 'operational', path: `/incidents/${await faultOn(asset)}/merge`, json }
    },
    'POST /incidents/:id/duplicates': async (asset) => {
      const path = `/incidents/${await faultOn(await house.lift(), 'low')}/duplicates`
      return { status: 'operational', path, json: { duplicateIds: [await faultOn(asset)] } }
    },
    'POST /incidents/:id/unmerge': async (asset) => {
      const id = await faultOn(asset)
      const json = { targetId: await faultOn(await house.lift(), 'low') }
      await house.json('manager', `/api/incidents/${id}/merge`, { json })
      return { status: 'down', path: `/incidents/${id}/unmerge`, json: {} }
    },
    'POST /incidents/:id/dismiss': async (asset) => ({
      status: 'operational',
      path: `/incidents/${await faultOn(asset)}/dismiss`,
      json: {},
    }),
    'POST /incidents/:id/reinstate': async (asset) => {
      const id = await faultOn(asset)
      // What no one was notified of before it was taken back is announced as it was.
      await idle()
      await announceStatus(null)
      await house.json('manager', `/api/incidents/${id}/dismiss`, { json: {} })
      return { status: 'down', path: `/incidents/${id}/reinstate`, json: {} }
    },
    'PATCH /incidents/:id': async (asset) => {
      const path = `/incidents/${await faultOn(asset, 'medium')}`
      return { status: 'down', path, method: 'PATCH', json: { isDowntime: true } }
    },
    'POST /cron/sweep': async (asset) => {
      const id = await faultOn(asset, 'low')
      await ageReports(id, 400)
      return { status: 'degraded', who: 'cron', path: '/cron/sweep', json: {} }
    },
    'POST /admin/place': async (asset) => {
      const json = { from: 'a@x.example', subject: `Smell ${asset}`, text: 'x' }
      const { incidentId } = await house.json('inbound', '/api/inbound-email', { json })
      return { status: 'degraded', path: '/admin/place', json: { ids: [incidentId], assetId: asset } }
    },
    'POST /admin/maintenance': async (asset) => ({
      status: 'maintenance',
      path: '/admin/maintenance',
      json: work(asset),
    }),
    'PATCH /admin/maintenance/:id': async (asset) => {
      const path = `/admin/maintenance/${await plan(asset)}`
      return { status: 'operational', path, method: 'PATCH', json: { endsAt: iso(-HOUR / 2) } }
    },
    'DELETE /admin/maintenance/:id': async (asset) => ({
      status: 'operational',
      path: `/admin/maintenance/${await plan(asset)}`,
      method: 'DELETE',
    }),
    'POST /admin/maintenance/:id/undelete': async (asset) => {
      const path = `/admin/maintenance/${await plan(asset)}`
      await house.ask('manager', `/api${path}`, { method: 'DELETE' })
      return { status: 'maintenance', path: `${path}/undelete`, json: {} }
    },
    'POST /admin/assets/:id/unarchive': async (asset) => {
      await plan(asset, -HOUR / 60, HOUR)
      await idle()
      await query(`update assets set announced_status = 'operational' where id = $1`, [asset])
      await house.json('manager', `/api/admin/assets/${asset}/archive`, { json: {} })
      return { status: 'maintenance', path: `/admin/assets/${asset}/unarchive`, json: {} }
    },
    'PATCH /admin/property': async (asset) => {
      // Weekly since before its clocks were changed: now in progress by UTC, and an hour
      // away by the time of Chicago.
      const zone = 'America/Chicago'
      await house.json('admin', '/api/admin/property', { method: 'PATCH', json: { timezone: zone } })
      const since = beforeClockChange(zone)
      await plan(asset, -since - HOUR / 2, -since + HOUR / 2, 'weekly')
      const json = { timezone: 'UTC' }
      return { status: 'maintenance', who: 'admin', path: '/admin/property', method: 'PATCH', json }
    },
  }
}

const iso = (fromNow: number) => new Date(Date.now() + fromNow).toISOString()

const faultOn = (assetId: number, severity: Severity = 'critical', status: Status = 'open') =>
  house.report({ assetId, title: 'Dark', severity, status })

const work = (assetId: number, from = -HOUR, to = HOUR, recurrence = 'none') => ({
  assetId,
  title: 'Work',
  startsAt: iso(from),
  endsAt: iso(to),
  recurrence,
})

/** Whole weeks, in ms, until before the last change of a zone's clocks, and one week more. */
function beforeClockChange(zone: string): number {
  const offset = (ago: number) => wallAt(zone, Date.now() - ago) - (Date.now() - ago)
  const isAsNow = (weeks: number) => Math.abs(offset(weeks * WEEK) - offset(0)) < HOUR / 4
  let weeks = 1
  while (isAsNow(weeks)) weeks += 1
  return (weeks + 1) * WEEK
}

const plan = async (...given: Parameters<typeof work>): Promise<number> =>
  (await house.json('manager', '/api/admin/maintenance', { json: work(...given) })).id

/** A write that makes an asset look different: sent when everything before was announced. */
type Write = { status: string; who?: Who; path: string; method?: string; json?: object }

/**
 * Forms and JSON of one act are one route; these addresses share the act of
 * another, or concern no status.
 */
const sameAs: Record<string, string> = {
  'POST /incidents/:id/edit': 'PATCH /incidents/:id',
  'POST /admin/maintenance/:id': 'PATCH /admin/maintenance/:id',
  'POST /admin/maintenance/:id/delete': 'DELETE /admin/maintenance/:id',
  'POST /admin/property': 'PATCH /admin/property',
}

/** What touches incidents, assets and planned work, and yet never what an asset shows at once. */
const harmless = [
  // What has begun stays; what is to come shows when it begins.
  /^POST \/admin\/maintenance\/:id\/(skip|move|restore|end)$/,
  /\/preview$/,
  /^POST \/incidents\/:id\/(notes|costs|costs\/:costId\/(void|restore)|follow|unfollow|updates\/template|hide|restore)$/,
  /^DELETE \/incidents\/:id\/(follow|costs\/:costId)$/,
  // New, without a fault yet; renamed; deleted only without a history; away,
  // it is announced no more.
  /^(POST|PATCH|DELETE) \/admin\/assets(\/:id(\/(delete|undelete|archive))?)?$/,
  /^POST \/admin\/(acknowledge|assign)$/,
  // Before the repair, and after it.
  /^POST \/incidents\/:id\/(acknowledge|start|confirm|undo|read)$/,
]
