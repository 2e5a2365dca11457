import './help.js'

import path from 'node:path'
import { parseArgs } from 'node:util'
import { takeBackup } from '../src/platform/ops/backup/takeBackup.js'
import { config } from '../src/platform/ops/config.js'
import { photoStore } from '../src/platform/photos/photoStore.js'
import { atDatabase, printing } from './run.js'

/** Missing photos named on standard error; the line of the result says how many there are. */
const named = 20

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'without-photos': { type: 'boolean', default: false } },
})
const [file = dated()] = positionals
const target = file === '-' ? null : path.resolve(file)

/** `npm run backup -- FILE`: the database and its photos in one archive; `-` is standard output. */
await printing(
  async () => {
    if (target === null && config.npmHeading)
      throw new Error(
        'npm writes a heading to standard output, which spoils the archive: npm run --silent backup -- -',
      )
    const photos = values['without-photos'] ? null : photoStore
    const { takenAt, ending, missing } = await atDatabase(({ url }) => takeBackup({ url, photos }, target))
    for (const photo of missing.slice(0, named)) process.stderr.write(`not in the photo store: ${photo}\n`)
    const rows = Object.values(ending.rows).reduce((sum, each) => sum + each, 0)
    return { backup: file === '-' ? file : target, takenAt, rows, photos: ending.photos }
  },
  target ? process.stdout : process.stderr,
)

function dated(): string {
  return `caretaker-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.tar.gz`
}
