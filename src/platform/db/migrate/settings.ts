import { type Query, sessionSettings } from '../database.js'

/**
 * Makes the settings of our connections those of this role in this database, so that they hold on
 * every connection a pooler lends. A role may do that for itself; where it may not, nothing
 * happens.
 */
export async function keepSettings(query: Query): Promise<void> {
  const wanted = Object.entries(sessionSettings)
  const [row] = await query<{ kept: string[] | null; name: string }>(
    `select format('%I', current_database()) as name, (
       select setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
       where s.setrole = to_regrole(quote_ident(current_user)) and d.datname = current_database()
     ) as kept`,
  )
  const missing = wanted.filter(([name, value]) => !row!.kept?.some((each) => sameSetting(each, name, value)))
  if (missing.length === 0) return
  await query(
    missing
      .map(([name, value]) => `alter role current_user in database ${row!.name} set ${name} = '${value}';`)
      .join('\n'),
  ).catch(() => {})
}

const sameSetting = (kept: string, name: string, value: string) =>
  kept.toLowerCase() === `${name}=${value}`.toLowerCase()
