import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { waitingDeliveries } from '../../src/app/waitingDeliveries.js'
import { retryMessage } from '../../src/notifications/deliveryProblems/retryMessage.js'
import { query } from '../../src/platform/db/database.js'
import { failingMessages } from '../../src/platform/outbox/failingMessages.js'
import { log } from '../../src/platform/process/log.js'
import {
  type Deliver,
  type DeliveryOutcome,
  nextAttempt,
  type OutboxMessage,
} from '../../src/vocabulary/email/delivery.js'
import { systemActor } from '../../src/vocabulary/people/actor.js'
import { useDatabase } from '../support/database.js'
import { emptyOutbox } from '../support/email/messages.js'
import { leaveMessages, makeDue, setLastMessage } from '../support/email/outboxRows.js'
import { column } from '../support/rows.js'
import { eventually } from '../support/run/eventually.js'
import { messageSender } from '../support/sending.js'

useDatabase()
afterEach(emptyOutbox)

describe('a message', () => {
  it('is delivered with all that is known of it, and is done', async () => {
    const [id] = await leaveMessages({ recipientId: 1 })
    const { rows, both } = deliveries()
    await messageSender(both).drain()
    expect(rows).toMatchObject([
      { id, kind: 'mail', event: 'test', recipientId: 1, incidentId: null, payload: { n: 1 }, attempts: 1 },
    ])
    expect(rows[0]!.createdAt).toBeInstanceOf(Date)
    expect(await row(id!)).toMatchObject({ sent: true, failed: false, error: null })
    await messageSender(both).drain()
    expect(rows.length).toBe(1)
  })

  it.each([
    [
      'with nobody left to tell is done, with a note',
      'dropped',
      { sent: true, error: 'dropped: not wanted' },
    ],
    [
      'that can never arrive has failed at once',
      'failed',
      { sent: false, failed: true, error: 'not wanted' },
    ],
  ] as const)('%s', async (_what, as, left) => {
    const [id] = await leaveMessages()
    await messageSender(deliveries(() => ({ as, why: 'not wanted' })).both).drain()
    expect(await row(id!)).toMatchObject({ attempts: 1, ...left })
  })

  it('is tried again after growing pauses, then given up', async () => {
    const [id] = await leaveMessages()
    const { both } = deliveries(() => ({ as: 'retry', why: 'smtp 451' }))
    for (const wait of [60, 300, 1_800, 7_200, 28_800]) {
      await messageSender(both).drain()
      const left = { sent: false, failed: false, error: 'smtp 451', wait: about(wait) }
      expect(await row(id!)).toMatchObject(left)
      await messageSender(both).drain()
      await makeDue()
    }
    await messageSender(both).drain()
    expect(await row(id!)).toMatchObject({ attempts: 6, sent: false, failed: true, error: 'smtp 451' })
  })

  it('that cannot be made is tried again like any other, and takes no other with it', async () => {
    const ids = await leaveMessages({ count: 3 })
    const { both } = deliveries(({ payload }) => {
      if (payload.n === 2) throw new Error('a secret of somebody')
      return { as: 'sent' }
    })
    await messageSender(both).drain()
    expect(await Promise.all(ids.map(row))).toMatchObject([
      { sent: true },
      { sent: false, failed: false, error: 'internal error', wait: about(60) },
      { sent: true },
    ])
  })

  it('waits as long as the other side asks, within bounds, and never less than we would', () => {
    expect(nextAttempt(1, 90)).toBe(90)
    expect(nextAttempt(1, 5)).toBe(60)
    expect(nextAttempt(1, 1e9)).toBe(3_600)
    expect(nextAttempt(4, 90)).toBe(7_200)
    expect(nextAttempt(6, 90)).toBeNull()
  })
})

