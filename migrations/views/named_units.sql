create or replace view named_units as
select u.id, u.tower_id, u.number, t.name as tower_name, t.name || ' · ' || u.number as name
from units u
-- Every flat has a tower. As an outer join it leaves PostgreSQL the order of joins where a flat
-- itself is joined so.
left join towers t on t.id = u.tower_id;

comment on view named_units is 'Every flat with its name: its tower and its number.';
