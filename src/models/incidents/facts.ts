import { unitJoins, unitNameSql } from '../building/unitName.js'

/** SQL: open and unmerged: on the desk, also when it was acknowledged and set back (decision 7.1). */
export const openSql = (incident: string) =>
  `${incident}.status = 'open' and ${incident}.merged_into_id is null`

/** SQL: open, unmerged and never acknowledged: counted by the sweep and the digest (spec §8). */
export const waitingSql = (incident: string) =>
  `${incident}.status = 'open' and ${incident}.acknowledged_at is null and ${incident}.merged_into_id is null`

/** SQL: joins the incident's place, if any: `assets a`, or `units u` with its `towers t`. */
export const placeJoins = (incident: string) =>
  `left join assets a on a.id = ${incident}.asset_id ${unitJoins(incident)}`

/** SQL: the name of the place; null without one. */
export const placeNameSql = `coalesce(a.name, ${unitNameSql})`
