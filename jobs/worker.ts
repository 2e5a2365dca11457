import { announceStatus } from '../src/actions/status/announceStatus.js'
import { ConfigurationError, config } from '../src/config.js'
import { closeDatabase, openDatabase } from '../src/database.js'
import { log } from '../src/log.js'
import { startOutbox, stopOutbox } from '../src/outbox.js'
import { startSchedule } from '../src/schedule.js'
import { senders } from '../src/senders.js'
import { version } from '../src/version.js'
import { requirePhotoStore, warnAtStart } from '../src/warnings.js'

/** `npm run worker`: the schedule and the outbox, beside any number of web processes on one database. */
async function main(): Promise<void> {
  if (!config.databaseUrl)
    throw new Error('The worker needs DATABASE_URL; without it npm start runs everything by itself.')
  openDatabase(config.databaseUrl, config.databasePool, { as: 'worker' })
  await requirePhotoStore()
  startOutbox(senders(), async (assets) => void (await announceStatus(assets)))
  const schedule = config.scheduler === 'off' ? null : await startSchedule(config.databaseUrl)
  void warnAtStart()
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await schedule?.stop()
    await stopOutbox()
    await closeDatabase()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
  // Logged last: a supervisor that reads this line may stop the process at once.
  log.info({ version }, 'working')
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(error instanceof ConfigurationError ? 78 : 1)
})
