import type { Query } from '../database.js'

/**
 * What the role that serves may do, and nothing else: read and write rows, but never change a table, and of the audit
 * log only read and add (decision 4.14). Each pair is a right on a kind of object and the condition it is given under.
 */
const rights: [object: 'table' | 'sequence' | 'schema', right: string, given: string][] = [
  ['schema', 'USAGE', 'true'],
  ['schema', 'CREATE', 'false'],
  ['sequence', 'USAGE', `name not like 'migrations%'`],
  ['sequence', 'UPDATE', 'false'],
  ['table', 'SELECT', `name <> 'migrations_lock'`],
  ['table', 'INSERT', `name not like 'migrations%'`],
  ['table', 'UPDATE', `name not like 'migrations%' and name <> 'audit_entries'`],
  ['table', 'DELETE', `name not like 'migrations%' and name <> 'audit_entries'`],
  ['table', 'TRUNCATE', 'false'],
  ['table', 'REFERENCES', 'false'],
  ['table', 'TRIGGER', 'false'],
]

const objects = `
  select 'table' as kind, oid, relname::text as name, format('public.%I', relname) as quoted from pg_class
  where relkind in ('r', 'p', 'v', 'm') and relnamespace = 'public'::regnamespace
  union all
  select 'sequence', oid, relname, format('public.%I', relname) from pg_class
  where relkind = 'S' and relnamespace = 'public'::regnamespace
  union all
  select 'schema', oid, nspname, 'public' from pg_namespace where nspname = 'public'`

/** Statements that are still to be run for `$1` to have exactly its rights; none when nothing changed. */
const missing = `
  with objects as materialized (${objects}), rights as (
    ${rights.map(([kind, right, given]) => `select kind, oid, quoted, '${right}' as what, (${given}) as given from objects where kind = '${kind}'`).join('\n    union all\n    ')}
  )
  select format(case when given then 'grant %s on %s %s to %I' else 'revoke %s on %s %s from %I' end, what, kind, quoted, $1::name) as statement
  from rights
  where given <> case kind
    when 'table' then has_table_privilege($1::name, oid, what)
    when 'sequence' then has_sequence_privilege($1::name, oid, what)
    else has_schema_privilege($1::name, oid, what)
  end
  order by kind, quoted, what`

/**
 * Gives `role` its rights on every table there is, those of the newest migration included; all at once or not at all.
 * To be run by the tables' owner, as one who holds the migration lock. Nothing for a role that owns the tables.
 */
export async function grantTo(role: string, query: Query): Promise<void> {
  if (await ownsAudit(query, role)) return
  const statements = await query<{ statement: string }>(missing, [role])
  if (statements.length > 0) await query(statements.map(({ statement }) => `${statement};`).join('\n'))
}

/** Whether the role (this connection's when not said) owns the audit log or may become its owner; false without one. */
export async function ownsAudit(query: Query, role: string | null = null): Promise<boolean> {
  const rows = await query<{ owns: boolean }>(
    `select pg_has_role(coalesce($1::name, current_user), relowner, 'MEMBER') as owns
     from pg_class where oid = to_regclass('public.audit_entries')`,
    [role],
  )
  return rows[0]?.owns ?? false
}
