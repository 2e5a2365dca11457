import type { Text } from '../text/index.js'
import { failureIn } from '../vocabulary/webhookStatus.js'

/** The outcome of a delivery in words; null means it is still waiting. */
export function outcomeText(t: Text, status: string | null): string {
  const p = t.webhookPages
  if (status === null) return p.waiting
  const failure = failureIn(status)
  return failure === null ? p.answered(status) : p.failed(failure)
}
