import './help.js'

import { parseArgs } from 'node:util'
import { adoptPhotoStore, copyPhotos, sweepPhotos } from '../src/incidents/photos/photoStore.js'
import { storeNamed } from '../src/platform/photos/photoStore.js'
import { printing, runAsProcess } from './run.js'

const usage = `One of these:
  npm run photos -- --to s3      copies photos from DATA_DIR to the S3 bucket; --to local copies them back
  npm run photos -- --adopt      assigns the photo store to this database
  npm run photos -- --sweep      removes all unused photos`

type Act = { to?: string; adopt?: boolean; sweep?: boolean }

/** `npm run photos`: what an operator does with the photo store, one act at a time. */
const act = parseAct()
if (act) await runAsProcess(() => perform(act))
else await printing(() => Promise.reject(new Error(usage)))

async function perform({ to, adopt }: Act): Promise<object> {
  if (to === 's3') return { to, ...(await copyPhotos(storeNamed('local'), storeNamed('s3'))) }
  if (to === 'local') return { to, ...(await copyPhotos(storeNamed('s3'), storeNamed('local'))) }
  return adopt ? adoptPhotoStore() : sweepPhotos({ anyShare: true })
}

/** Null for anything but one of the acts. */
function parseAct(): Act | null {
  const options = { to: { type: 'string' }, adopt: { type: 'boolean' }, sweep: { type: 'boolean' } } as const
  try {
    const { values } = parseArgs({ options })
    const { to = 's3' } = values
    return Object.keys(values).length === 1 && ['s3', 'local'].includes(to) ? values : null
  } catch {
    return null
  }
}
