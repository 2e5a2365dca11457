import type { Text } from '../text/index.js'

/** The outcome of a delivery in words; null means it is still waiting. */
export function outcomeText(t: Text, status: string | null): string {
  const p = t.webhookPages
  if (status === null) return p.waiting
  return status.startsWith('failed: ') ? p.failed(status.slice('failed: '.length)) : p.answered(status)
}
