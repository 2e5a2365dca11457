create or replace function wants_notification(notifications jsonb, setting text) returns boolean
  language sql immutable parallel safe
  return notifications -> setting is distinct from 'false'::jsonb;

comment on function wants_notification is
  'Whether an account wants a notification, such as created.mail; test/notifications/recipients.test.ts holds that it means the same as wants in the code. A value that is not a boolean counts as yes and not as an error: broken settings must not stop the events of others.';
