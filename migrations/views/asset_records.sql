create or replace view asset_records as
select
  a.id as asset_id,
  least(
    a.created_at,
    (
      select i.created_at from incidents i
      where i.asset_id = a.id and i.merged_into_id is null and i.dismissed_at is null
      order by i.created_at limit 1
    ),
    (
      select r.started_at from asset_impacts r
      where r.asset_id = a.id
      order by r.started_at limit 1
    )
  ) as recorded_since
from assets a;

comment on view asset_records is
  'Since when something is known of each asset (decision 9.20): it was entered, first reported, or began to be out of order, whichever came first.';
