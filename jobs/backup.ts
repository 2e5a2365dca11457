// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import path from 'node:path'
import { removeArchive } from '../src/operations/backup/archive.js'
import { rowsIn } from '../src/operations/backup/contents.js'
import { archivePath, keepNewest, putOffsite } from '../src/operations/backup/rotation.js'
import { takeBackup } from '../src/operations/backup/takeBackup.js'
import { runRecorded } from '../src/platform/db/jobRun.js'
import { withDatabase } from '../src/platform/db/pools.js'
import { photoStore } from '../src/platform/photos/configuredStore.js'
import { config } from '../src/platform/process/config.js'
import { argumentsOf } from './support/commandLine.js'
import { printResult, withConfiguredDatabase } from './support/runJob.js'

/** Missing photos named on standard error; the line of the result says how many there are. */
const mostNamed = 20

const { values, positionals } = argumentsOf('backup')
const [destination = '.'] = positionals
const target = destination === '-' ? null : await archivePath(destination)

/** `npm run backup -- FILE`: the database and its photos in one archive; `-` is standard output. */
await printResult(
  async () => {
    const keep = values.keep === undefined ? null : Number(values.keep)
    const offsite = values.to === undefined ? null : config.s3
    if (values.to && !offsite) throw new Error('--to s3: set S3_BUCKET and the other S3_ variables.')
    if (target === null && config.npmHeading)
      throw new Error(
        'npm writes to standard output, which corrupts the archive. Use: npm run --silent backup -- -',
      )
    const photos = values['without-photos'] ? null : photoStore
    return withConfiguredDatabase(({ url }) =>
      // As a run of a job, so that monitors see when the last backup succeeded.
      withDatabase(url, 2, () =>
        runRecorded('backup', { via: 'cli' }, async () => {
          const { takenAt, ending, missing } = await takeBackup({ url, photos }, target)
          for (const photo of missing.slice(0, mostNamed))
            process.stderr.write(`not in the photo store: ${photo}\n`)
          const made = { backup: target ?? destination, takenAt, rows: rowsIn(ending), photos: ending.photos }
          if (target === null) return made
          if (!offsite)
            return keep === null ? made : { ...made, removed: await keepNewest(path.dirname(target), keep) }
          const { key, removed } = await putOffsite(offsite, target, keep)
          await removeArchive(target)
          return { ...made, backup: `s3://${offsite.bucket}/${key}`, ...(keep === null ? {} : { removed }) }
        }),
      ),
    )
  },
  target ? process.stdout : process.stderr,
)
