/** How many exchanges may be under way at once, in all and with one host. */
type Room = { all: number; host: number }

export type Limits = {
  /** For exchanges in their first moments, where a healthy receiver's begin and end. */
  quick: Room
  /** For those that wait for an answer, and for receivers that keep others waiting. */
  slow: Room
  perSubscription: number
  /** In both lanes together, whatever moved over. */
  total: number
}

/** Whose delivery it would be; `host` with its port. */
export type Receiver = { subscriptionId: number; host: string }

/** The right to one exchange with a receiver; taken before it, given back after it. */
export type Slot = Receiver & { lane: 'quick' | 'slow'; late: boolean }

/**
 * Keeps receivers that do not answer from using up the room of those that do. An exchange that has not ended after a
 * moment moves to the slow lane, and a receiver whose last one failed that way begins there, one at a time: any number of
 * dead receivers leaves the quick lane free.
 */
export function deliverySlots(limits: Limits) {
  const counts = new Map<string, number>()
  const suspects = new Set<number>()
  const count = (key: string) => counts.get(key) ?? 0

  function add(slot: Slot, by: 1 | -1): void {
    for (const key of ['all', slot.lane, hostIn(slot.lane, slot), ofSubscription(slot)]) {
      if (count(key) + by === 0) counts.delete(key)
      else counts.set(key, count(key) + by)
    }
  }

  return {
    /** How many slots are out. */
    underWay: () => count('all'),

    /** A receiver that was known, before this process began, to keep others waiting. */
    markSlow: (subscriptionId: number): void => void suspects.add(subscriptionId),

    /** A slot for an exchange that may begin now; null while there is no room for it. */
    take({ subscriptionId, host }: Receiver): Slot | null {
      const lane = suspects.has(subscriptionId) ? 'slow' : 'quick'
      const slot: Slot = { subscriptionId, host, lane, late: false }
      const most = lane === 'slow' ? 1 : limits.perSubscription
      const full =
        count('all') >= limits.total ||
        count(lane) >= limits[lane].all ||
        count(hostIn(lane, slot)) >= limits[lane].host ||
        count(ofSubscription(slot)) >= most
      if (full) return null
      add(slot, 1)
      return slot
    },

    /** The exchange takes long: it makes room for others. */
    late(slot: Slot): void {
      add(slot, -1)
      slot.lane = 'slow'
      slot.late = true
      add(slot, 1)
      suspects.add(slot.subscriptionId)
    },

    /** No exchange came of it. */
    unused: (slot: Slot): void => add(slot, -1),

    /** The exchange ended. */
    leave(slot: Slot, failed: boolean): void {
      add(slot, -1)
      if (failed && slot.late) suspects.add(slot.subscriptionId)
      else suspects.delete(slot.subscriptionId)
    },
  }
}
export type DeliverySlots = ReturnType<typeof deliverySlots>

const hostIn = (lane: Slot['lane'], { host }: Receiver) => `${lane} ${host}`
const ofSubscription = ({ subscriptionId }: Receiver) => `of ${subscriptionId}`
