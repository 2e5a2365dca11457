import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliveryOutcome, OutboxMessage } from '../../vocabulary/email/delivery.js'
import { noteDatabaseFailure } from '../db/availability.js'
import { log } from '../process/log.js'
import type { SendResult } from './retryWarning.js'

type SlowSendsOptions = {
  kind: OutboxMessage['kind']
  /** Milliseconds after which a send is slow. */
  slowAfter: number
  /** Slow sends that go on at once. */
  mostSlow: number
  /** Called with the outcome of a slow send. */
  observe: (results: readonly SendResult[]) => Promise<void>
}

/**
 * Lets slow sends go on by themselves: a slow mailbox keeps no one waiting, unless there are too
 * many of them.
 */
export function slowSends({ kind, slowAfter, mostSlow, observe }: SlowSendsOptions) {
  const slow = new Set<Promise<void>>()

  function continueInBackground(sending: Promise<DeliveryOutcome>): void {
    const end = sending
      .then((outcome) => observe([outcome]))
      .catch((error: unknown) => {
        if (!noteDatabaseFailure(error)) log.error({ error, kind }, 'outbox')
      })
      .finally(() => slow.delete(end))
    slow.add(end)
  }

  return {
    /** The outcome of a send, or `slow` while it goes on. */
    async outcomeOf(sending: Promise<DeliveryOutcome>): Promise<SendResult> {
      const waited = new AbortController()
      const isSlow = await Promise.race([
        sending.then(() => false),
        sleep(slowAfter, true, { signal: waited.signal, ref: false }).catch(() => false),
      ])
      waited.abort()
      if (!isSlow || slow.size >= mostSlow) return sending
      continueInBackground(sending)
      return { as: 'slow' }
    },
    /** Resolves when the sends that are slow now have ended. */
    async whenEnded(): Promise<void> {
      await Promise.all(slow)
    },
  }
}
