import type { Knex } from 'knex'
import { concurrentIndex } from './concurrentIndex.js'

/**
 * New names in a database whose processes of the version before run on: they know the old names
 * alone, read them and write them. Every statement may be run again.
 */

/** A table by its old and its new name, and those of its columns that get a new name. */
export type TableName = { from: string; to: string; columns?: Record<string, string> }

/**
 * Renames a table, its columns and what is named after them, and leaves a view under the old names
 * with the rights that the table has. The view is one that can be written to, so that earlier
 * processes read and write the same rows. All in one transaction: no statement finds neither.
 * `version`: whose processes the view is for.
 */
export async function renameTable(
  knex: Knex,
  { from, to, columns = {} }: TableName,
  version: string,
): Promise<void> {
  const renames = Object.entries(columns)
  const whens = renames.map(([before, after]) => `when '${after}' then '${before}'`)
  const oldName = whens.length > 0 ? `case attname ${whens.join(' ')} else attname end` : 'attname'
  await knex.raw(`
    do $rename$
    declare
      columns text;
      each record;
    begin
      if not exists (select from pg_class where oid = to_regclass('public.${from}') and relkind = 'r') then
        return;
      end if;
      alter table ${from} rename to ${to};
      ${renames.map(([before, after]) => `alter table ${to} rename column ${before} to ${after};`).join('\n      ')}
      ${renameParts(from, to, columns)}
      select string_agg(format('%I as %I', attname, ${oldName}), ', ' order by attnum)
        into columns from pg_attribute
        where attrelid = 'public.${to}'::regclass and attnum > 0 and not attisdropped;
      execute format('create view ${from} as select %s from ${to}', columns);
      comment on view ${from} is 'For ${version}, which knows ${to} by this name.';
      for each in
        select acl.privilege_type as privilege,
          case acl.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(acl.grantee)) end as grantee
        from pg_class c, aclexplode(c.relacl) acl
        where c.oid = 'public.${to}'::regclass and acl.grantee <> c.relowner
      loop
        execute format('grant %s on ${from} to %s', each.privilege, each.grantee);
      end loop;
    end $rename$`)
}

/** Takes `renameTable` back. */
export async function unrenameTable(knex: Knex, { from, to, columns = {} }: TableName): Promise<void> {
  const backwards = Object.entries(columns).map(([before, after]) => [after, before] as const)
  await knex.raw(`
    do $rename$
    declare
      each record;
    begin
      if to_regclass('public.${to}') is null then
        return;
      end if;
      drop view ${from};
      alter table ${to} rename to ${from};
      ${backwards.map(([after, before]) => `alter table ${from} rename column ${after} to ${before};`).join('\n      ')}
      ${renameParts(to, from, Object.fromEntries(backwards))}
    end $rename$`)
}

/**
 * PL/pgSQL: constraints, indexes and sequences are named after their table and its columns, and get
 * its new name. Of `mail_follows` with the column `mail_follower_id` it runs, for instance:
 *
 *     alter table email_follows rename constraint mail_follows_pkey to email_follows_pkey;
 *     alter index mail_follows_mail_follower_id_idx rename to email_follows_email_follower_id_idx;
 */
function renameParts(from: string, to: string, columns: Record<string, string>): string {
  const renamed = [[from, to] as const, ...Object.entries(columns)].reduce(
    (name, [before, after]) => `regexp_replace(${name}, '(^|_)${before}(_|$)', '\\1${after}\\2')`,
    'name',
  )
  return `for each in
        select kind, name, ${renamed} as wanted from (
          select 'constraint' as kind, conname::text as name from pg_constraint
          where conrelid = 'public.${to}'::regclass and contype in ('p', 'u', 'f', 'c')
          union all
          select 'index', i.indexrelid::regclass::text from pg_index i
          where i.indrelid = 'public.${to}'::regclass
            and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
          union all
          select 'sequence', d.objid::regclass::text from pg_depend d join pg_class s on s.oid = d.objid
          where d.refobjid = 'public.${to}'::regclass and s.relkind = 'S'
        ) parts where name <> ${renamed}
      loop
        if each.kind = 'constraint' then
          execute format('alter table ${to} rename constraint %I to %I', each.name, each.wanted);
        else
          execute format('alter %s %I rename to %I', each.kind, each.name, each.wanted);
        end if;
      end loop;`
}

/** A column by its old and its new name, for a table that keeps its name. */
export type ColumnName = {
  table: string
  from: string
  to: string
  /** Type and rules of the new column, as in `add column`. */
  type: string
  /** What both are when nothing is said: SQL. */
  initial?: string
  comment: string
  /** Indexes and rules in which the new name stands where the old one stood. */
  indexes?: { name: string; on: string }[]
  rules?: Record<string, string>
}

const triggerOf = ({ table, to }: ColumnName) => `${table}_${to}_alike`

/** Rows that are filled by one statement. */
const atOnce = 5_000

/**
 * Gives a column a new name beside its old one, which earlier processes still read and write: a
 * trigger keeps the two alike, whichever is written. A later version drops the old column with its
 * trigger, indexes and rules. `version`: whose processes the old one is for.
 */
export async function renameColumn(knex: Knex, column: ColumnName, version: string): Promise<void> {
  const { table, from, to, type, initial = 'null', comment, indexes = [], rules = {} } = column
  const trigger = triggerOf(column)
  await knex.raw(`alter table ${table} add column if not exists ${to} ${type}`)
  await knex.raw(`comment on column ${table}.${to} is '${comment}'`)
  await knex.raw(
    `comment on column ${table}.${from} is 'For ${version}, which knows ${to} by this name: a trigger keeps the two alike.'`,
  )
  await knex.raw(`
    create or replace function ${trigger}() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        if new.${to} is not distinct from ${initial} then
          new.${to} := new.${from};
        else
          new.${from} := new.${to};
        end if;
      elsif new.${to} is distinct from old.${to} then
        new.${from} := new.${to};
      else
        new.${to} := new.${from};
      end if;
      return new;
    end $$`)
  await knex.raw(`drop trigger if exists ${trigger} on ${table};
    create trigger ${trigger} before insert or update of ${from}, ${to} on ${table}
      for each row when (new.${from} is distinct from new.${to}) execute function ${trigger}()`)
  for (let rows = atOnce; rows > 0; )
    rows = (
      await knex.raw<{ rowCount: number }>(
        `update ${table} set ${to} = ${from} where ctid = any (array(
           select ctid from ${table} where ${to} is distinct from ${from} limit ${atOnce}))`,
      )
    ).rowCount
  for (const [name, rule] of Object.entries(rules)) {
    await knex.raw(`alter table ${table} drop constraint if exists ${name}`)
    await knex.raw(`alter table ${table} add constraint ${name} ${rule} not valid`)
    await knex.raw(`alter table ${table} validate constraint ${name}`)
  }
  for (const index of indexes) await concurrentIndex(knex, index)
}

/** Takes `renameColumn` back; indexes and rules go with their column. */
export async function unrenameColumn(knex: Knex, column: ColumnName): Promise<void> {
  const trigger = triggerOf(column)
  await knex.raw(`drop trigger if exists ${trigger} on ${column.table}`)
  await knex.raw(`drop function if exists ${trigger}()`)
  await knex.raw(`alter table ${column.table} drop column if exists ${column.to}`)
}