describe('a process that dies', () => {
  it('holds its message only for the time of the lease', async () => {
    const [id] = await leaveMessages()
    let ended: (outcome: DeliveryOutcome) => void = () => {}
    const first = deliveries(() => new Promise((resolve) => (ended = resolve)))
    const dying = messageSender(first.both, { lease: 120 }).drain()
    await until(() => first.rows.length === 1)
    expect(await row(id!)).toMatchObject({ sent: false, wait: about(120) })

    const second = deliveries()
    await messageSender(second.both).drain()
    expect(second.rows.length).toBe(0)
    await makeDue()
    await messageSender(second.both).drain()
    expect(second.rows).toMatchObject([{ id, attempts: 2 }])

    ended({ as: 'retry', why: 'late' })
    await dying
    expect(await row(id!)).toMatchObject({ sent: true, failed: false, error: null })
  })

  it('holds those that wait for their turn for a quarter of a minute, and those it sends for a minute', async () => {
    const ids = await leaveMessages({ recipientId: 1, count: 2 })
    let ended: (outcome: DeliveryOutcome) => void = () => {}
    const hung = deliveries(() => new Promise((resolve) => (ended = resolve)))
    const sender = messageSender(hung.both)
    const dying = sender.drain()
    await until(() => hung.rows.length === 1)
    const [begun, waiting] = await Promise.all(ids.map(row))
    expect(begun!.wait).toBeGreaterThan(55)
    expect(begun!.wait).toBeLessThanOrEqual(60)
    expect(waiting!.wait).toBeLessThanOrEqual(15)
    sender.stop!()
    ended({ as: 'unsent' })
    await dying
  })

  it('and takes every other with it that touches the message, is followed by no more in the end', async () => {
    const [id] = await leaveMessages()
    await setLastMessage('attempts = 6')
    const { rows, both } = deliveries()
    await messageSender(both).drain()
    expect(rows).toEqual([])
    expect(await row(id!)).toMatchObject({ sent: false, failed: true, error: 'never finished' })
  })
})

describe('several at once', () => {
  it('processes share the work, each message once', async () => {
    const ids = await leaveMessages({ count: 40 })
    const { rows, both } = deliveries(async () => {
      await sleep(1)
      return { as: 'sent' }
    })
    const senders = Array.from({ length: 4 }, () => messageSender(both, { batch: 5 }))
    await Promise.all(senders.map((sender) => sender.drain()))
    expect(rows.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids)
  })

  it('calls of one process ask for one more look, and wait for it', async () => {
    const { rows, both } = deliveries(async () => {
      await sleep(20)
      return { as: 'sent' }
    })
    const sender = messageSender(both)
    await leaveMessages()
    const first = sender.drain()
    await until(() => rows.length === 1)
    await leaveMessages()
    await Promise.all([sender.drain(), sender.drain(), first])
    expect(rows.length).toBe(2)
  })

  it('recipients are written to beside each other, each in the order things happened', async () => {
    for (let i = 0; i < 3; i++) {
      await leaveMessages({ recipientId: 1 })
      await leaveMessages({ recipientId: 2 })
    }
    let most = 0
    const busy = new Set<number | null>()
    const { rows, both } = deliveries(async ({ recipientId }) => {
      expect(busy.has(recipientId)).toBe(false)
      busy.add(recipientId)
      most = Math.max(most, busy.size)
      // The first one goes on once the other recipient's has begun.
      await until(() => most === 2)
      busy.delete(recipientId)
      return { as: 'sent' }
    })
    await messageSender(both).drain()
    for (const recipient of [1, 2]) {
      const own = rows.filter(({ recipientId }) => recipientId === recipient).map(({ id }) => id)
      expect(own).toEqual(own.toSorted((a, b) => a - b))
      expect(own.length).toBe(3)
    }
    expect(most).toBe(2)
  })

  it('never more than a few, whatever waits', async () => {
    for (let recipientId = 1; recipientId <= 20; recipientId++) await leaveMessages({ recipientId })
    let now = 0
    let most = 0
    const { both } = deliveries(async () => {
      most = Math.max(most, ++now)
      await sleep(5)
      now--
      return { as: 'sent' }
    })
    await messageSender(both, { atOnce: 3 }).drain()
    expect(most).toBe(3)
  })

  it('emails do not wait for pushes', async () => {
    await leaveMessages({ kind: 'push' })
    const [email] = await leaveMessages({ kind: 'mail' })
    let answer: ((outcome: DeliveryOutcome) => void) | undefined
    const { deliver } = deliveries()
    const push = deliveries(() => new Promise((resolve) => (answer = resolve)))
    const drained = messageSender({ mail: deliver, push: push.deliver }).drain()
    await eventually(async () => expect(await row(email!)).toMatchObject({ sent: true }))
    // Which of the two begins first is left open.
    await eventually(() => expect(answer).toBeDefined())
    answer!({ as: 'sent' })
    await drained
  })
})

