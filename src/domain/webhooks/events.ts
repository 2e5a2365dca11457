/** The events of spec §6, in its order. */
export const eventNames = [
  'incident.created',
  'incident.status_changed',
  'incident.sla_breached',
  'incident.merged',
  'asset.status_changed',
] as const
export type EventName = (typeof eventNames)[number]

/** The incident as webhook bodies carry it, at the moment of the event (spec §6 rule 3). */
export type IncidentFact = {
  id: number
  title: string
  severity: string
  status: string
  slaBreached: boolean
  source: string
  assetId: number | null
}

/** The asset as webhook bodies carry it (spec §6 rule 3). */
export type AssetFact = { id: number; name: string; category: string; status: string }

/**
 * Something that happened in a change, with the facts as they stood then. `details` is for those who are told: the
 * status before and after, the update, the duplicate. It never leaves the building by itself.
 */
export type Happening = { details?: Record<string, unknown> } & (
  | { event: Exclude<EventName, 'asset.status_changed'>; incident: IncidentFact }
  | { event: 'asset.status_changed'; asset: AssetFact }
)

/** Takes of a row what webhook bodies carry, field by field: nobody's name is among it. */
export function incidentFact(row: IncidentFact): IncidentFact {
  const { id, title, severity, status, slaBreached, source, assetId } = row
  return { id, title, severity, status, slaBreached, source, assetId }
}
