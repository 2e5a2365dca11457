import type pg from 'pg'
import { queryOn } from '../platform/db/database.js'
import { withClient } from '../platform/db/dedicatedConnection.js'
import { compareMigrations, migrationsRun } from '../platform/db/migrations/migrate.js'
import { smtpServerProblem } from '../platform/mail/smtpCheck.js'
import { s3Store } from '../platform/photos/s3Store.js'
import { StoreUnavailable } from '../platform/photos/store.js'
import { faultInWords } from '../platform/photos/storeFault.js'
import { config } from '../platform/process/config.js'
import { explainDatabaseError } from '../platform/process/databaseAdvice.js'

/** What was checked; `problem` null: fine. `skippedBecause`: why it was not checked. */
export type Check = { what: string; problem: string | null; skippedBecause?: string }

/** Milliseconds for the database to let us in. */
const patience = 5_000

/** Tries the database, the photo store and the mail server of this process. Sends nothing. */
export async function checkSettings(): Promise<Check[]> {
  const { databaseUrl, migrationDatabaseUrl, photoStore, s3, email } = config
  return [
    await checkRole('DATABASE_URL', databaseUrl, hasAllTables),
    await checkRole('MIGRATION_DATABASE_URL', migrationDatabaseUrl, canCreateTables),
    photoStore === 's3' && s3
      ? { what: 'S3_BUCKET', problem: await storeProblem(s3) }
      : { what: 'PHOTO_STORE', problem: null, skippedBecause: 'photos are kept in DATA_DIR' },
    email.smtpUrl
      ? { what: 'SMTP_URL', problem: await smtpServerProblem(email.smtpUrl) }
      : {
          what: 'SMTP_URL',
          problem: 'No mail server is set: emails are written to a folder, and no one gets them.',
        },
  ]
}

async function checkRole(
  what: string,
  url: string | null,
  check: (client: pg.Client) => Promise<string | null>,
): Promise<Check> {
  if (!url) return { what, problem: null, skippedBecause: 'not set' }
  const address = { connectionString: url, connectionTimeoutMillis: patience, query_timeout: patience }
  const problem = await withClient(address, check).catch(
    (error: Error) => explainDatabaseError(error) ?? error.message,
  )
  return { what, problem }
}

async function canCreateTables(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ role: string; may: boolean; name: string }>(
    `select current_user as role, current_database() as name, has_schema_privilege('public', 'create') as may`,
  )
  const { role, may, name } = rows[0]!
  return may
    ? null
    : `The role ${role} may create no tables. As a superuser: alter database "${name}" owner to "${role}";`
}

async function hasAllTables(client: pg.Client): Promise<string | null> {
  const { rows: version } = await client.query<{ number: number }>(
    `select current_setting('server_version_num')::integer as number`,
  )
  if (version[0]!.number < 140_000) return 'This PostgreSQL is older than version 14.'
  const ran = await migrationsRun(queryOn(client))
  if (ran.length === 0) return 'The database has no tables yet. Run the release step: npm run migrate.'
  const { missing } = compareMigrations(ran)
  return missing.length === 0
    ? null
    : `${missing.length} migrations are missing. Run the release step: npm run migrate.`
}

async function storeProblem(settings: Parameters<typeof s3Store>[0]): Promise<string | null> {
  try {
    await s3Store(settings).check()
    return null
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return error.refusal ?? `No photo can be stored now: ${faultInWords(error)}.`
  }
}
