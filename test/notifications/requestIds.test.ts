import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fanOutEvents } from '../../src/notifications/fanOut.js'
import { fanOutAssetNews } from '../../src/notifications/fanOutAssetNews.js'
import { query } from '../../src/platform/db/database.js'
import { log } from '../../src/platform/process/log.js'
import { announceStatus } from '../../src/status/announceStatus.js'
import { emailFollower } from '../support/email/emailFollowers.js'
import { emptyOutbox } from '../support/email/messages.js'
import { leaveMessages } from '../support/email/outboxRows.js'
import { useHouse } from '../support/house/house.js'
import { messageSender } from '../support/sending.js'
import { deleteSubscriptions, subscribe } from '../support/webhooks/subscriptions.js'

const house = useHouse()
const tables = ['outbox', 'webhook_deliveries', 'email_events']
beforeEach(async () => {
  await deleteSubscriptions()
  await emptyTables()
})

describe('the id of a request', () => {
  it.each([
    ['a report, which is one statement', reportDark],
    ['an update', writeUpdate],
    ['an account', addAccount],
  ])('goes with %s to everything that is sent of it', async (_what, write) => {
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
    const assetId = await house.lift('Goods hoist')
    await emailFollower('hoist@outside.test', [`asset:${assetId}`])
    await emptyTables()
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
    const answer = await reportDark()
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
    await reportDark()
    await emptyOutbox()
    await leaveMessages()
    expect(await requestsIn('outbox')).toEqual([null])
  })
})

const requestsIn = async (table: string) =>
  (await query(`select distinct request_id as id from ${table}`)).map(({ id }) => id)

const reportDark = () =>
  house.ask('resident', '/api/incidents', { json: { title: 'Dark', assetId: 1, severity: 'low' } })

const writeUpdate = () => house.ask('manager', '/api/incidents/1/updates', { json: { body: 'We look.' } })

function addAccount(): Promise<Response> {
  const json = { name: 'Nora New', email: `nora${Date.now()}@example.com`, role: 'resident' }
  return house.ask('admin', '/api/admin/users', { json })
}

async function emptyTables(): Promise<void> {
  for (const table of tables) await query(`delete from ${table}`)
}
