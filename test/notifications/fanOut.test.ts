import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fanOut, fanOutEvents } from '../../src/notifications/fanOut.js'
import { change } from '../../src/platform/db/change.js'
import { query } from '../../src/platform/db/database.js'
import { fanOutHook, idle, startOutbox, stopOutbox, wake } from '../../src/platform/outbox/outbox.js'
import { log } from '../../src/platform/process/log.js'
import { systemActor } from '../../src/vocabulary/people/actor.js'
import { asOwner } from '../support/database.js'
import { emptyOutbox } from '../support/email/messages.js'
import { useHouse } from '../support/house/house.js'
import { queryAfterFanOut } from '../support/sending.js'
import { deleteSubscriptions } from '../support/webhooks/subscriptions.js'

const house = useHouse()
const { board } = house

beforeEach(async () => {
  await emptyOutbox()
  await deleteSubscriptions()
  await house.subscription({ events: ['incident.status_changed'] })
})

describe('events', () => {
  it('are handed on once and in their order, however many processes do it', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, () => house.report()))
    await changeStatus(ids, 90)
    await Promise.all(Array.from({ length: 4 }, () => fanOutEvents(query)))
    const titles = Array.from({ length: 90 }, (_, n) => String(n + 1))
    expect(await delivered()).toEqual(ids.sort((a, b) => a - b).map((id) => ({ id, titles })))
    const emails = await query('select from outbox')
    expect(emails).toHaveLength(270)
    expect(await query('select from events')).toEqual([])
  })

  it('are handed on by this version while a later one has given their table a column', async () => {
    await asOwner('alter table events add column later_fact text', house.url())
    await changeStatus([await house.report()], 1)
    await fanOutEvents(query)
    expect(await query('select from events')).toEqual([])
    await asOwner('alter table events drop column later_fact', house.url())
  })

  it('that wait are counted in the metrics, with their age', async () => {
    await changeStatus([await house.report()], 1)
    await query(`update events set created_at = now() - interval '1 hour'`)
    const metrics = await (await house.ask('monitor', '/metrics')).text()
    expect(metrics).toContain('caretaker_outbox_waiting{kind="event"} 1\n')
    expect(metrics).toMatch(/^caretaker_outbox_oldest_seconds\{kind="event"\} 36\d\d/m)
  })

  it('are told to those who followed when they happened, and to no one who began later', async () => {
    const id = await house.report()
    await changeStatus([id], 1)
    await board.follows(id, { at: new Date(Date.now() + 1_000) })
    const notified = await queryAfterFanOut<{ email: string }>(
      'select u.email from outbox o join users u on u.id = o.recipient_id',
    )
    expect(notified.map(({ email }) => email)).toEqual(['resident@example.com'])
  })
})

describe('a process that cannot hand events on', () => {
  it('says so, and still sends what waits', async () => {
    const error = vi.spyOn(log, 'error').mockImplementation(() => {})
    fanOutHook.register(async () => {
      throw new Error('broken')
    })
    let sent = 0
    const sender = { name: 'test', drain: async () => void sent++ }
    startOutbox([sender], async () => {}, { watch: false })
    wake()
    await idle()
    wake()
    await idle()
    await stopOutbox()
    fanOutHook.register(fanOut)
    expect(sent).toBe(2)
    expect(error.mock.calls.map(([facts, words]) => [(facts as { name: string }).name, words])).toEqual([
      ['events', 'outbox'],
      ['events', 'outbox'],
    ])
    error.mockRestore()
  })
})

/** Events of these reports, `times` of each in turn; the title that they carry counts. */
async function changeStatus(ids: readonly number[], times: number): Promise<void> {
  const common = { severity: 'low', status: 'open', slaBreached: false, source: 'web', assetId: 1 }
  await change(systemActor('cli'), async (c) => {
    c.audit('property.updated', 1)
    for (let n = 1; n <= times; n++)
      for (const id of ids)
        c.emit({ event: 'incident.status_changed', incident: { ...common, id, title: String(n) } })
  })
}

const delivered = () =>
  query<{ id: number; titles: string[] }>(
    `select (body::json #>> '{incident,id}')::integer as id,
       array_agg(body::json #>> '{incident,title}' order by id) as titles
     from webhook_deliveries group by 1 order by 1`,
  )
