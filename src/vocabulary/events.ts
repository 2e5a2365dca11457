/** The forms of a webhook's body: ours (spec §6), and those that the chats take. */
export const bodyFormats = ['caretaker', 'slack', 'teams'] as const
export type BodyFormat = (typeof bodyFormats)[number]

/** The events in the order of spec §6, each with the name of its subject in the webhook's body. */
export const subjectOf = {
  'incident.created': 'incident',
  'incident.status_changed': 'incident',
  'incident.sla_breached': 'incident',
  'incident.merged': 'incident',
  'asset.status_changed': 'asset',
} as const

/** Events of which people are notified and webhooks are not: spec §6 has five (decision 7.2). */
export type InternalEvent = 'incident.commented' | 'incident.reopened'

/**
 * The key, in the stored details of an event, of the follower by email who wrote. Processes of
 * version 1.0.0 (commit bfee6a98) write it and read it, so it keeps the name that it has there.
 */
export const storedEmailFollowerKey = 'mailFollowerId'

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

/** The event of a test delivery, to which no one subscribes (decision 4.8). */
export const testEvent = 'webhook.test'

/** Copies the fields of webhook bodies from a row, one by one, so that no person's name gets in. */
export function incidentFact(row: IncidentFact): IncidentFact {
  const { id, title, severity, status, slaBreached, source, assetId } = row
  return { id, title, severity, status, slaBreached, source, assetId }
}

/**
 * The kinds of email, by the event of their rows in the outbox; `app/emailKinds.ts` says what each
 * is. The names are stored, and so `incident.handed_over` (assigned), `follow.asked` (to confirm)
 * and `mail.received` (the receipt of an email) keep the ones they had first.
 */
export type EmailName =
  | Exclude<EventName, 'asset.status_changed'>
  | InternalEvent
  | 'incident.receipt'
  | 'incident.unmerged'
  | 'incident.handed_over'
  | 'asset.news'
  | 'sweep.report'
  | 'digest'
  | 'account.invited'
  | 'account.reset'
  | 'account.sign_in'
  | 'account.sign_up'
  | 'account.notice'
  | 'mail.received'
  | 'follow.asked'
