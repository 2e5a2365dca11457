import type { Knex } from 'knex'

/** Repeating planned work may end, and single dates of it be skipped or moved (decision 3.4). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table maintenance_windows
      add column until date,
      add column over_at timestamptz,
      add column known_since timestamptz not null default now();
    comment on column maintenance_windows.until is 'The last local day on which it begins; null: it repeats without end.';
    comment on column maintenance_windows.over_at is 'When the last of its occurrences ends; null: it repeats without end. Not kept for work that does not repeat.';
    comment on column maintenance_windows.known_since is 'What it says of the time before was entered only then, so nobody saw it happen.';
    update maintenance_windows set known_since = created_at;

    create table maintenance_exceptions (
      window_id integer not null references maintenance_windows on delete cascade,
      date date not null,
      starts_at timestamptz,
      ends_at timestamptz,
      created_at timestamptz not null default now(),
      primary key (window_id, date),
      check ((starts_at is null) = (ends_at is null)),
      check (starts_at < ends_at)
    );
    comment on table maintenance_exceptions is 'Single dates of repeating work: skipped (no times), or moved to these times.';
    comment on column maintenance_exceptions.date is 'The local day on which the series has it.';

    comment on column assets.announced_at is 'The moment of the last change told to the world: what happened before is not told any more.';
    update assets set announced_at = now();
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    comment on column assets.announced_at is null;
    drop table maintenance_exceptions;
    alter table maintenance_windows drop column known_since, drop column over_at, drop column until;
  `)
}
