import { checkPhotoStore } from '../incidents/model/photos/buildingPhotoStore.js'
import { noteDatabaseFailure } from '../platform/db/availability.js'
import { query } from '../platform/db/database.js'
import { pendingMigrations } from '../platform/db/migrations/migrate.js'
import { ownsAudit } from '../platform/db/migrations/roleRights.js'
import { smtpServerProblem } from '../platform/mail/smtpCheck.js'
import { maskedAnswer } from '../platform/mail/smtpOutcome.js'
import { sendingPaused } from '../platform/outbox/sendingPaused.js'
import { StoreUnavailable } from '../platform/photos/store.js'
import { photoStoreFault } from '../platform/photos/storeFault.js'
import { ConfigurationError, config, misspeltVariables } from '../platform/process/config.js'
import { log } from '../platform/process/log.js'
import { isSigningKey } from '../platform/push/googleAccessToken.js'

/**
 * Stops a start with a photo store that refuses us: throws ConfigurationError naming the settings.
 * One that is only away, full or another building's is logged, as everything else works without it
 * (decision 2.13).
 */
export async function requirePhotoStore(): Promise<void> {
  try {
    await checkPhotoStore()
  } catch (error) {
    if (error instanceof StoreUnavailable && error.refusal) throw new ConfigurationError([error.refusal])
    // Reported elsewhere: the database is away or has no tables yet, and why a store is not there.
    const { code } = error as { code?: string }
    if (code !== '42P01' && !noteDatabaseFailure(error) && !photoStoreFault())
      log.warn({ error }, 'no photo can be stored now')
  }
}

/**
 * Logs once, when a serving process starts, which protections this deployment lacks. The database
 * must be open; never throws and need not be awaited.
 */
export async function warnAtStart(): Promise<void> {
  for (const { variable, meant } of misspeltVariables)
    log.warn({ variable }, `${variable} is no setting of Caretaker and does nothing: is ${meant} meant?`)
  if (config.production && !config.https)
    log.warn('ALLOW_INSECURE_HTTP: passwords and session cookies travel unencrypted')
  if (config.photoStore === 'local' && config.s3)
    log.warn('PHOTO_STORE=local: the S3_ variables are for npm run photos alone, photos stay in DATA_DIR')
  if (config.production && !config.email.smtpUrl)
    log.warn(
      { folder: config.email.outboxDir },
      'SMTP_URL is not set: emails are written to a folder on this machine, and no one gets them',
    )
  if (config.production && !config.publicUrl)
    log.warn('PUBLIC_URL is not set: links in emails and printed codes lead to localhost')
  const { enabled, privateKey } = config.push
  if (enabled && privateKey && !isSigningKey(privateKey))
    log.warn(
      'FCM_PRIVATE_KEY is no RSA private key in PEM: no push to a phone can be sent. Copy private_key of the service account’s file, with its \\n',
    )
  // Whether the database is away is reported elsewhere.
  const missing = await pendingMigrations().catch(() => 0)
  if (missing > 0)
    log.error(
      { missing },
      `${missing} migrations are missing in the database: run the release step, npm run migrate`,
    )
  if (await ownsAudit(query).catch(() => false))
    log.warn('the audit log is owned by the serving role, which could change it: set MIGRATION_DATABASE_URL')
  const ahead = await secondsAhead().catch(() => 0)
  if (Math.abs(ahead) > tolerance)
    log.warn(
      { seconds: ahead },
      `the clock of this machine is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's: correct the wrong one`,
    )
  const paused = await sendingPaused().catch(() => null)
  if (paused) log.warn(paused, 'no email, push or webhook is sent: npm run sending -- resume')
}

/**
 * Logs once, in production, why no email can be sent. Called last and not awaited: the server may
 * take its time to answer. Never throws.
 */
export async function warnOfSmtpServer(): Promise<void> {
  const { smtpUrl } = config.email
  const problem = config.production && smtpUrl ? await smtpServerProblem(smtpUrl) : null
  if (problem) log.warn(`no email can be sent now: ${maskedAnswer(problem)}`)
}

/** Seconds two clocks may differ: sign-in codes, certificates and object stores bear more. */
const tolerance = 30

/** Seconds that this machine's clock is ahead of the database's; negative when it is behind. */
async function secondsAhead(): Promise<number> {
  const [row] = await query<{ now: Date }>('select clock_timestamp() as now')
  return Math.round((Date.now() - row!.now.getTime()) / 1000)
}
