// First: it refuses wrong arguments before anything else is loaded.
import './support/commandLine.js'

import { rowsIn } from '../src/operations/backup/contents.js'
import { checkBackup, restoreBackup } from '../src/operations/backup/restoreBackup.js'
import { photoStore } from '../src/platform/photos/configuredStore.js'
import { argumentsOf } from './support/commandLine.js'
import { printResult, withConfiguredDatabase } from './support/runJob.js'

const { values, positionals } = argumentsOf('restore')
const file = positionals[0]!

/**
 * `npm run restore -- FILE`: puts a backup into an empty database and its photos into the photo
 * store; `--check` only reads it. What is restored sends nothing until `npm run sending -- resume`.
 */
await printResult(async () => {
  const { manifest, ending } = values.check
    ? await checkBackup(file)
    : await withConfiguredDatabase((addresses) => restoreBackup({ ...addresses, photos: photoStore }, file))
  const { takenAt, caretaker: version } = manifest
  const summary = { takenAt, version, rows: rowsIn(ending), photos: ending.photos }
  if (values.check) return { checked: file, ...summary }
  process.stderr.write(
    'Emails, notifications and webhooks are paused. To make this copy live: npm run sending -- resume\n',
  )
  return { restored: file, ...summary, sending: 'paused' }
})
