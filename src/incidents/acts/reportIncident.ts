import { type Change, change } from '../../platform/db/change.js'
import { columnOf } from '../../platform/db/fieldNames.js'
import { type Bind, type Statement, statement } from '../../platform/db/statement.js'
import { impactOf } from '../../vocabulary/assetStatus.js'
import { type Changes, changesBetween } from '../../vocabulary/audit.js'
import { incidentFact } from '../../vocabulary/events.js'
import { type Source, startsDowntime } from '../../vocabulary/lifecycle.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { ValidationFailed } from '../../vocabulary/validation.js'
import { incidentEntity, type ListedIncident, type Report, type ReportedField } from '../model/entity.js'
import {
  type IncidentPhoto,
  type PostedPhotos,
  type StagedPhoto,
  withPhotos,
} from '../model/photos/photos.js'
import { stagedPhotos } from '../model/photos/stagedPhotos.js'

const reportedNames = Object.keys(incidentEntity.creates) as ReportedField[]

type Reported = { incident: ListedIncident; photos: IncidentPhoto[] }
type Made = ListedIncident & { photos?: Pick<IncidentPhoto, 'id' | 'path' | 'width' | 'height'>[] }

/**
 * Opens an incident (spec §4 rule 1): the credential sets the source, the reporter follows it,
 * incident.created fires. Throws ValidationFailed for an unknown asset or unit, or a staged photo
 * that was used meanwhile.
 */
export async function reportIncident(
  actor: Actor,
  report: Report,
  photos: PostedPhotos = { stored: [], staged: [] },
): Promise<Reported> {
  const photoCount = photos.stored.length + photos.staged.length
  return withPhotos(photos.stored, async () => {
    const write = async (c: Change, [made]: Made[]) => {
      if (!made) {
        c.noop()
        return null
      }
      c.audit('incident.created', made.id, createdChanges(actor, report, photoCount))
      c.emit({ event: 'incident.created', incident: incidentFact(made) })
      c.recheckStatus(made.assetId)
      return made
    }
    const made = await change(actor, write, reportStatement(actor, report, photos))
    if (!made) throw await whyRefused(actor, report, photos.staged)
    const { photos: attached = [], ...incident } = made
    const { id: incidentId, createdAt } = incident
    return {
      incident,
      photos: attached.map((photo) => ({ ...photo, incidentId, createdAt, updateId: null, hiddenAt: null })),
    }
  })
}

/** The incident with what comes with it, as one statement: a round trip less for each part. */
function reportStatement(actor: Actor, report: Report, { stored, staged }: PostedPhotos): Statement {
  const photos = [...staged, ...stored]
  const ids = staged.map(({ id }) => id)
  return statement((bind) => {
    const steps: Record<string, string> = {
      made: insertSql(bind, actor, report, ids),
      followed: followedSql,
      ...(startsImpact(report) && { impacts: startReportedImpactsSql }),
      ...(ids.length > 0 && {
        claimed: `delete from staged_photos s using made where s.id = any (${bind(ids)}::uuid[])`,
      }),
      ...(photos.length > 0 && { attached: attachedSql(bind(JSON.stringify(photos))) }),
    }
    const parts = Object.entries(steps).map(([name, sql]) => `${name} as (${sql})`)
    return `with ${parts.join(', ')} ${photos.length > 0 ? madeWithPhotosSql : madeSql}`
  })
}

/** Whether the report makes its asset down or degraded; others need no impact and no lock. */
function startsImpact({ assetId, severity }: Report): boolean {
  const isDowntime = startsDowntime(assetId, severity)
  return impactOf({ assetId, severity, isDowntime, resolvedAt: null, mergedIntoId: null }) !== null
}

/**
 * Inserts nothing when the asset or unit is missing or archived, or when a staged photo is missing.
 */
