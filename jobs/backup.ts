import './help.js'

import path from 'node:path'
import { parseArgs } from 'node:util'
import { photoStore } from '../src/adapters/photos/photoStore.js'
import { takeBackup } from '../src/backup/takeBackup.js'
import { config } from '../src/config.js'
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
        'npm writes to standard output, which corrupts the archive. Use: npm run --silent backup -- -',
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
