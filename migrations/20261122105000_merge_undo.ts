import type { Knex } from 'knex'

/** What a merge changed, so that it can be undone; and which followers it brought. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table merges (
      duplicate_id integer primary key references incidents on delete restrict,
      survivor_id integer not null references incidents on delete restrict,
      update_id integer not null references incident_updates on delete restrict,
      merged_at timestamptz not null,
      merged_by integer references users on delete set null,
      brought integer[] not null,
      status text not null check (status in ('open', 'acknowledged', 'in_progress', 'resolved', 'verified')),
      acknowledged_at timestamptz,
      resolved_at timestamptz,
      verified_at timestamptz,
      sla_breached_at timestamptz,
      joined boolean not null,
      was_downtime boolean not null,
      was_down_since timestamptz,
      was_back_at timestamptz,
      was_unanswered_since timestamptz
    );
    comment on table merges is 'Each merged duplicate as it was before; none for those merged before this table was made.';
    comment on column merges.survivor_id is 'What it was merged into; that may have been merged further since.';
    comment on column merges.update_id is 'The entry in the survivor''s timeline.';
    comment on column merges.brought is 'Its own duplicates, which moved with it.';
    comment on column merges.joined is 'It was down, which went on in the survivor.';
    comment on column merges.was_downtime is 'The survivor''s is_downtime before; the columns below are its other properties that a merge joins.';
    create index merges_of_survivor on merges (survivor_id, merged_at);

    alter table followers add column by_merge boolean not null default false;
    comment on column followers.by_merge is 'Follows only because a duplicate of it was followed, or was merged by them.';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table followers drop column by_merge; drop table merges')
}
