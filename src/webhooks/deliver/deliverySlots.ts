/** Most concurrent deliveries, in all and per host. */
type Room = { all: number; host: number }

export type Limits = {
  /** For new deliveries: a healthy receiver answers within `lateAfter`. */
  quick: Room
  /** For deliveries without an answer after that time, and for receivers known to be slow. */
  slow: Room
  perSubscription: number
  /** Most concurrent deliveries of one subscription whose receiver is known to be slow. */
  perSlow: number
  /** In both lanes together. */
  total: number
}

/** The receiver of a delivery; `host` includes the port. */
export type Receiver = { subscriptionId: number; host: string }

/** The right to one delivery: taken before it, given back after it. */
export type Slot = Receiver & { lane: 'quick' | 'slow'; late: boolean }

/**
 * Keeps slow receivers from using up all slots. A late delivery moves to the slow lane; a receiver
 * whose last late delivery failed starts there, so dead receivers never fill the quick lane.
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
    /** Number of slots taken. */
    underWay: () => count('all'),

    /** Whether a delivery to this receiver is under way. */
    isBusy: (subscriptionId: number) => count(ofSubscription({ subscriptionId })) > 0,

    /** Marks a receiver that was known to be slow before this process started. */
    markSlow: (subscriptionId: number): void => void suspects.add(subscriptionId),

    /** A slot for a delivery that may start now; null while there is no room. */
    take({ subscriptionId, host }: Receiver): Slot | null {
      const lane = suspects.has(subscriptionId) ? 'slow' : 'quick'
      const slot: Slot = { subscriptionId, host, lane, late: false }
      const most = lane === 'slow' ? limits.perSlow : limits.perSubscription
      const full =
        count('all') >= limits.total ||
        count(lane) >= limits[lane].all ||
        count(hostIn(lane, slot)) >= limits[lane].host ||
        count(ofSubscription(slot)) >= most
      if (full) return null
      add(slot, 1)
      return slot
    },

    /** Moves a late delivery to the slow lane. */
    late(slot: Slot): void {
      add(slot, -1)
      slot.lane = 'slow'
      slot.late = true
      add(slot, 1)
      suspects.add(slot.subscriptionId)
    },

    /** Gives back a slot that was not used. */
    unused: (slot: Slot): void => add(slot, -1),

    /** Gives back the slot of a finished delivery. */
    leave(slot: Slot, failed: boolean): void {
      add(slot, -1)
      if (failed && slot.late) suspects.add(slot.subscriptionId)
      else suspects.delete(slot.subscriptionId)
    },
  }
}
export type DeliverySlots = ReturnType<typeof deliverySlots>

const hostIn = (lane: Slot['lane'], { host }: Receiver) => `${lane} ${host}`
const ofSubscription = ({ subscriptionId }: Pick<Receiver, 'subscriptionId'>) => `of ${subscriptionId}`
