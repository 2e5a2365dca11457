import { checkPhotoStore } from '../incidents/photos/photoStore.js'
import { query } from '../platform/db/database.js'
import { ownsAudit } from '../platform/db/migrate.js'
import { ConfigurationError, config } from '../platform/ops/config.js'
import { log } from '../platform/ops/log.js'
import { sendingPaused } from '../platform/outbox/sending.js'

/**
 * Stops a start with a photo store that refuses us: throws ConfigurationError naming the settings. One that is only
 * away, full or another building's is logged, as everything else works without it (decision 2.13).
 */
export async function requirePhotoStore(): Promise<void> {
  try {
    await checkPhotoStore()
  } catch (error) {
    const { refusal } = error as { refusal?: string | null }
    if (refusal) throw new ConfigurationError([refusal])
    log.warn({ error }, 'no photo can be stored now')
  }
}

/**
 * Logs once, when a serving process starts, which protections this deployment lacks. The database must be open;
 * never throws and need not be awaited.
 */
export async function warnAtStart(): Promise<void> {
  if (config.production && !config.https)
    log.warn('ALLOW_INSECURE_HTTP: passwords and session cookies travel unencrypted')
  if (config.photoStore === 'local' && config.s3)
    log.warn('PHOTO_STORE=local: the S3_ variables are for npm run photos alone, photos stay in DATA_DIR')
  if (config.production && !config.mail.smtpUrl)
    log.warn(
      { folder: config.mail.outboxDir },
      'SMTP_URL is not set: mails are written to a folder of this machine, and nobody gets them',
    )
  if (config.production && !config.publicUrl)
    log.warn('PUBLIC_URL is not set: links in mails and printed codes lead to localhost')
  // Whether the database is away is reported elsewhere.
  if (await ownsAudit(query).catch(() => false))
    log.warn('the audit log is owned by the serving role, which could change it: set MIGRATION_DATABASE_URL')
  const paused = await sendingPaused().catch(() => null)
  if (paused) log.warn(paused, 'no mail, push or webhook is sent: npm run sending -- resume')
}
