import { setTimeout as sleep } from 'node:timers/promises'
import { type DeliveryOutcome, nextAttempt, type OutboxMessage } from '../../vocabulary/email/delivery.js'
import { noteDatabaseFailure } from '../db/availability.js'
import { log } from '../process/log.js'
import {
  dropHeldBackMessage,
  failMessage,
  finishMessage,
  holdBackMessage,
  leaveUnconfirmed,
  postponeMessage,
  releaseMessages,
} from './outboxQueries.js'

/**
 * Milliseconds between two tries to store an outcome while the database is away, and how long a
 * stopped process tries.
 */
const pause = 500
const lastPatience = 2_000

/**
 * Stores what became of an attempt. While the database is away no one else can send the message, so
 * its outcome is stored afterwards. Never throws.
 */
export async function storeOutcomePatiently(
  message: OutboxMessage,
  outcome: DeliveryOutcome,
  isStopped: () => boolean,
): Promise<void> {
  for (let stoppedAt: number | null = null; ; await sleep(pause)) {
    try {
      return await storeOutcome(message, outcome)
    } catch (error) {
      if (isStopped()) stoppedAt ??= performance.now()
      const isLate = stoppedAt !== null && performance.now() - stoppedAt > lastPatience
      if (noteDatabaseFailure(error) && !isLate) continue
      return log.error({ error, id: message.id }, 'outcome lost')
    }
  }
}

/** The message is done, given up, or due again. */
async function storeOutcome(message: OutboxMessage, outcome: DeliveryOutcome): Promise<void> {
  switch (outcome.as) {
    case 'unsent':
      // It may be noted as handed over, and no lease would end that.
      return releaseMessages([message])
    case 'sent':
      return finishMessage(message.id, null)
    case 'unconfirmed':
      logEnd(message, outcome.why, 'message not confirmed')
      return leaveUnconfirmed(message)
    case 'dropped':
      return finishMessage(message.id, truncated(`dropped: ${outcome.why}`))
    case 'failed':
      return giveUp(message, outcome.why)
    case 'heldBack': {
      const why = truncated(outcome.why)
      if (outcome.seconds === 'dropped') return dropHeldBackMessage(message, why)
      return holdBackMessage(message, outcome.seconds, why)
    }
    case 'retry': {
      const wait = nextAttempt(message.attempts, outcome.after)
      if (wait === null) return giveUp(message, outcome.why)
      return postponeMessage(message, wait, truncated(outcome.why))
    }
  }
}

async function giveUp(message: OutboxMessage, why: string): Promise<void> {
  logEnd(message, why, 'message failed')
  await failMessage(message, truncated(why))
}

function logEnd({ id, kind, event, attempts }: OutboxMessage, why: string, end: string): void {
  log.warn({ id, kind, event, attempts, why }, end)
}

const truncated = (why: string) => why.slice(0, 200)
