/** Severities, mildest first (spec §3). The position in the list is the order. */
export const severities = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]

/** Time-to-acknowledge targets in hours; decimals and 0 allowed (spec §8). */
export type SlaTargets = Record<Severity, number>

/** The targets of spec §8, before SLA_HOURS_ overrides. */
export const defaultSlaTargets: SlaTargets = { critical: 4, high: 24, medium: 72, low: 168 }

/** The hours of the targets, the mildest severity first, as `is_past_target` takes them. */
export const slaHours = (targets: SlaTargets): number[] => severities.map((severity) => targets[severity])

/** One level up, at most critical: the sweep does this once per incident (spec §3). */
export function nextSeverity(severity: Severity): Severity {
  return severities[Math.min(severities.indexOf(severity) + 1, severities.length - 1)]!
}

/** The deadline for acknowledging (spec §8). In elapsed hours: clock changes do not move it. */
export function acknowledgeBy(createdAt: Date, severity: Severity, targets: SlaTargets): Date {
  return new Date(createdAt.getTime() + targets[severity] * 3_600_000)
}

/** True for severities that colour an asset: medium and above (decision 3.1). */
export function coloursAsset(severity: Severity): boolean {
  return severity !== 'low'
}
