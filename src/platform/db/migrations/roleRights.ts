import pg from 'pg'
import type { Query } from '../database.js'
import { sessionSettings } from '../pools.js'

/**
 * Makes the settings of our connections those of this role in this database, so that they hold on
 * every connection a pooler lends. A role may do that for itself; where it may not, nothing
 * happens.
 */
export async function keepSettings(query: Query): Promise<void> {
  const [row] = await query<{ name: string }>(`select format('%I', current_database()) as name`)
  const statements = Object.entries(sessionSettings).map(
    ([name, value]) => `alter role current_user in database ${row!.name} set ${name} = '${value}';`,
  )
  await query(statements.join('\n')).catch(() => {})
}

/**
 * Gives `role` its rights on every table, also those that later migrations make, all at once or not
 * at all: read and write rows, never change a table, only read and add audit entries (decision
 * 4.14), and only read the views of facts: they work with the rights of their owner, so that by one
 * of the audit log it could be changed. Nothing for a role that owns the tables. Run it as the
 * tables' owner, while holding the migration lock.
 */
export async function grantTo(role: string, query: Query): Promise<void> {
  if (await ownsAudit(query, role)) return
  const name = pg.escapeIdentifier(role)
  const [views] = await query<{ names: string | null }>(
    `select string_agg(format('public.%I', relname), ', ') as names from pg_class
     where relkind = 'v' and relnamespace = 'public'::regnamespace
       and relname in (select name from database_views)`,
  )
  const viewNames = views!.names
  const revokeOnViews = viewNames
    ? `revoke insert, update, delete, trigger on ${viewNames} from ${name};`
    : ''
  // Sent together, they are one transaction: at no moment may the role change the audit log.
  await query(`
    grant usage on schema public to ${name};
    revoke create on schema public from ${name};
    grant select, insert, update, delete on all tables in schema public to ${name};
    revoke truncate, references, trigger on all tables in schema public from ${name};
    revoke update, delete on audit_entries from ${name};
    revoke insert, update, delete on migrations, database_views from ${name};
    ${revokeOnViews}
    revoke all on migrations_lock from ${name};
    grant usage on all sequences in schema public to ${name};
    revoke update on all sequences in schema public from ${name};
    revoke usage on sequence migrations_id_seq, migrations_lock_index_seq from ${name};
    alter default privileges in schema public grant select, insert, update, delete on tables to ${name};
    alter default privileges in schema public grant usage on sequences to ${name};`)
}

/** Whether the role (default: our own) owns or may own the audit log; false without a log. */
export async function ownsAudit(query: Query, role: string | null = null): Promise<boolean> {
  const rows = await query<{ owns: boolean }>(
    `select pg_has_role(coalesce($1::name, current_user), relowner, 'MEMBER') as owns
     from pg_class where oid = to_regclass('public.audit_entries')`,
    [role],
  )
  return rows[0]?.owns ?? false
}
