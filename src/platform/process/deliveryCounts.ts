/** How many deliveries of a kind had a result: one of `DeliveryOutcome`, or a webhook's. */
const deliveries = new Map<string, { kind: string; result: string; count: number }>()

/** Counts the end of one attempt to deliver. */
export function countDelivery(kind: string, result: string, count = 1): void {
  const key = `${kind} ${result}`
  const known = deliveries.get(key)
  if (known) known.count += count
  else deliveries.set(key, { kind, result, count })
}

/** All that were counted so far. */
export function countedDeliveries(): readonly { kind: string; result: string; count: number }[] {
  return [...deliveries.values()]
}
