import { beforeEach, describe, expect, it } from 'vitest'
import {
  type DeliverySlots,
  deliverySlots,
  type Receiver,
  type Slot,
} from '../../src/webhooks/deliver/deliverySlots.js'
import { fairQueue } from '../../src/webhooks/deliver/sendWebhooks.js'

const limits = {
  quick: { all: 8, host: 3 },
  slow: { all: 4, host: 2 },
  perSubscription: 2,
  perSlow: 1,
  total: 20,
}
const receiver = (subscriptionId: number, host = `host${subscriptionId}`): Receiver => ({
  subscriptionId,
  host,
})

let rights: DeliverySlots
beforeEach(() => {
  rights = deliverySlots(limits)
})

const takeAll = (...receivers: Receiver[]): Slot[] =>
  receivers.map((one) => rights.take(one)).filter((slot) => slot !== null)

/** A receiver that lets its exchanges end at the deadline. */
function hang(one: Receiver): void {
  const slot = rights.take(one)!
  rights.late(slot)
  rights.leave(slot, true)
}

describe('room for exchanges', () => {
  it('is bounded for a subscription, a host and in all', () => {
    const ofOneHost = [2, 3, 4, 5].map((id) => receiver(id, 'same'))
    const ofManyHosts = [6, 7, 8, 9, 10].map((id) => receiver(id))
    expect(takeAll(...Array<Receiver>(5).fill(receiver(1)))).toHaveLength(2)
    expect(takeAll(...ofOneHost)).toHaveLength(3)
    expect(takeAll(...ofManyHosts)).toHaveLength(3)
    expect(rights.underWay()).toBe(8)
  })

  it('is given back when an exchange ends, and when it never began', () => {
    const slots = takeAll(...Array.from({ length: 8 }, (_, id) => receiver(id)))
    expect(rights.take(receiver(99))).toBeNull()
    rights.leave(slots[0]!, false)
    rights.unused(slots[1]!)
    expect(takeAll(receiver(98), receiver(99), receiver(100))).toHaveLength(2)
  })

  it('opens for others when an exchange takes long', () => {
    const slots = takeAll(...Array.from({ length: 8 }, (_, id) => receiver(id)))
    for (const slot of slots) rights.late(slot)
    expect(takeAll(...Array.from({ length: 12 }, (_, id) => receiver(100 + id)))).toHaveLength(8)
  })

  it('ends where all exchanges together become too many', () => {
    for (let id = 0; ; id++) {
      const slot = rights.take(receiver(id))
      if (!slot) break
      rights.late(slot)
    }
    expect(rights.underWay()).toBe(limits.total)
  })
})

describe('a receiver that kept others waiting', () => {
  it('has one exchange at a time, in the lane where it disturbs nobody', () => {
    hang(receiver(1))
    expect(takeAll(receiver(1), receiver(1))).toMatchObject([{ lane: 'slow' }])
  })

  it('is one of few there, however many there are', () => {
    const dead = Array.from({ length: 100 }, (_, id) => receiver(id))
    for (const one of dead) hang(one)
    expect(takeAll(...dead)).toHaveLength(limits.slow.all)
    expect(takeAll(...Array.from({ length: 20 }, (_, id) => receiver(1000 + id)))).toHaveLength(
      limits.quick.all,
    )
  })

  it('does not close its host to others', () => {
    const dead = [1, 2, 3, 4].map((id) => receiver(id, 'same'))
    for (const one of dead) hang(one)
    expect(takeAll(...dead)).toHaveLength(limits.slow.host)
    expect(takeAll(receiver(5, 'same'), receiver(6, 'same'))).toHaveLength(2)
  })

  it('is so while it does, before the first of its exchanges has ended', () => {
    rights.late(rights.take(receiver(1))!)
    expect(rights.take(receiver(1))).toBeNull()
  })

  it('may be known from before', () => {
    rights.markSlow(1)
    expect(rights.take(receiver(1))).toMatchObject({ lane: 'slow' })
  })

  it('is like any other after an answer, a slow one too, and after a quick failure', () => {
    const ends: [late: boolean, failed: boolean][] = [
      [false, false],
      [true, false],
      [false, true],
    ]
    for (const [late, failed] of ends) {
      hang(receiver(1))
      const slot = rights.take(receiver(1))!
      if (late) rights.late(slot)
      rights.leave(slot, failed)
      expect(takeAll(receiver(1), receiver(1)).map(({ lane }) => lane)).toEqual(['quick', 'quick'])
      rights = deliverySlots(limits)
    }
  })

  it('stays so while nothing was sent to it', () => {
    hang(receiver(1))
    rights.unused(rights.take(receiver(1))!)
    expect(rights.take(receiver(1))).toMatchObject({ lane: 'slow' })
  })
})

describe('turns', () => {
  const ids = (slots: Slot[]) => slots.map(({ subscriptionId }) => subscriptionId)

  it('go round: one each before anybody has two', () => {
    const row = fairQueue(rights)
    for (const id of [1, 2, 3]) row.add(receiver(id))
    expect(ids(row.next())).toEqual([1, 2, 3, 1, 2, 3])
  })

  it('begin where they ended', () => {
    const row = fairQueue(rights)
    for (let id = 1; id <= 12; id++) row.add(receiver(id))
    const first = row.next()
    expect(ids(first)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    for (const slot of first) rights.leave(slot, false)
    expect(ids(row.next())).toEqual([9, 10, 11, 12, 1, 2, 3, 4])
  })

  it('keep the place of those who stand in the row already', () => {
    const row = fairQueue(rights)
    row.add(receiver(1))
    row.add(receiver(2))
    row.add(receiver(1))
    row.remove(3)
    expect(ids(row.next())).toEqual([1, 2, 1, 2])
  })

  it('end for those who have left', () => {
    const row = fairQueue(rights)
    row.add(receiver(1))
    row.add(receiver(2))
    row.remove(1)
    expect(ids(row.next())).toEqual([2, 2])
    row.clear()
    expect(row.next()).toEqual([])
  })
})
