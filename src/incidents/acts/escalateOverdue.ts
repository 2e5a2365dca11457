import { type Change, change, type Statement, statement } from '../../platform/db/change.js'
import { query } from '../../platform/db/database.js'
import { isStaffSql } from '../../platform/http/session/currentUser.js'
import { enqueueSql } from '../../platform/outbox/enqueueEmail.js'
import { assetIsHeldSql, beginImpactSql, knownEndsSql } from '../../status/queries/impacts.js'
import { placeJoins, publicPlaceNameSql, waitingSql } from '../../status/queries/incidentFacts.js'
import type { Changes } from '../../vocabulary/audit.js'
import { type IncidentFact, incidentFact } from '../../vocabulary/events.js'
import type { Actor } from '../../vocabulary/people/actor.js'
import { raised, type Severity, type SlaTargets, severities } from '../../vocabulary/severity.js'
import { overdueSql, targetsSql } from '../model/timeline.js'

type Raised = IncidentFact & { severity: Severity; was: Severity }
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
    `select count(*)::integer as checked from incidents w where ${waiting}`,
  )
  const record = async (c: Change, raisedIncidents: Raised[]) => {
    if (raisedIncidents.length === 0) c.noop()
    for (const incident of raisedIncidents) {
      const { id, assetId, was: from, severity: to } = incident
      c.audit('incident.sla_breached', id, breachChanges(from, to))
      c.emit({ event: 'incident.sla_breached', incident: incidentFact(incident), details: { from, to } })
      c.recheckStatus(assetId)
    }
    return raisedIncidents.map(({ id, was, severity }) => ({ id, from: was, to: severity }))
  }
  const escalated = await change({ ...actor, inBulk: true }, record, escalationStatement(actor, targets))
  return { checked: open!.checked, escalated }
}

/** The raised incidents, with what they do to their assets and the email about them. */
function escalationStatement(actor: Actor, targets: SlaTargets): Statement {
  return statement((bind) => {
    const now = actor.past ? `${bind(actor.past)}::timestamptz` : 'now()'
    const steps: Record<string, string> = {
      made: escalateSql(targetsSql(targets, bind), now),
      ...(!actor.past && { report: reportSql(bind(actor.requestId ?? null)) }),
      begun: beginImpactSql(newlyDegradingSql(now), 'greatest(i.sla_breached_at, i.known_end)'),
    }
    const parts = Object.entries(steps).map(([name, sql]) => `${name} as (${sql})`)
    return `with ${parts.join(', ')}
      select id, title, severity, status, sla_breached, source, asset_id, was
      from made order by id`
  })
}

const waiting = `${waitingSql('w')} and not w.sla_breached`

/**
 * Finds incidents past the shortest target by an index of waiting incidents, so cost does not grow
 * with history; each severity's own target then decides.
 */
const escalateSql = (targets: string[], now: string) => `
  update incidents i
  set severity = due.raised, sla_breached = true, sla_breached_at = date_trunc('milliseconds', ${now})
  from (
    select id, severity as was, case severity ${risesTo} end as raised
    from incidents w
    where ${waiting}
      and created_at < ${now} - make_interval(secs => 3600 * least(${targets.join(', ')}))
      and ${overdueSql('w', targets, now)}
    order by id for update skip locked
  ) due
  where i.id = due.id
  returning i.*, due.was`

/** Only a low incident that is no downtime did nothing to its asset before. */
const newlyDegradingSql = (now: string) => `(
  select made.*, late.known_end
  from made left join (${knownEndsSql(now)}) late on late.incident_id = made.id
  where was = 'low' and not is_downtime and (asset_id is null or ${assetIsHeldSql('made.asset_id')}))`

const risesTo = severities.map((from) => `when '${from}' then '${raised(from)}'`).join(' ')

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
      'id', listed.id, 'title', listed.title, 'from', listed.was, 'to', listed.severity, 'where', listed.place
    ) order by listed.id) filter (where listed.place_in_email <= ${namedInEmail})) as payload
    from (
      select made.*, row_number() over (order by made.id) as place_in_email,
        coalesce(${publicPlaceNameSql}, '') as place
      from made ${placeJoins('made')}
    ) listed
    having count(*) > 0
  ) report
  where u.active and ${isStaffSql('u')}`,
  )
