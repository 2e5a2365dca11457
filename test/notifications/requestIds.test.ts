import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fanOutEvents } from '../../src/notifications/fanOut.js'
import { fanOutAssetNews } from '../../src/notifications/fanOutAssetNews.js'
import { query } from '../../src/platform/db/database.js'
import { log } from '../../src/platform/process/log.js'
import { announceStatus } from '../../src/status/announceStatus.js'
import { emailFollower } from '../support/email/emailFollowers.js'
import { emptyOutbox } from '../support/email/messages.js'
import { useHouse } from '../support/house/house.js'
import { messageSender } from '../support/sending.js'
import { subscribe } from '../support/webhooks/deliveries.js'

let noras = 0
const house = useHouse()
beforeEach(async () => {
  await query('delete from webhook_subscriptions')
  for (const table of tables) await query(`delete from ${table}`)
})

/** Each way to write something that is told to somebody. */
const writes: (() => Promise<Response>)[] = [
  // A report is one statement.
  () => house.ask('resident', '/api/incidents', { json: { title: 'Dark', assetId: 1, severity: 'low' } }),
  () => house.ask('manager', '/api/incidents/1/updates', { json: { body: 'We look.', newStatus: null } }),
  () => {
    const json = { name: 'Nora New', email: `nora${++noras}@example.com`, role: 'resident' }
    return house.ask('admin', '/api/admin/users', { json })
  },
]

describe('the id of a request', () => {
  it.each(writes)('goes with a write (%#) to everything that is sent of it', async (write) => {
    await subscribe('https://receiver.example/hook')
    const answer = await write()
    expect(answer.status).toBeLessThan(300)
    const id = answer.headers.get('x-request-id')
    await fanOutEvents(query)
    const found = (await Promise.all(tables.map(requestsIn))).flat()
    expect(found.length).toBeGreaterThan(0)
    expect(new Set(found)).toEqual(new Set([id]))
    const entries = await query('select 1 from audit_entries where request_id = $1', [id])
    expect(entries.length).toBeGreaterThan(0)
  })

  it('goes with the news of an asset, which several requests may have made: that of the first', async () => {
    const { id: assetId } = await house.json('admin', '/api/admin/assets', {
      json: { towerId: 1, name: 'Goods hoist', category: 'Hoist' },
    })
    await emailFollower('hoist@outside.test', [`asset:${assetId}`])
    for (const table of tables) await query(`delete from ${table}`)
    const report = await house.ask('resident', '/api/incidents', {
      json: { title: 'Stuck', assetId, severity: 'critical' },
    })
    const { id } = (await report.json()) as { id: number }
    const first = report.headers.get('x-request-id')!
    await announceStatus(new Set([assetId]), first)
    await fanOutEvents(query)
    await house.json('manager', `/api/incidents/${id}`, {
      method: 'PATCH',
      json: { expectedBackAt: new Date(Date.now() + 3_600_000).toISOString() },
    })
    expect(new Set(await requestsIn('email_events')).size).toBe(2)
    await fanOutAssetNews(100)
    expect(await query(`select request_id as id from outbox where event = 'asset.news'`)).toEqual([
      { id: first },
    ])
  })

  it('is in the line of the delivery, with no word of who it is for', async () => {
    const info = vi.spyOn(log, 'info').mockImplementation(() => {})
    const answer = await writes[0]!()
    const deliver = async () => ({ as: 'sent' as const })
    await messageSender({ mail: deliver, push: deliver }).drain()
    const lines = info.mock.calls
      .filter(([, words]) => words === 'delivery')
      .map(([facts]) => facts as object)
    info.mockRestore()
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) {
      expect(line).toMatchObject({
        requestId: answer.headers.get('x-request-id'),
        kind: 'mail',
        result: 'sent',
      })
      expect(JSON.stringify(line)).not.toContain('@')
    }
  })

  it('is none for what nobody asked for, also after a request on the same connection', async () => {
    await writes[0]!()
    await emptyOutbox()
    await query(`insert into outbox (kind, event) values ('mail', 'test')`)
    expect(await requestsIn('outbox')).toEqual([null])
  })
})

const tables = ['outbox', 'webhook_deliveries', 'email_events']

const requestsIn = async (table: string) =>
  (await query(`select distinct request_id as id from ${table}`)).map(({ id }) => id)
