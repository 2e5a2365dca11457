import type { Query } from '../database.js'

/**
 * The rights of the serving role: read and write rows, never change a table, only read and add
 * audit entries (decision 4.14). Each row: kind of object, right, SQL condition for granting it.
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

/**
 * SQL: the statements still missing for role `$1` to have exactly its rights; none when nothing
 * changed.
 */
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
 * Gives `role` its rights on every existing table, all at once or not at all; nothing for a role
 * that owns the tables. Run it as the tables' owner, while holding the migration lock.
 */
export async function grantTo(role: string, query: Query): Promise<void> {
  if (await ownsAudit(query, role)) return
  const statements = await query<{ statement: string }>(missing, [role])
  if (statements.length > 0) await query(statements.map(({ statement }) => `${statement};`).join('\n'))
}

/**
 * Whether the role (default: this connection's) owns or may own the audit log; false when there is
 * no log yet.
 */
export async function ownsAudit(query: Query, role: string | null = null): Promise<boolean> {
  const rows = await query<{ owns: boolean }>(
    `select pg_has_role(coalesce($1::name, current_user), relowner, 'MEMBER') as owns
     from pg_class where oid = to_regclass('public.audit_entries')`,
    [role],
  )
  return rows[0]?.owns ?? false
}
