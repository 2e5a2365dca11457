import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'
import { inBatches } from './inBatches.js'

const staff = `('board', 'manager', 'admin')`

/** Its statements stand alone, so that none holds a table longer than it must. */
export const transaction = false

/**
 * Who hears of what (decision 7.2): remembered unfollows, messages that gather until they are sent, and residents'
 * words the office has not reacted to. Of old incidents only those not yet verified can still want an answer.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table if not exists unfollows (
      incident_id integer not null references incidents on delete restrict,
      user_id integer not null references users on delete cascade,
      created_at timestamptz not null default now(),
      primary key (incident_id, user_id)
    );
    comment on table unfollows is 'Who stopped following by their own will: staff who act on the incident do not follow it again by that.';
    create index if not exists unfollows_of_user on unfollows (user_id);
  `)
  await knex.raw(`
    alter table outbox
      add column if not exists gather_key text,
      drop constraint if exists outbox_gather_key_check,
      add constraint outbox_gather_key_check check (char_length(gather_key) <= 200) not valid;
    comment on column outbox.gather_key is 'Until its first attempt, a row takes in what else is to be said under this key: one mail instead of many.';
  `)
  await knex.raw('alter table outbox validate constraint outbox_gather_key_check')
  await concurrentIndex(knex, {
    name: 'outbox_gathering',
    on: `outbox (gather_key)
      where gather_key is not null and attempts = 0 and sent_at is null and failed_at is null`,
    unique: true,
  })
  await knex.raw(`
    alter table incidents
      add column if not exists came_back_at timestamptz,
      add column if not exists unanswered_since timestamptz;
    comment on column incidents.came_back_at is 'A resident said that it is not fixed, and the office has not reacted since.';
    comment on column incidents.unanswered_since is 'The first word of a resident or a mail that the office has not reacted to.';
  `)
  await concurrentIndex(knex, {
    name: 'incidents_came_back',
    on: 'incidents (came_back_at) where came_back_at is not null and merged_into_id is null',
  })
  await concurrentIndex(knex, {
    name: 'incidents_unanswered',
    on: `incidents (unanswered_since)
      where unanswered_since is not null and came_back_at is null and merged_into_id is null`,
  })
  await concurrentIndex(knex, {
    name: 'incidents_open',
    on: `incidents (severity, created_at) where status = 'open' and merged_into_id is null`,
  })
  await knex.raw('drop index concurrently if exists incidents_waiting')
  await inBatches(
    knex,
    { table: 'incidents', key: 'id' },
    (some) => `
    with words as (
      select p.*, p.author_id is not null and w.role in ${staff} as by_staff
      from incident_updates p
      join incidents i on i.id = p.incident_id and i.status <> 'verified'
      left join users w on w.id = p.author_id
      where ${some('i.id')} and (p.author_id is not null or p.via = 'email')
    ), heard as (
      select incident_id, max(id) as id from words where by_staff group by incident_id
    ), unheard as (
      select p.incident_id, min(p.created_at) filter (where p.new_status is null) as since,
        min(p.created_at) filter (where p.new_status = 'in_progress') as back
      from words p left join heard h on h.incident_id = p.incident_id
      where not p.by_staff and p.id > coalesce(h.id, 0)
      group by p.incident_id
    )
    update incidents i set unanswered_since = u.since, came_back_at = u.back from unheard u where i.id = u.incident_id`,
  )
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index incidents_waiting on incidents (severity, created_at)
      where status = 'open' and acknowledged_at is null and merged_into_id is null;
    drop index incidents_open;
    alter table incidents drop column came_back_at, drop column unanswered_since;
    drop index outbox_gathering;
    alter table outbox drop column gather_key;
    drop table unfollows;
  `)
}
