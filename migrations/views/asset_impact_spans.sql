create or replace view asset_impact_spans as
select
  r.asset_id,
  r.incident_id,
  r.impact,
  epoch_ms(r.started_at) as start,
  coalesce(epoch_ms(r.ended_at), 'Infinity') as "end",
  r.started_at,
  r.ended_at
from asset_impacts r;

comment on view asset_impact_spans is
  'What incidents did and do to assets. The span from start to end is in epoch ms, its end Infinity while it runs.';
