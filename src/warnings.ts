import { config } from './config.js'
import { query } from './database.js'
import { log } from './log.js'
import { ownsAudit } from './migrate.js'

/**
 * Logs once, when a serving process starts, which protections this deployment lacks. The database must be open;
 * never throws and need not be awaited.
 */
export async function warnAtStart(): Promise<void> {
  if (config.production && !config.https)
    log.warn('ALLOW_INSECURE_HTTP: passwords and session cookies travel unencrypted')
  // Whether the database is away is reported elsewhere.
  if (await ownsAudit(query).catch(() => false))
    log.warn('the audit log is owned by the serving role, which could change it: set MIGRATION_DATABASE_URL')
}
