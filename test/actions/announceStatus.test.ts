import { describe, expect, it } from 'vitest'
import { announceStatus } from '../../src/actions/status/announceStatus.js'
import { query } from '../../src/database.js'
import { idle, startOutbox, stopOutbox } from '../../src/outbox.js'
import { useApp } from '../support/app.js'
import { impactsByFields } from '../support/impacts.js'

const app = useApp()
const told = () =>
  query<{ asset: number; status: string }>(
    `select (body::json -> 'asset' ->> 'id')::int as asset, body::json -> 'asset' ->> 'status' as status
     from webhook_deliveries where event = 'asset.status_changed' order by id`,
  )

describe('asset.status_changed', () => {
  it('has nothing to say of the demo building as it was filled', async () => {
    await query(
      `insert into webhook_subscriptions (url, secret, events) values ('http://127.0.0.1:1/', 's', '{asset.status_changed}')`,
    )
    expect(await announceStatus(null)).toBe(0)
  })

  it('is said once, however many look at the same time', async () => {
    await query(
      `insert into incidents (title, severity, source, asset_id, is_downtime) values ('Down', 'high', 'web', 2, true)`,
    )
    await impactsByFields()
    const looks = await Promise.all(Array.from({ length: 12 }, () => announceStatus(new Set([2]))))
    expect(looks.length).toBe(12)
    expect(await told()).toEqual([{ asset: 2, status: 'down' }])
    const [body] = await query<{ body: string }>(
      `select body from webhook_deliveries where event = 'asset.status_changed'`,
    )
    expect(JSON.parse(body!.body)).toEqual({
      event: 'asset.status_changed',
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      property: { id: 1, name: 'Larkspur Court' },
      asset: { id: 2, name: expect.any(String), category: 'Lift', status: 'down' },
    })
    await query(
      `update incidents set status = 'resolved', acknowledged_at = now(), resolved_at = now() where title = 'Down'`,
    )
    await impactsByFields()
    await announceStatus(null)
    expect((await told()).at(-1)).toEqual({ asset: 2, status: 'operational' })
  })

  it('follows a report and its resolution by itself', async () => {
    startOutbox([], async (assets) => void (await announceStatus(assets)))
    const before = (await told()).length
    const { id } = await app.json('resident', '/api/incidents', {
      json: { assetId: 3, title: 'x', severity: 'critical' },
    })
    await idle()
    await app.json('manager', `/api/incidents/${id}/updates`, { json: { body: 'x', newStatus: 'resolved' } })
    await idle()
    await stopOutbox()
    expect((await told()).slice(before)).toEqual([
      { asset: 3, status: 'down' },
      { asset: 3, status: 'operational' },
    ])
  })

  it('comes when a window begins or ends, which no write tells', async () => {
    const before = (await told()).length
    await query(
      `insert into maintenance_windows (asset_id, title, starts_at, ends_at) values (5, 'Now', now() - interval '1 second', now() + interval '1 hour')`,
    )
    expect(await announceStatus(null)).toBe(1)
    await query(`update maintenance_windows set ends_at = now() where title = 'Now'`)
    expect(await announceStatus(null)).toBe(1)
    expect((await told()).slice(before).map(({ status }) => status)).toEqual(['maintenance', 'operational'])
  })

  it('does not make the status page look changed', async () => {
    await query(
      `insert into maintenance_windows (asset_id, title, starts_at, ends_at) values (6, 'Quiet', now() - interval '1 second', now() + interval '1 hour')`,
    )
    const etag = (await app.ask('guest', '/api/status')).headers.get('etag')!
    await announceStatus(null)
    expect((await app.ask('guest', '/api/status', { headers: { 'if-none-match': etag } })).status).toBe(304)
  })
})
