import { config } from './config.js'
import { query } from './database.js'
import { log } from './log.js'
import { ownsAudit } from './migrate.js'

/**
 * Says in the log, once at the start of a process that serves, what this deployment does without. The database is open;
 * never throws, and nobody needs to wait for it.
 */
export async function warnAtStart(): Promise<void> {
  if (config.production && !config.https)
    log.warn('ALLOW_INSECURE_HTTP: passwords and session cookies travel unencrypted')
  // A database that is away now is reported by whatever needs it.
  if (await ownsAudit(query).catch(() => false))
    log.warn('the audit log is owned by the serving role, which could change it: set MIGRATION_DATABASE_URL')
}
