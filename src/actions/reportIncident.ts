import { type Change, change } from '../change.js'
import type { Actor } from '../domain/actor.js'
import { changesBetween } from '../domain/audit.js'
import { incidentFact } from '../domain/events.js'
import { Invalid } from '../domain/invalid.js'
import { type Source, startsDowntime } from '../domain/lifecycle.js'
import type { Severity } from '../domain/severity.js'
import { type IncidentPhoto, type ListedIncident, listedFrom } from '../models/incident.js'
import type { StagedPhoto } from '../models/photo.js'
import { claimStaged, insertPhotos, type StoredPhoto, withPhotos } from './photos.js'

/** A report as the create request has it (spec §2); exactly one of assetId and unitId was checked at the door. */
export type Report = {
  title: string
  description: string
  severity: Severity
  assetId: number | null
  unitId: number | null
  isAnonymous: boolean
}

export type ReportPhotos = { stored: readonly StoredPhoto[]; staged: readonly StagedPhoto[] }

/**
 * Opens an incident (spec §4 rule 1): the source follows the credential, the reporter follows it, incident.created
 * fires. Throws Invalid for an asset or unit that is not there.
 */
export async function reportIncident(
  actor: Actor,
  report: Report,
  photos: ReportPhotos = { stored: [], staged: [] },
): Promise<{ incident: ListedIncident; photos: IncidentPhoto[] }> {
  return withPhotos(photos.stored, () =>
    change(actor, async (c) => {
      await claimStaged(c, photos.staged)
      const incident = await insertIncident(c, report)
      const attached = await insertPhotos(c, incident.id, null, [...photos.staged, ...photos.stored])
      c.audit('incident.created', incident.id, changesBetween(null, createdFields(incident, attached.length)))
      c.emit({ event: 'incident.created', incident: incidentFact(incident) })
      c.touch(incident.assetId)
      return { incident, photos: attached as IncidentPhoto[] }
    }),
  )
}

const sourceOf = (actor: Actor): Source => (actor.via === 'mobile' ? 'mobile' : 'web')

/** One statement makes the incident and its first follower: the report path is the one residents wait for. */
async function insertIncident(c: Change, report: Report): Promise<ListedIncident> {
  const [incident] = await c.query<ListedIncident>(insert, [
    report.title,
    report.description,
    report.severity,
    sourceOf(c.actor),
    report.assetId,
    report.unitId,
    c.actor.id,
    report.isAnonymous,
    startsDowntime(report.assetId, report.severity),
    c.now,
  ])
  if (incident) return incident
  throw new Invalid(report.assetId === null ? { unitId: ['unit_unknown'] } : { assetId: ['asset_unknown'] })
}

const insert = `
  with made as (
    insert into incidents
      (title, description, severity, source, asset_id, unit_id, reporter_id, is_anonymous, is_downtime, created_at)
    select $1, $2, $3, $4, $5::integer, $6::integer, $7::integer, $8::boolean, $9::boolean, $10::timestamptz
    where ($5::integer is null or exists (select 1 from assets where id = $5 and archived_at is null))
      and ($6::integer is null or exists (select 1 from units where id = $6 and archived_at is null))
    returning *
  ), followed as (
    insert into followers (incident_id, user_id, created_at) select id, reporter_id, created_at from made
  )
  ${listedFrom('made')}`

function createdFields(incident: ListedIncident, photos: number): Record<string, unknown> {
  const { title, description, severity, status, source, assetId, unitId, isAnonymous, isDowntime } = incident
  return { title, description, severity, status, source, assetId, unitId, isAnonymous, isDowntime, photos }
}
