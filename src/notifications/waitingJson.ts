import { z } from 'zod'
import { instantText, shape, wholeNumber } from '../platform/http/json.js'
import { type JobState, jobNames } from '../platform/ops/jobRun.js'
import type { Failing } from '../platform/outbox/outboxMessage.js'
import { deliveryReasons } from '../vocabulary/email/delivery.js'

/**
 * Messages of one kind that wait after failed attempts; `stuck` when none has got through for
 * minutes.
 */
export const WaitingJson = shape('WaitingMessages', {
  kind: z.enum(['mail', 'push']),
  count: wholeNumber,
  oldestAt: instantText,
  since: instantText,
  nextAttemptAt: instantText,
  reason: z.enum(deliveryReasons),
  why: z.string(),
  stuck: z.boolean(),
})

export function presentWaiting(row: Failing): z.output<typeof WaitingJson> {
  const { kind, count, oldestAt, since, nextAttemptAt, reason, why, stuck } = row
  return {
    ...{ kind, count, reason, why, stuck },
    oldestAt: oldestAt.toISOString(),
    since: since.toISOString(),
    nextAttemptAt: nextAttemptAt.toISOString(),
  }
}

/** A scheduled job with its last success and its last failure. */
export const ScheduledJobJson = shape('ScheduledJob', {
  job: z.enum(jobNames),
  lastSuccessAt: instantText.nullable(),
  lastFailureAt: instantText.nullable(),
})

export function presentJob({
  job,
  lastSuccessAt,
  lastFailureAt,
}: JobState): z.output<typeof ScheduledJobJson> {
  return {
    job,
    lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
    lastFailureAt: lastFailureAt?.toISOString() ?? null,
  }
}
