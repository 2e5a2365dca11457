import { coloursAsset, type Severity } from './severity.js'
import { HOUR } from './time/durations.js'
import type { Interval } from './time/intervals.js'

/** What an incident can do to its asset (decisions 2.8, 3.1). */
export const impacts = ['degraded', 'down'] as const
export type Impact = (typeof impacts)[number]

/** An impact in epoch ms; `end` is Infinity while it runs. */
export type ImpactSpan = Interval & { impact: Impact }

/** The fields of an incident that decide its present impact. */
export type Impacting = {
  assetId: number | null
  severity: Severity
  isDowntime: boolean
  resolvedAt: unknown
  mergedIntoId: number | null
}

/**
 * What an incident does to its asset now (decision 3.1): nothing once resolved or merged, or
 * without an asset. `impactSql` in models/status/impacts.ts says the same.
 */
export function impactOf(incident: Impacting): Impact | null {
  if (incident.assetId === null || incident.resolvedAt !== null || incident.mergedIntoId !== null) return null
  if (incident.isDowntime) return 'down'
  return coloursAsset(incident.severity) ? 'degraded' : null
}

/** Whether "not fixed" at `now` says that it was never repaired: within 72 hours (decision 2.8). */
export function neverRepaired(resolvedAt: Date, now: Date): boolean {
  return now.getTime() - resolvedAt.getTime() <= 72 * HOUR
}
