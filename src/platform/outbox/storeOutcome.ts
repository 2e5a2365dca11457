import { type DeliveryOutcome, nextAttempt, type OutboxMessage } from '../../vocabulary/email/delivery.js'
import { log } from '../process/log.js'
import {
  failOutgoing,
  finishOutgoing,
  holdBackOutgoing,
  leaveUnconfirmed,
  postponeOutgoing,
} from './outboxMessage.js'

/** The outcome of an attempt to store; a row that was not handed over is given back instead. */
type FinalOutcome = Exclude<DeliveryOutcome, { as: 'unsent' }>

/** Stores what became of an attempt: the row is done, given up, or due again later. */
export async function storeOutcome(row: OutboxMessage, outcome: FinalOutcome): Promise<void> {
  switch (outcome.as) {
    case 'sent':
      return finishOutgoing(row.id, null)
    case 'unconfirmed':
      logEnd(row, outcome.why, 'message not confirmed')
      return leaveUnconfirmed(row)
    case 'dropped':
      return finishOutgoing(row.id, truncated(`dropped: ${outcome.why}`))
    case 'failed':
      return giveUp(row, outcome.why)
    case 'heldBack':
      return holdBackOutgoing(row, outcome.seconds, truncated(outcome.why))
    case 'retry': {
      const wait = nextAttempt(row.attempts, outcome.after)
      if (wait === null) return giveUp(row, outcome.why)
      return postponeOutgoing(row, wait, truncated(outcome.why))
    }
  }
}

async function giveUp(row: OutboxMessage, why: string): Promise<void> {
  logEnd(row, why, 'message failed')
  await failOutgoing(row, truncated(why))
}

function logEnd({ id, kind, event, attempts }: OutboxMessage, why: string, message: string): void {
  log.warn({ id, kind, event, attempts, why }, message)
}

const truncated = (why: string) => why.slice(0, 200)
