import { unitJoins, unitNameSql } from '../../building/unitName.js'
import { type SlaTargets, severities } from '../../vocabulary/severity.js'

/**
 * SQL: an incident of its own, and a report: what counts, in lists and figures (decisions 2.5,
 * 7.14).
 */
export const countedSql = (incident: string) =>
  `${incident}.merged_into_id is null and ${incident}.dismissed_at is null`

/**
 * SQL: open and unmerged: on the desk, also when it was acknowledged and set back (decision 7.1).
 */
export const openSql = (incident: string) =>
  `${incident}.status = 'open' and ${incident}.merged_into_id is null`

/** SQL: open, unmerged and never acknowledged: counted by the sweep and the digest (spec §8). */
export const waitingSql = (incident: string) =>
  `${incident}.status = 'open' and ${incident}.acknowledged_at is null and ${incident}.merged_into_id is null`

/** Binds the hours of the targets, mildest severity first, for `overdueSql`. */
export const targetsSql = (targets: SlaTargets, bind: (hours: number) => string) =>
  severities.map((severity) => `${bind(targets[severity])}::float8`)

/**
 * SQL: whether the target of the incident's severity has passed at `at` (spec §8): for sweep and
 * acknowledgement.
 */
export const overdueSql = (incident: string, targets: readonly string[], at: string) =>
  `${incident}.created_at < ${at} - make_interval(secs => 3600 * (case ${incident}.severity ${severities
    .map((severity, i) => `when '${severity}' then ${targets[i]}`)
    .join(' ')} end))`

/**
 * SQL: the columns of a breach when the status moves: the first time past open after the target is
 * one (decision 7.1).
 */
export function lateAcknowledgementSql(incident: string, targets: readonly string[], acknowledgedAt: string) {
  const first = `${incident}.sla_breached_at is null and ${incident}.acknowledged_at is null`
  const at = `case when ${first} and ${overdueSql(incident, targets, acknowledgedAt)} then ${acknowledgedAt}
    else ${incident}.sla_breached_at end`
  return `sla_breached_at = ${at}, sla_breached = (${at}) is not null`
}

/** SQL: joins the incident's place, if any: `assets a`, or `units u` with its `towers t`. */
export const placeJoins = (incident: string) =>
  `left join assets a on a.id = ${incident}.asset_id ${unitJoins(incident)}`

/**
 * SQL: the name of the place that everyone may read: of a hidden flat, its tower (decision 7.13);
 * null without one.
 */
export const publicPlaceNameSql = `coalesce(a.name,
  case when (select unit_visibility from properties) = 'everybody' then ${unitNameSql} else t.name end)`

/** SQL: the name of the place; null without one. */
export const placeNameSql = `coalesce(a.name, ${unitNameSql})`
