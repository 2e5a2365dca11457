import { type Query, query } from '../../src/platform/db/database.js'
import { fillImpacts } from './fillImpacts.js'

/**
 * After incidents were written by SQL: their impacts as the fields say, like
 * those of older databases.
 */
export async function impactsByFields(run: (sql: string) => Promise<unknown> = query): Promise<void> {
  await run('delete from asset_impacts')
  await run(fillImpacts)
}

/**
 * What is out of service is so no longer: its uptime falls every few minutes and its
 * hours grow, and whoever reads twice may read two figures. To be called before anything
 * is asked of the building.
 */
export async function endImpacts(): Promise<void> {
  await query('update asset_impacts set ended_at = now() where ended_at is null')
}

/**
 * Where the whole database breaks decision 2.8: incidents whose running impact is not what their
 * fields say, and impacts of one incident that overlap. Written from decisions 2.8 and 3.1 alone.
 */
export async function impactFaults(ask: Query = query): Promise<string[]> {
  const rows = await ask<{ fault: string }>(`
    select format('INC-%s runs %s, its fields say %s', i.id, coalesce(r.impact || ' on ' || r.asset_id, 'nothing'),
      coalesce(said.impact || ' on ' || i.asset_id, 'nothing')) as fault
    from incidents i
    left join asset_impacts r on r.incident_id = i.id and r.ended_at is null
    cross join lateral (
      select case when i.is_downtime then 'down'
        when i.severity in ('medium', 'high', 'critical') then 'degraded' end as impact
      where i.asset_id is not null and i.status not in ('resolved', 'verified') and i.merged_into_id is null
      union all select null
        where i.asset_id is null or i.status in ('resolved', 'verified') or i.merged_into_id is not null
    ) said
    where (r.impact, r.asset_id) is distinct from (said.impact, case when said.impact is not null then i.asset_id end)
    union all
    select format('INC-%s does %s from %s and %s from %s', a.incident_id, a.impact, a.started_at, b.impact,
      b.started_at)
    from asset_impacts a join asset_impacts b on b.incident_id = a.incident_id and b.started_at > a.started_at
    where a.ended_at is null or a.ended_at > b.started_at`)
  return rows.map(({ fault }) => fault)
}
