import type { DeliveryOutcome, OutboxMessage } from '../../vocabulary/email/delivery.js'
import { log } from '../process/log.js'
import { failingMessages } from './failingMessages.js'

/** The outcome of a send, or that it is slow and goes on. */
export type SendResult = DeliveryOutcome | { as: 'slow' }

/** Milliseconds between two lines about retries of one kind, and of those for the same reason. */
const warnEvery = 60_000
const remindEvery = 3_600_000

/** Logs that attempts fail, how many wait and since when; and once that they go out again. */
export function retryWarning(kind: OutboxMessage['kind']) {
  let warned: { at: number; why: string; isOver: boolean } | null = null

  async function warnOfRetry(answer: string | undefined): Promise<void> {
    if (warned && performance.now() - warned.at < warnEvery) return
    const failing = (await failingMessages()).find((each) => each.kind === kind)
    if (!failing) return
    const { why, reason, count, since, oldestAt } = failing
    const goesOn = warned?.why === why && !warned.isOver
    if (warned && goesOn && performance.now() - warned.at < remindEvery) return
    warned = { at: performance.now(), why, isOver: false }
    const oldestSeconds = Math.round((Date.now() - oldestAt.getTime()) / 1000)
    log.warn({ kind, why, answer, reason, waiting: count, since, oldestSeconds }, 'messages wait')
  }

  function endWarning(): void {
    if (!warned || warned.isOver) return
    warned.isOver = true
    log.info({ kind }, 'messages go out again')
  }

  return {
    async observe(results: readonly SendResult[]): Promise<void> {
      if (results.some(({ as }) => as === 'sent')) endWarning()
      const refused = results.find((result) => result.as === 'retry')
      if (refused?.as === 'retry') await warnOfRetry(refused.answer)
    },
  }
}
