import type { Lanes, Receiver, Ticket } from './lanes.js'

/** Receivers with something to be sent, in turn: who got a ticket goes to the end of the row. */
export function rota(rights: Lanes) {
  const row = new Map<number, Receiver>()

  /** One ticket for each in the row that has room, the row's front first. */
  function oneRound(): Ticket[] {
    const tickets: Ticket[] = []
    for (const receiver of [...row.values()]) {
      const ticket = rights.take(receiver)
      if (!ticket) continue
      tickets.push(ticket)
      row.delete(receiver.subscriptionId)
      row.set(receiver.subscriptionId, receiver)
    }
    return tickets
  }

  return {
    /** Puts a receiver at the end of the row, if it does not stand there. */
    add(receiver: Receiver): void {
      if (!row.has(receiver.subscriptionId)) row.set(receiver.subscriptionId, receiver)
    },
    remove: (subscriptionId: number): void => void row.delete(subscriptionId),
    clear: (): void => row.clear(),

    /** Tickets for all that may begin now, round by round. */
    next(): Ticket[] {
      const tickets: Ticket[] = []
      for (let round = oneRound(); round.length > 0; round = oneRound()) tickets.push(...round)
      return tickets
    },
  }
}
