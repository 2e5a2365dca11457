import type { z } from 'zod'
import { type Bind, type Change, change, changeInOneStatement, statement } from '../../change.js'
import type { Actor } from '../../domain/accounts/actor.js'
import { type Changes, changesBetween } from '../../domain/audit/audit.js'
import { type Source, startsDowntime } from '../../domain/incidents/lifecycle.js'
import { Invalid } from '../../domain/system/invalid.js'
import { incidentFact } from '../../domain/webhooks/events.js'
import { columnOf, incidentFields, reportedNames, type reportRules } from '../../models/incidents/fields.js'
import {
  type IncidentPhoto,
  incidentFactSql,
  type ListedIncident,
  listedFrom,
} from '../../models/incidents/incident.js'
import type { StagedPhoto } from '../../models/incidents/photo.js'
import { claimStaged, insertPhotos, type StoredPhoto, withPhotos } from './photos.js'

/** A report as the create request has it (spec §2); exactly one of assetId and unitId was checked at the door. */
export type Report = z.output<z.ZodObject<typeof reportRules>>

export type ReportPhotos = { stored: readonly StoredPhoto[]; staged: readonly StagedPhoto[] }
type Reported = { incident: ListedIncident; photos: IncidentPhoto[] }

/**
 * Opens an incident (spec §4 rule 1): the source follows the credential, the reporter follows it, incident.created
 * fires. Throws Invalid for an asset or unit that is not there.
 */
export async function reportIncident(
  actor: Actor,
  report: Report,
  photos: ReportPhotos = { stored: [], staged: [] },
): Promise<Reported> {
  const alone = photos.stored.length + photos.staged.length === 0 && !actor.idempotency && !actor.past
  return alone
    ? reportAlone(actor, report)
    : withPhotos(photos.stored, () => reportTogether(actor, report, photos))
}

/** With nothing to store beside it: one statement. */
async function reportAlone(actor: Actor, report: Report): Promise<Reported> {
  const [incident] = await changeInOneStatement<ListedIncident>(actor, {
    action: 'incident.created',
    changes: createdChanges(actor, report, 0),
    event: 'incident.created',
    rows: (bind) => insertSql(bind, actor, report, `date_trunc('milliseconds', now())`),
    also: [() => followSql],
    fact: incidentFactSql('made'),
    now: 'made.created_at',
    select: listedFrom('made'),
  })
  return { incident: incident ?? refusePlace(report), photos: [] }
}

/** With photos, an Idempotency-Key, or in the past. */
function reportTogether(actor: Actor, report: Report, photos: ReportPhotos): Promise<Reported> {
  return change(actor, async (c) => {
    await claimStaged(c, photos.staged)
    const incident = (await insertIncident(c, report)) ?? refusePlace(report)
    const attached = await insertPhotos(c, incident.id, null, [...photos.staged, ...photos.stored])
    c.audit('incident.created', incident.id, createdChanges(actor, report, attached.length))
    c.emit({ event: 'incident.created', incident: incidentFact(incident) })
    c.touch(incident.assetId)
    return { incident, photos: attached as IncidentPhoto[] }
  })
}

async function insertIncident(c: Change, report: Report): Promise<ListedIncident | undefined> {
  const { text, values } = statement((bind) => {
    const insert = insertSql(bind, c.actor, report, `${bind(c.now)}::timestamptz`)
    return `with made as (${insert}), followed as (${followSql}) ${listedFrom('made')}`
  })
  return (await c.query<ListedIncident>(text, values))[0]
}

/** Inserts nothing when the asset or unit is not there or archived. */
function insertSql(bind: Bind, actor: Actor, report: Report, now: string): string {
  const fields = reportedNames.map((name) => ({
    name,
    value: `${bind(report[name] ?? null)}::${incidentFields[name].kind.type}`,
  }))
  const sqlFor = (name: string) => fields.find((each) => each.name === name)!.value
  const [assetId, unitId] = [sqlFor('assetId'), sqlFor('unitId')]
  const isDowntime = startsDowntime(report.assetId, report.severity)
  return `
    insert into incidents (${fields.map(({ name }) => columnOf(name)).join(', ')}, source, reporter_id, is_downtime, created_at)
    select ${fields.map(({ value }) => value).join(', ')},
      ${bind(sourceOf(actor))}, ${bind(actor.id)}::integer, ${bind(isDowntime)}::boolean, ${now}
    where (${assetId} is null or exists (select from assets where id = ${assetId} and archived_at is null))
      and (${unitId} is null or exists (select from units where id = ${unitId} and archived_at is null))
    returning *`
}

const followSql =
  'insert into followers (incident_id, user_id, created_at) select id, reporter_id, created_at from made'

const sourceOf = (actor: Actor): Source => (actor.via === 'mobile' ? 'mobile' : 'web')

function refusePlace({ assetId }: Report): never {
  throw new Invalid(assetId === null ? { unitId: ['unit_unknown'] } : { assetId: ['asset_unknown'] })
}

function createdChanges(actor: Actor, report: Report, photos: number): Changes {
  const isDowntime = startsDowntime(report.assetId, report.severity)
  return changesBetween(null, { ...report, status: 'open', source: sourceOf(actor), isDowntime, photos })
}
