import type { Query } from '../../../src/platform/db/database.js'

/**
 * SQL: each escalation each person is notified of; what one sweep says to one person is one row,
 * the others under `more`.
 */
export const notifiedEscalations = `
  select o.id, o.recipient_id, o.kind, notified.incident_id
  from outbox o cross join lateral (
    select o.incident_id union all
    select (m ->> 'incidentId')::integer from jsonb_array_elements(o.payload -> 'more') m
  ) notified
  where o.event = 'incident.sla_breached'`

/**
 * SQL: by transaction, as a row's xmin names it, how many entries it wrote; counted once, not for
 * each row asked about.
 */
const entriesWritten = `
  with written as materialized (
    select transaction_id::text::bigint & 4294967295 as xid, count(*) as entries,
      count(*) filter (where action <> 'asset.status_changed') as acts
    from audit_entries where at >= (select min(created_at) from webhook_subscriptions) group by 1
  )`

const start = '(select min(created_at) as start from webhook_subscriptions) s'

/**
 * What must hold of the tables whatever broke when. Each row is a violation; incidents of these
 * runs begin with "Fault".
 */
const invariants: Record<string, string> = {
  'an incident without exactly one entry': `
    select i.id from incidents i left join audit_entries a on a.action = 'incident.created' and a.entity_id = i.id
    where i.title like 'Fault%' group by i.id having count(a.id) <> 1`,
  'an incident its reporter does not follow': `
    select i.id from incidents i where title like 'Fault%'
      and not exists (select from followers f where f.incident_id = i.id and f.user_id = i.reporter_id)`,
  'an incident of which no one in the office is notified': `
    select i.id from incidents i where title like 'Fault%'
      and not exists (select from outbox o where o.event = 'incident.created' and o.incident_id = i.id
        and o.kind = 'mail')`,
  'a word on a timeline without exactly one entry of its transaction': `
    ${entriesWritten}
    select u.id from incident_updates u
    join incidents i on i.id = u.incident_id and i.title like 'Fault%'
    left join written on xid = u.xmin::text::bigint
    where acts is distinct from 1`,
  'a photo without an entry of its transaction': `
    ${entriesWritten}
    select p.id from photos p join incidents i on i.id = p.incident_id and i.title like 'Fault%'
    left join written on xid = p.xmin::text::bigint
    where entries is null`,
  'an event without its delivery, or the other way round': `
    with acts as (
      select at, case when action in ('incident.verified', 'incident.reopened', 'incident.unmerged')
        then 'incident.status_changed' else action end as event
      from audit_entries
      where action in ('incident.created', 'incident.status_changed', 'incident.verified', 'incident.reopened',
          'incident.merged', 'incident.sla_breached', 'asset.status_changed')
        or (action = 'incident.unmerged' and changes ? 'status')
    ), due as (
      select s.id, event, count(*) as n from webhook_subscriptions s
        join acts on event = any (s.events) and at >= s.created_at
      group by 1, 2
    ), notified as (
      select subscription_id as id, event, count(*) as n from webhook_deliveries group by 1, 2
    )
    select event || ' of subscription ' || id || ': ' || coalesce(due.n, 0) || ' events, '
      || coalesce(notified.n, 0) || ' deliveries' as id
    from due full join notified using (id, event) where due.n is distinct from notified.n`,
  'an event of which no one was notified': 'select id from events',
  'an incident escalated twice': `
    select entity_id as id from audit_entries where action = 'incident.sla_breached' group by 1 having count(*) > 1`,
  'an incident escalated after it was acknowledged': `
    select e.entity_id as id from audit_entries e
    where e.action = 'incident.sla_breached' and e.at >= (select start from ${start})
      and exists (select from audit_entries a where a.entity = 'incident' and a.entity_id = e.entity_id and a.id < e.id
        and a.changes -> 'acknowledgedAt' ->> 'after' is not null)
      and not exists (select from audit_entries a where a.action = 'incident.unmerged' and a.entity_id = e.entity_id)`,
  'a breach without its entry': `
    select id from incidents where title like 'Fault%' and sla_breached and not exists (select from audit_entries a
      where a.entity = 'incident' and a.entity_id = incidents.id and a.changes -> 'slaBreached' ->> 'after' = 'true')`,
  'a duplicate of a duplicate': `
    select d.id from incidents d join incidents s on s.id = d.merged_into_id where s.merged_into_id is not null`,
  'a merge without what undoes it, or the other way round': `
    select coalesce(i.id, m.duplicate_id) as id from merges m
    full join (select * from incidents where merged_into_id is not null) i on i.id = m.duplicate_id
    where (m.duplicate_id is null and i.title like 'Fault%') or i.id is null`,
  'a follower of a duplicate who does not follow its survivor': `
    select d.id from incidents d join followers f on f.incident_id = d.id
    where d.title like 'Fault%' and d.merged_into_id is not null
      and not exists (select from followers o where o.incident_id = d.merged_into_id and o.user_id = f.user_id)
      and not exists (select from unfollows n where n.incident_id = d.merged_into_id and n.user_id = f.user_id)`,
  'an asset announced twice for one change, or not for one': `
    select entity_id as id from (
      select entity_id, changes -> 'status' ->> 'before' as before, changes -> 'status' ->> 'after' as after,
        lag(changes -> 'status' ->> 'after') over (partition by entity_id order by id) as last
      from audit_entries, ${start}
      where action = 'asset.status_changed' and at >= s.start) chain
    where before = after or before <> last`,
  'an asset whose last announcement is not the one it shows': `
    select * from (
      select distinct on (entity_id) entity_id as id, changes -> 'status' ->> 'after' as after
      from audit_entries, ${start}
      where action = 'asset.status_changed' and at >= s.start order by entity_id, audit_entries.id desc) newest
    where not exists (select from assets a where a.id = newest.id and a.announced_status = newest.after)`,
  'a follower to be notified twice that an incident was escalated': `
    select incident_id as id from (${notifiedEscalations}) notified
    group by incident_id, recipient_id, kind having count(*) > 1`,
  'an escalation of which its follower is not notified': `
    with notified as materialized (${notifiedEscalations})
    select i.id from incidents i join users u on u.id = i.reporter_id
    where i.title like 'Fault%' and not u.is_mobile_reporter
      and exists (select from audit_entries a where a.action = 'incident.sla_breached' and a.entity_id = i.id)
      and not exists (select from notified o where o.incident_id = i.id and o.recipient_id = u.id)`,
  'a stamp out of order':
    'select id from incidents where acknowledged_at < created_at or resolved_at < created_at',
  'settings that are not those of their last entry': `
    select p.id from properties p, lateral (
      select changes -> 'address' ->> 'after' as address from audit_entries
      where action = 'property.updated' and changes ? 'address' order by id desc limit 1) newest
    where p.address <> newest.address`,
  'a job that ran twice in a period': `
    select job || ' ' || period as id from job_runs where period is not null group by job, period having count(*) > 1`,
}

/** Where the tables break what holds between them: one line for each violation. */
export async function tableFaults(query: Query): Promise<string[]> {
  const faults: string[] = []
  for (const [what, sql] of Object.entries(invariants))
    for (const { id } of await query<{ id: unknown }>(sql)) faults.push(`${what}: ${id}`)
  return faults
}
