create or replace function in_change() returns boolean
  language sql stable parallel safe
  return current_setting('caretaker.change', true) is not distinct from 'on';

comment on function in_change is
  'Whether the statement runs within a change. One that is sent together with the start of its change asks: if the start were refused, it would be stored without its audit entry and event.';
