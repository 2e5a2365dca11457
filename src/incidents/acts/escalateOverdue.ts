import { type Change, change } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { type Statement, statement } from '../../platform/db/statement.js'
import { enqueueSql } from '../../platform/outbox/outboxRow.js'
import type { Changes } from '../../vocabulary/audit.js'
import { type IncidentFact, incidentFact } from '../../vocabulary/events.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import {
  nextSeverity,
  type Severity,
  type SlaTargets,
  severities,
  slaHours,
} from '../../vocabulary/severity.js'

type Raised = IncidentFact & { severity: Severity; severityBefore: Severity }
type Escalated = { id: number; from: Severity; to: Severity }
/** How many waited, and which were raised. */
export type SweepResult = { checked: number; escalated: Escalated[] }

/** Incidents named in the staff's email; the others are only counted. */
const namedInEmail = 50

/**
 * Escalates and flags once every open, unacknowledged incident past its target (spec §3, §8,
 * decision 4.6). One conditional statement: concurrent sweeps or acknowledgements never escalate an
 * incident twice.
 */
export async function escalateOverdue(actor: Actor, targets: SlaTargets): Promise<SweepResult> {
  const [open] = await query<{ checked: number }>(
    'select count(*)::integer as checked from incidents w where is_waiting(w) and not w.sla_breached',
  )
  const record = async (c: Change, raisedIncidents: Raised[]) => {
    if (raisedIncidents.length === 0) c.noop()
    for (const incident of raisedIncidents) {
      const { id, assetId, severityBefore: from, severity: to } = incident
      c.audit('incident.sla_breached', id, breachChanges(from, to))
      c.emit({ event: 'incident.sla_breached', incident: incidentFact(incident), details: { from, to } })
      c.recheckStatus(assetId)
    }
    return raisedIncidents.map(({ id, severityBefore, severity }) => ({
      id,
      from: severityBefore,
      to: severity,
    }))
  }
  const escalated = await change({ ...actor, inBulk: true }, record, escalationStatement(actor, targets))
  return { checked: open!.checked, escalated }
}

/** The raised incidents, with what they do to their assets and the email about them. */
function escalationStatement(actor: Actor, targets: SlaTargets): Statement {
  return statement((bind) => {
    const now = actor.past ? `${bind(actor.past)}::timestamptz` : 'now()'
    const steps: Record<string, string> = {
      escalated: escalateSql(
        `${bind(slaHours(targets))}::float8[]`,
        `${bind(Math.min(...slaHours(targets)))}::float8`,
        now,
      ),
      ...(!actor.past && { report: reportSql(bind(actor.requestId ?? null)) }),
      impacts: startEscalatedImpactsSql(now),
    }
    const parts = Object.entries(steps).map(([name, sql]) => `${name} as (${sql})`)
    return `with ${parts.join(', ')}
      select id, title, severity, status, sla_breached, source, asset_id, severity_before
      from escalated order by id`
  })
}

/**
 * SQL: finds incidents past the shortest target by an index of waiting incidents, so cost does not
 * grow with history; each severity's own target then decides.
 */
const escalateSql = (hours: string, shortest: string, now: string) => `
  update incidents i
  set severity = due.raised, sla_breached = true, sla_breached_at = date_trunc('milliseconds', ${now})
  from (
    select w.id, w.severity as severity_before, case w.severity ${risesTo} end as raised
    from incidents w
    where in_change() and is_waiting(w) and not w.sla_breached
      and w.created_at < ${now} - make_interval(secs => 3600 * ${shortest})
      and is_past_target(w.created_at, w.severity, ${hours}, ${now})
    order by w.id for update skip locked
  ) due
  where i.id = due.id
  returning i.*, due.severity_before`

/**
 * SQL: starts the impact of incidents that had none: only low ones that are no downtime. After a
 * clock that went back, it starts at the latest known end; that is read once for all, because one
 * read for each took a third of the sweep. The assets are locked against `lockAssets`, each once,
 * in the order of their ids.
 */
const startEscalatedImpactsSql = (now: string) => `
  insert into asset_impacts (incident_id, asset_id, impact, started_at)
  select
    escalated.id,
    escalated.asset_id,
    incident_impact(
      escalated.asset_id, escalated.resolved_at, escalated.merged_into_id, escalated.is_downtime,
      escalated.severity
    ),
    greatest(escalated.sla_breached_at, late.known_end)
  from escalated
  join (
    select id from assets where id in (select asset_id from escalated) order by id for share
  ) locked on locked.id = escalated.asset_id
  left join (
    select incident_id, max(ended_at) as known_end from asset_impacts where ended_at > ${now} group by incident_id
  ) late on late.incident_id = escalated.id
  where escalated.severity_before = 'low' and not escalated.is_downtime
    and incident_impact(
      escalated.asset_id, escalated.resolved_at, escalated.merged_into_id, escalated.is_downtime, escalated.severity
    ) is not null`

const risesTo = severities.map((from) => `when '${from}' then '${nextSeverity(from)}'`).join(' ')

function breachChanges(before: Severity, after: Severity): Changes {
  const rise = before === after ? {} : { severity: { before, after } }
  return { slaBreached: { before: false, after: true }, ...rise }
}

/** One email per run to each active member of staff, when something was escalated. */
const reportSql = (requestId: string) =>
  enqueueSql(
    { event: `'sweep.report'`, userId: 'u.id', payload: 'report.payload', createdAt: 'now()', requestId },
    `from users u, (
    select jsonb_build_object('total', count(*), 'escalated', jsonb_agg(jsonb_build_object(
      'id', listed.id, 'title', listed.title, 'from', listed.severity_before, 'to', listed.severity,
      'where', listed.place
    ) order by listed.id) filter (where listed.place_in_email <= ${namedInEmail})) as payload
    from (
      select escalated.*, row_number() over (order by escalated.id) as place_in_email,
        coalesce(public_place_name(a.name, u.name, u.tower_name, p.unit_visibility), '') as place
      from escalated
      left join assets a on a.id = escalated.asset_id
      left join named_units u on u.id = escalated.unit_id
      cross join properties p
    ) listed
    having count(*) > 0
  ) report
  where u.active and is_staff(u.role)`,
  )
