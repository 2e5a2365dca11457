/**
 * The statuses of deliveries that ended without a request, or of which no one knows whether it was
 * made. Others are the HTTP status, or `failed: ` and what broke on the way.
 */
export const deliveryFailures = {
  inactive: 'failed: inactive',
  interrupted: 'failed: interrupted',
  backlog: 'failed: backlog',
  paused: 'failed: paused',
  body: 'failed: body',
} as const

/** The status of a delivery that got no answer; `what` broke on the way. */
export const failedStatus = (what: string) => `failed: ${what}`

/** What broke on the way of a delivery; null when its status is another one. */
export function failureIn(status: string): string | null {
  const [, what] = /^failed: (.*)$/s.exec(status) ?? []
  return what ?? null
}

/** Whether a delivery's status says that the receiver took it. */
export const isDelivered = (status: string) => status.startsWith('2')
