import type { DeliverySlots, Receiver, Slot } from './deliverySlots.js'

/** Receivers with waiting deliveries, round robin: a receiver that got a slot goes to the end of the queue. */
export function fairQueue(rights: DeliverySlots) {
  const row = new Map<number, Receiver>()

  /** One slot for each queued receiver with room, in order of the queue. */
  function oneRound(): Slot[] {
    const slots: Slot[] = []
    for (const receiver of [...row.values()]) {
      const slot = rights.take(receiver)
      if (!slot) continue
      slots.push(slot)
      row.delete(receiver.subscriptionId)
      row.set(receiver.subscriptionId, receiver)
    }
    return slots
  }

  return {
    /** Puts a receiver at the end of the queue, unless it is queued. */
    add(receiver: Receiver): void {
      if (!row.has(receiver.subscriptionId)) row.set(receiver.subscriptionId, receiver)
    },
    remove: (subscriptionId: number): void => void row.delete(subscriptionId),
    clear: (): void => row.clear(),

    /** Slots for all deliveries that may start now. */
    next(): Slot[] {
      const slots: Slot[] = []
      for (let round = oneRound(); round.length > 0; round = oneRound()) slots.push(...round)
      return slots
    },
  }
}
