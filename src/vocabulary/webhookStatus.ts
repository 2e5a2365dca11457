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

/** Whether a delivery's status says that the receiver took it. */
export const isDelivered = (status: string) => status.startsWith('2')