describe('a backlog', () => {
  it('is left for later when a whole batch finds the server away', async () => {
    await leaveMessages({ count: 45 })
    const { rows, both } = deliveries(() => ({ as: 'retry', why: 'smtp ECONNECTION' }))
    await messageSender(both, { batch: 10 }).drain()
    expect(rows.length).toBe(10)
  })

  it('is left to others when the process ends: what is under way is finished, the rest is due at once', async () => {
    await leaveMessages({ count: 45 })
    const { rows, both } = deliveries(() => {
      sender.stop!()
      return { as: 'sent' }
    })
    const sender = messageSender(both, { batch: 10 })
    await sender.drain()
    await sender.drain()
    expect(rows.length).toBe(1)
    const other = deliveries()
    await messageSender(other.both).drain()
    expect(other.rows.length).toBe(44)
    expect(other.rows.every(({ attempts }) => attempts === 1)).toBe(true)
  })

  it('is left to others though the server never answers: what was not handed over is due at once', async () => {
    await leaveMessages({ count: 3 })
    const hung: Deliver = (_row, attempt) =>
      new Promise((resolve) => {
        attempt!.stop!.addEventListener('abort', () => resolve({ as: 'unsent' }))
        sender.stop!()
      })
    const sender = messageSender({ mail: hung, push: hung }, { grace: 10 })
    await sender.drain()
    const other = deliveries()
    await messageSender(other.both).drain()
    expect(other.rows.map(({ attempts }) => attempts)).toEqual([1, 1, 1])
  })
})

describe('a claimed message that is not begun', () => {
  /** Claims `count` messages to one person at once; `meanwhile` happens while the first is sent. */
  async function sendFirst(count: number, meanwhile: () => Promise<unknown>): Promise<number[]> {
    const ids = await leaveMessages({ recipientId: 1, count })
    const { rows, both } = deliveries(async () => {
      if (rows.length === 1) await meanwhile()
      return { as: 'sent' }
    })
    await messageSender(both).drain()
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(0, 1))
    return ids
  }
  const runOut = (seconds: number) =>
    query('update outbox set next_attempt_at = now() + make_interval(secs => $1) where sent_at is null', [
      seconds,
    ])

  it('because its lease has ended, is due at once and counts no attempt', async () => {
    const ids = await sendFirst(3, () => runOut(-60))
    expect(await Promise.all(ids.map(row))).toMatchObject([
      { attempts: 1, sent: true },
      { attempts: 0, sent: false, wait: about(0) },
      { attempts: 0, sent: false, wait: about(0) },
    ])
    const next = deliveries()
    await messageSender(next.both).drain()
    expect(next.rows.map(({ id }) => id)).toEqual(ids.slice(1))
  })

  it('because another process has it by now, is left to that one', async () => {
    const other = deliveries()
    const ids = await sendFirst(3, async () => {
      await runOut(-1)
      await query(
        `update outbox set next_attempt_at = now() + interval '1 day' where id = (select min(id) from outbox)`,
      )
      await messageSender(other.both).drain()
    })
    expect(other.rows.map(({ id }) => id)).toEqual(ids.slice(1))
    expect(await Promise.all(ids.map(row))).toMatchObject([
      { attempts: 1, sent: true },
      { attempts: 2, sent: true },
      { attempts: 2, sent: true },
    ])
  })

  it('is given back, though others gather under its key by now', async () => {
    const ids = await sendFirst(3, async () => {
      await query(`update outbox set gather_key = 'test ' || id`)
      for (const key of await column<string>('select gather_key from outbox where attempts > 0'))
        await gather(key)
      await runOut(-1)
    })
    const returned = await Promise.all(ids.slice(1).map(row))
    expect(returned).toMatchObject([{ attempts: 0 }, { attempts: 0 }])
    expect(await query('select from outbox where gather_key is not null and attempts = 0')).toHaveLength(3)
  })

  it('because of a limit waits, though another gathers under its key by now', async () => {
    const [id] = await leaveMessages({ recipientId: 1 })
    await setLastMessage(`gather_key = 'test'`)
    const hold = deliveries(async () => {
      await gather('test')
      return { as: 'heldBack', why: 'over the limit', seconds: 600 }
    })
    await messageSender(hold.both).drain()
    const held = { attempts: 0, sent: false, error: 'over the limit', wait: about(600) }
    expect(await row(id!)).toMatchObject(held)
  })
})

