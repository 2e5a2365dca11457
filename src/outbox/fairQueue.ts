import type { DeliverySlots, Receiver, Slot } from './deliverySlots.js'

/** Receivers with something to be sent, in turn: who got a slot goes to the end of the row. */
export function fairQueue(rights: DeliverySlots) {
  const row = new Map<number, Receiver>()

  /** One slot for each in the row that has room, the row's front first. */
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
    /** Puts a receiver at the end of the row, if it does not stand there. */
    add(receiver: Receiver): void {
      if (!row.has(receiver.subscriptionId)) row.set(receiver.subscriptionId, receiver)
    },
    remove: (subscriptionId: number): void => void row.delete(subscriptionId),
    clear: (): void => row.clear(),

    /** Slots for all that may begin now, round by round. */
    next(): Slot[] {
      const slots: Slot[] = []
      for (let round = oneRound(); round.length > 0; round = oneRound()) slots.push(...round)
      return slots
    },
  }
}