function insertSql(bind: Bind, actor: Actor, report: Report, staged: string[]): string {
  const fields = reportedNames.map((name) => ({
    name,
    value: `${bind(report[name] ?? null)}::${incidentEntity.fields[name].column.type}`,
  }))
  const sqlFor = (name: string) => fields.find((each) => each.name === name)!.value
  const [assetId, unitId] = [sqlFor('assetId'), sqlFor('unitId')]
  const isDowntime = startsDowntime(report.assetId, report.severity)
  const now = actor.past ? `${bind(actor.past)}::timestamptz` : `date_trunc('milliseconds', now())`
  return `
    insert into incidents (
      ${fields.map(({ name }) => columnOf(name)).join(', ')},
      source, reporter_id, is_downtime, created_at)
    select ${fields.map(({ value }) => value).join(', ')},
      ${bind(sourceOf(actor))}, ${bind(actor.id)}::integer, ${bind(isDowntime)}::boolean, ${now}
    where in_change()
      and (${assetId} is null or exists (select from assets where id = ${assetId} and archived_at is null))
      and (${unitId} is null or exists (select from units where id = ${unitId} and archived_at is null))
      ${startsImpact(report) && !actor.past ? heldSql(assetId) : ''}
      ${staged.length > 0 ? lockedSql(bind(staged), bind(staged.length)) : ''}
    returning *`
}

/**
 * SQL: locks the asset against `lockAssets`, but not against other reports: reports only start
 * impacts, which needs no order among them.
 */
const heldSql = (assetId: string) =>
  `and exists (select from (select id from assets where id = ${assetId} for share) held)`

/** SQL: locks the staged photos until the transaction ends, and demands that all exist. */
const lockedSql = (ids: string, count: string) => `and ${count}::integer = (
  select count(*) from (
    select from staged_photos where id = any (${ids}::uuid[]) order by id for update
  ) locked)`

const followedSql =
  'insert into followers (incident_id, user_id, created_at) select id, reporter_id, created_at from made'

/** What the report does to its asset from its first moment on. */
const startReportedImpactsSql = `
  insert into asset_impacts (incident_id, asset_id, impact, started_at)
  select id, asset_id, incident_impact(asset_id, resolved_at, merged_into_id, is_downtime, severity), created_at
  from made
  where incident_impact(asset_id, resolved_at, merged_into_id, is_downtime, severity) is not null`

/** SQL: attaches these photos, which are JSON. */
const attachedSql = (photos: string) => `
  insert into photos (incident_id, path, width, height, bytes, created_at)
  select made.id, p.path, p.width, p.height, p.bytes, made.created_at
  from made, json_to_recordset(${photos}) as p (path text, width integer, height integer, bytes integer)
  returning id, path, width, height`

/** The report as `listed_incidents` will show it, which cannot see it within its own statement. */
const madeSql = `
  select made.*, a.name as asset_name, u.name as unit_name, u.tower_name, coalesce(r.name, 'By email') as reporter_name,
    coalesce(is_staff(r.role), false) as reporter_is_staff, null as claimed_name, p.unit_visibility
  from made
  left join assets a on a.id = made.asset_id
  left join named_units u on u.id = made.unit_id
  left join users r on r.id = made.reporter_id
  cross join properties p`

const madeWithPhotosSql = `
  select listed.*, (
    select json_agg(json_build_object('id', id, 'path', path, 'width', width, 'height', height) order by id)
    from attached
  ) as photos
  from (${madeSql}) listed`

const sourceOf = (actor: Actor): Source => (actor.via === 'mobile' ? 'mobile' : 'web')

async function whyRefused(
  actor: Actor,
  { assetId }: Report,
  staged: readonly StagedPhoto[],
): Promise<ValidationFailed> {
  const left =
    actor.id === null
      ? []
      : await stagedPhotos(
          { userId: actor.id },
          staged.map(({ id }) => id),
        )
  if (left.length < staged.length) return new ValidationFailed({ photos: ['photo_staged_gone'] })
  return new ValidationFailed(
    assetId === null ? { unitId: ['unit_unknown'] } : { assetId: ['asset_unknown'] },
  )
}

function createdChanges(actor: Actor, report: Report, photos: number): Changes {
  const isDowntime = startsDowntime(report.assetId, report.severity)
  return changesBetween(null, { ...report, status: 'open', source: sourceOf(actor), isDowntime, photos })
}