describe('what fails and is tried again', () => {
  const emailAway = () => deliveries(() => ({ as: 'retry', why: 'smtp connection refused' })).both
  const failing = async () =>
    (await failingMessages()).map(({ kind, count, reason, stuck }) => [kind, count, reason, stuck])
  const later = (minutes: number) =>
    query(
      `update outbox set failing_since = failing_since - make_interval(mins => $1),
         sent_at = sent_at - make_interval(mins => $1)`,
      [minutes],
    )

  it('is said once, with why, how many and since when, and once that it is over', async () => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {})
    const sender = messageSender(emailAway(), { batch: 5 })
    await leaveMessages({ count: 8 })
    await leaveMessages({ kind: 'push', count: 2 })
    for (let i = 0; i < 4; i++) await sender.drain()
    const facts = { why: 'smtp connection refused', reason: 'connection_refused' }
    expect(warn.mock.calls).toEqual(
      Array(2).fill([
        expect.objectContaining({ ...facts, waiting: expect.any(Number), oldestSeconds: expect.any(Number) }),
        'messages wait',
      ]),
    )
    expect(warn.mock.calls.map(([{ kind }]: any[]) => kind).sort()).toEqual(['mail', 'push'])
    warn.mockRestore()
    const info = vi.spyOn(log, 'info').mockImplementation(() => {})
    const recovering = messageSender(
      deliveries(({ attempts }) => (attempts > 1 ? { as: 'sent' } : { as: 'retry', why: 'smtp 451' })).both,
    )
    await leaveMessages()
    await recovering.drain()
    await makeDue()
    await recovering.drain()
    await recovering.drain()
    const over = info.mock.calls.filter(([, words]) => words === 'messages go out again')
    expect(over).toEqual([[{ kind: 'mail' }, 'messages go out again']])
    info.mockRestore()
  })

  it('counts as stuck after some minutes without one success, and no longer after one', async () => {
    await leaveMessages({ count: 2 })
    await messageSender(emailAway()).drain()
    expect(await failing()).toEqual([['mail', 2, 'connection_refused', false]])
    await later(6)
    expect(await failing()).toEqual([['mail', 2, 'connection_refused', true]])
    await leaveMessages()
    await messageSender(deliveries().both).drain()
    expect(await failing()).toEqual([['mail', 2, 'connection_refused', false]])
    await makeDue()
    await messageSender(deliveries().both).drain()
    expect(await failing()).toEqual([])
  })

  it('is one mailbox only while others get theirs', async () => {
    await leaveMessages()
    await messageSender(emailAway()).drain()
    await leaveMessages()
    await messageSender(deliveries().both).drain()
    await later(6)
    expect(await failing()).toEqual([['mail', 1, 'connection_refused', false]])
  })

  it('is not what was given up, dropped or asked for again', async () => {
    const [id] = await leaveMessages()
    await messageSender(emailAway()).drain()
    await setLastMessage('failed_at = now()')
    expect(await failing()).toEqual([])
    await retryMessage(systemActor('cli'), id!)
    expect(await failing()).toEqual([])
  })
})

it('the depth of the outbox is what waits, with the age of the oldest that should have gone', async () => {
  await leaveMessages({ count: 2 })
  await setLastMessage(`created_at = now() - interval '90 seconds'`)
  await leaveMessages()
  const anHour = "interval '1 hour'"
  await setLastMessage(`created_at = now() - ${anHour}, next_attempt_at = now() + ${anHour}`)
  expect(await waitingDeliveries()).toEqual([
    { kind: 'mail', waiting: 3, underWay: 0, oldestSeconds: expect.closeTo(90, -2) },
    { kind: 'push', waiting: 0, underWay: 0, oldestSeconds: 0 },
    { kind: 'webhook', waiting: 0, underWay: 0, oldestSeconds: 0 },
    { kind: 'event', waiting: 0, underWay: 0, oldestSeconds: 0 },
  ])
})

const until = (met: () => boolean | Promise<boolean>): Promise<void> =>
  eventually(async () => {
    if (!(await met())) throw new Error('not yet')
  }, 5)

/** A delivery that ends as the test says, and remembers what it was given. */
function deliveries(
  ends: (row: OutboxMessage) => DeliveryOutcome | Promise<DeliveryOutcome> = () => ({ as: 'sent' }),
) {
  const rows: OutboxMessage[] = []
  const deliver: Deliver = async (row) => {
    rows.push(row)
    return ends(row)
  }
  return { rows, deliver, both: { mail: deliver, push: deliver } }
}

/** A row, its next attempt in whole seconds from now. */
async function row(id: number) {
  const [found] = await query(
    `select attempts, sent_at is not null as sent, failed_at is not null as failed, last_error as error,
       round(extract(epoch from next_attempt_at - now()))::integer as wait
     from outbox where id = $1`,
    [id],
  )
  return found as { attempts: number; sent: boolean; failed: boolean; error: string | null; wait: number }
}

/** Leaves a message to the first recipient that waits an hour for others with the same key. */
async function gather(key: string): Promise<void> {
  await leaveMessages({ recipientId: 1 })
  await setLastMessage(`gather_key = $1, next_attempt_at = now() + interval '1 hour'`, [key])
}

const about = (seconds: number) => ({ asymmetricMatch: (n: number) => n > seconds - 50 && n <= seconds })
