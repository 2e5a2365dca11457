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
  const goingOn = new Set<Promise<void>>()

  function letGoOn(sending: Promise<DeliveryOutcome>): void {
    const end = sending
      .then((outcome) => observe([outcome]))
      .catch((error: unknown) => {
        if (!noteDatabaseFailure(error)) log.error({ error, kind }, 'outbox')
      })
      .finally(() => goingOn.delete(end))
    goingOn.add(end)
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
      if (!isSlow || goingOn.size >= mostSlow) return sending
      letGoOn(sending)
      return { as: 'slow' }
    },
    /** Resolves when those that go on now have ended. */
    async ended(): Promise<void> {
      await Promise.all(goingOn)
    },
  }
}
