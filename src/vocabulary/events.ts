/** The forms of a webhook's body: ours (spec §6), and those that the chats take. */
export const bodyFormats = ['caretaker', 'slack', 'teams'] as const
export type BodyFormat = (typeof bodyFormats)[number]

/**
 * The events in the order of spec §6, each with its subject: the name of that fact in the webhook's
 * body.
 */
export const subjectOf = {
  'incident.created': 'incident',
  'incident.status_changed': 'incident',
  'incident.sla_breached': 'incident',
  'incident.merged': 'incident',
  'asset.status_changed': 'asset',
} as const

/**
 * What people are told of, too, and webhooks are not: spec §6 has five events and no more (decision
 * 7.2).
 */
const internalEvents = ['incident.commented', 'incident.reopened'] as const
export type InternalEvent = (typeof internalEvents)[number]

export type EventName = keyof typeof subjectOf
export const eventNames = Object.keys(subjectOf) as [EventName, ...EventName[]]

/** The events about an incident, or about an asset. */
type EventAbout<S> = { [E in EventName]: (typeof subjectOf)[E] extends S ? E : never }[EventName]

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
 * An event of a change, with the facts as they then stood. `details` (status before and after, the
 * update) are for our own notifications and never leave by themselves; `occurredAt`: when, if not
 * at the time of the change.
 */
export type DomainEvent = { details?: Record<string, unknown>; occurredAt?: Date } & (
  | { event: EventAbout<'incident'>; incident: IncidentFact }
  | { event: EventAbout<'asset'>; asset: AssetFact }
  | { event: InternalEvent; incident: Pick<IncidentFact, 'id'> }
)

/**
 * The event of a test delivery. No one subscribes to it: it goes where it is asked for (decision
 * 4.8).
 */
export const testEvent = 'webhook.test'

/** Copies the fields of webhook bodies from a row, one by one, so that no person's name gets in. */
export function incidentFact(row: IncidentFact): IncidentFact {
  const { id, title, severity, status, slaBreached, source, assetId } = row
  return { id, title, severity, status, slaBreached, source, assetId }
}
