import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitingToLeave } from '../../../src/app/waitingDeliveries.js'
import { sendDigest } from '../../../src/notifications/digest/sendDigest.js'
import { pauseSending, resumeSending } from '../../../src/notifications/pauseSending.js'
import { query } from '../../../src/platform/db/database.js'
import { sendingPaused } from '../../../src/platform/outbox/sendingPaused.js'
import type { OutboxMessage } from '../../../src/vocabulary/email/delivery.js'
import { systemActor } from '../../../src/vocabulary/people/actor.js'
import { webhookSender } from '../../../src/webhooks/sending/sendWebhooks.js'
import { useHouse } from '../../support/house/house.js'
import { column, insertRow, scalar } from '../../support/rows.js'
import { messageSender, queryAfterFanOut } from '../../support/sending.js'
import { bodies, deliver } from '../../support/webhooks/deliveries.js'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.js'
import { onThisMachine } from '../../support/webhooks/sending.js'
import { subscribe } from '../../support/webhooks/subscriptions.js'

const house = useHouse()
const actor = systemActor('cli')
let receiver: Receiver
let subscription: number
beforeAll(async () => {
  receiver = await startReceiver()
  subscription = await subscribe(receiver.url('/ok'))
})
afterAll(() => receiver.stop())
beforeEach(startAfresh)

describe('a building that sends nothing', () => {
  it.each(['restored', 'moved', 'by_hand'] as const)(
    '(%s) lets no email, push or webhook leave',
    async (why) => {
      await pauseSending(actor, why)
      await leave('mail', 'a')
      await leave('push', 'b')
      await deliver(subscription, bodies(3))
      await house.json('resident', '/api/incidents', {
        json: { assetId: 1, title: 'Stuck', severity: 'high' },
      })
      const { recipients, delivered } = await sendDigest(actor)
      expect([recipients > 0, delivered]).toEqual([true, 0])
      expect(await leaving()).toEqual([])
      expect(await queryAfterFanOut('select from outbox where attempts > 0 or sent_at is not null')).toEqual(
        [],
      )
    },
  )

  it.each(['mail', 'push'] as const)('lets no %s leave that was taken up and not begun', async (kind) => {
    for (const event of ['a', 'b', 'c']) await leave(kind, event)
    const sent: string[] = []
    const take = async ({ event }: OutboxMessage) => {
      sent.push(event)
      expect(await waitingToLeave()).toMatchObject({
        underWay: 3,
        [kind === 'mail' ? 'emails' : 'pushes']: 3,
      })
      await pauseSending(actor, 'by_hand')
      return { as: 'sent' } as const
    }
    await messageSender({ mail: take, push: take }).drain()
    expect(sent).toEqual(['a'])
    expect(await queryAfterFanOut('select from outbox where attempts > 0 and sent_at is null')).toEqual([])
    expect(await waitingToLeave()).toMatchObject({ underWay: 0 })
    await resumeSending(actor, { all: true })
    expect(await leaving()).toEqual([`${kind} b`, `${kind} c`])
  })

  it('says so to the office and to no one else', async () => {
    expect((await house.json('manager', '/api/admin')).sendingPaused).toBeNull()
    expect((await house.page('manager', '/admin'))('.warning').length).toBe(0)
    await pauseSending(actor, 'restored')
    await pauseSending(actor, 'by_hand')
    expect((await house.json('manager', '/api/admin')).sendingPaused).toMatchObject({ why: 'restored' })
    expect((await house.page('manager', '/admin'))('.warning').text()).toMatch(
      /copy was restored from a backup/,
    )
    expect(await house.json('manager', '/readyz')).toMatchObject({ sending: 'paused: restored' })
    expect(await house.json('guest', '/readyz')).not.toHaveProperty('sending')
    expect(await house.json('resident', '/readyz')).not.toHaveProperty('sending')
  })

  it.each(['restored', 'by_hand'] as const)('(%s) says from its move on that it moved', async (why) => {
    await pauseSending(actor, why)
    await pauseSending(actor, 'moved')
    expect(await sendingPaused()).toMatchObject({ why: 'moved' })
    const changes = await scalar<object>(
      `select changes from audit_entries where action = 'property.sending_paused' order by id desc limit 1`,
    )
    expect(changes).toEqual({ why: { before: why, after: 'moved' } })
    await pauseSending(actor, why)
    expect(await sendingPaused()).toMatchObject({ why: 'moved' })
  })

  it('is told once that it is the one to send: fresh emails leave, and nothing the original may have told machines', async () => {
    await pauseSending(actor, 'restored')
    await leave('mail', 'fresh', 23)
    await leave('mail', 'stale', 25)
    await leave('push', 'push')
    await deliver(subscription, bodies(2))
    await insertRow('events', {
      event: 'incident.created',
      incident_id: 1,
      fact: '{"id": 1}',
      details: '{"quiet": true}',
      occurred_at: new Date(),
      created_at: new Date(),
    })
    expect(await resumeSending(actor)).toEqual({ emails: 1, pushes: 1, webhooks: 3 })
    expect(await resumeSending(actor)).toBeNull()
    expect(await leaving()).toEqual(['mail fresh'])
    expect(await entries()).toEqual(['property.sending_resumed', 'property.sending_paused'])
    expect((await house.json('manager', '/api/admin/deliveries')) as unknown[]).toEqual([])
    const [fresh] = await deliver(subscription, bodies(1))
    await leave('push', 'new')
    expect(await leaving()).toEqual(['push new', `webhook ${fresh}`])
  })

  it('sends all that waited where the original never will', async () => {
    await pauseSending(actor, 'restored')
    await leave('mail', 'stale', 25)
    await leave('push', 'push')
    const [waiting] = await deliver(subscription, bodies(1))
    expect(await resumeSending(actor, { all: true })).toEqual({ emails: 0, pushes: 0, webhooks: 0 })
    expect(await leaving()).toEqual(['mail stale', 'push push', `webhook ${waiting}`])
  })
})

/**
 * Sends everything that may leave; resolves to what left: the kind of each email and
 * push, and each webhook's id.
 */
async function leaving(): Promise<string[]> {
  const sent: string[] = []
  const take = async ({ kind, event }: OutboxMessage) => {
    sent.push(`${kind} ${event}`)
    return { as: 'sent' } as const
  }
  const messages = messageSender({ mail: take, push: take })
  const webhooks = webhookSender({ policy: onThisMachine })
  await Promise.all([messages.drain(), webhooks.drain()])
  return [...sent, ...receiver.received.map(({ id }) => `webhook ${id}`)].sort()
}

/** Leaves a message that was queued so many hours ago. */
async function leave(kind: string, event: string, hours = 0): Promise<void> {
  const createdAt = new Date(Date.now() - hours * 3_600_000)
  await insertRow('outbox', { kind, event, recipient_id: 1, created_at: createdAt })
}

/** The building sends, nothing waits, and nothing has arrived. */
async function startAfresh(): Promise<void> {
  await resumeSending(actor)
  for (const table of ['events', 'outbox', 'webhook_deliveries', 'email_events'])
    await query(`delete from ${table}`)
  receiver.received.length = 0
}

/** The last two acts that paused or resumed sending, the newest first. */
function entries() {
  return column<string>(
    `select action from audit_entries where action like 'property.sending%' order by id desc limit 2`,
  )
}
